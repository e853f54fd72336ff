import AsyncInstantSearch

/// The recorded sessions of a file, with the answers of the service.
struct SessionFile {
  let sessions: [JSON]
  private let exchanges: [JSON]
  private let facetExchanges: [JSON]
  private let records: [String: JSON]

  init(_ json: JSON) throws {
    sessions = try VectorFiles.list("sessions", of: json)
    exchanges = try VectorFiles.list("exchanges", of: json)
    facetExchanges = try VectorFiles.list("facetExchanges", of: json)
    records = Dictionary(
      try VectorFiles.list("records", of: json).map { ($0["objectID"]?.stringValue ?? "", $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The parameters of a recorded query.
  func parameters(_ number: Int) -> JSON {
    guard case .object(var members)? = exchanges[number]["request"]?["params"] else { return [:] }
    // In a context for rules, InstantSearch.js escapes the leading minus of a value that the last
    // answer does not have.
    members["ruleContexts"] = members["ruleContexts"].map { contexts in
      .array(contexts.strings.map { .string($0.replacing("-_-", with: "--")) })
    }
    return .object(members)
  }

  /// The answer to a recorded query, with its records.
  func answer(_ number: Int) -> JSON {
    guard case .object(var members)? = exchanges[number]["answer"] else { return .null }
    members["hits"] = .array(
      (members["hits"]?.strings ?? []).map { records[$0] ?? ["objectID": .string($0)] })
    return .object(members)
  }

  /// The parameters of a recorded search for values of a facet, without the tags of highlights,
  /// which ours leaves to the service.
  func facetParameters(_ number: Int) -> JSON {
    (facetExchanges[number]["request"]?["params"] ?? [:])
      .leavingOut(["highlightPreTag", "highlightPostTag"])
  }

  /// The answer to a recorded search for values of a facet.
  func facetAnswer(_ number: Int) throws -> FacetValuesPage {
    try (facetExchanges[number]["answer"] ?? [:]).decode(FacetValuesPage.self)
  }
}

/// Plays a recorded session step by step, and compares requests, states, views and links.
struct SessionPlayer {
  /// The difference at which a session stops agreeing.
  struct Difference: Error {
    let text: String
  }

  private let file: SessionFile
  private let session: JSON
  private let index: String
  private let definitions: [JSON]
  private var widgets: [SessionWidget]
  private var screen: SearchScreen
  /// The last state that was answered.
  private var answered: IndexState
  /// The last queries that were sent.
  private var sent: [JSON] = []
  /// The last recorded view of each widget.
  private var recorded: [String: JSON] = [:]
  /// The number of queries of the last answered call that ours does not send.
  private var needlessCount = 0
  /// The facets of rating menus that were removed.
  private var removedRatings: Set<String> = []

  init(_ session: JSON, in file: SessionFile) throws {
    self.session = session
    self.file = file
    index = session["indexName"]?.stringValue ?? ""
    definitions = session["widgets"]?.arrayValue ?? []
    widgets = try definitions.flatMap(SessionWidget.all)
    screen = try SearchScreen(indexName: index, widgets: widgets.compactMap(\.widget))
    let uiState: UIState
    if let url = session["initialUrl"]?.stringValue {
      uiState = UIState.read(query: url, mapping: .simple).state
    } else {
      uiState = try (session["initialUiState"] ?? [:]).decode(UIState.self)
    }
    screen.read(uiState[index], at: 0)
    answered = screen.state
    refineByConfiguration()
    answered = screen.state
  }

  /// Plays steps until one has a tag in `end`.
  ///
  /// - Returns: The number of steps that agree.
  mutating func play(until end: Set<String> = []) throws -> Int {
    let steps = session["steps"]?.arrayValue ?? []
    for (number, step) in steps.enumerated() {
      if !end.isDisjoint(with: step["quirks"]?.strings ?? []) { return number }
      do {
        try play(step)
      } catch let difference as Difference {
        let verb = "\(step["verb"]?.stringValue ?? "") \(step["widget"]?.stringValue ?? "")"
        throw Difference(
          text: "step \(number) (\(verb) \(step["args"] ?? [])), \(difference.text)")
      }
    }
    return steps.count
  }

  private mutating func play(_ step: JSON) throws {
    if let views = step["init"] {
      recorded.merge(views.objectValue ?? [:]) { $1 }
      try compareViews("view before the first results", step)
    }
    try perform(step)
    if let loading = step["loading"] {
      recorded.merge(loading["views"]?.objectValue ?? [:]) { $1 }
      // Searches for values are not held back.
      if loading["status"] == "loading" { try compareViews("view while loading", step) }
    }
    try compareFacetSearches(step)
    try compareRequests(step)
    try compareUIState(step)
    for key in step["removed"]?.strings ?? [] { recorded[key] = nil }
    recorded.merge(step["views"]?.objectValue ?? [:]) { $1 }
    try compareViews("view", step)
    for link in step["links"]?.arrayValue ?? [] { try compare(link) }
  }

  // MARK: Verbs

  private mutating func perform(_ step: JSON) throws {
    let verb = step["verb"]?.stringValue ?? ""
    let key = step["widget"]?.stringValue
    switch verb {
    case "start": break
    case "setUiState":
      let strictness = screen.state.query.relevancyStrictness
      let uiState = try (step["args"]?[0] ?? [:]).decode(UIState.self)
      var opened = screen.state.opened
      opened.facetQueries = [:]
      screen.read(uiState[index], at: 0)
      // What is opened is no part of a state of InstantSearch.js, which keeps it.
      screen.state.opened = opened
      refineByConfiguration()
      // InstantSearch.js keeps the strictness that a state does not name.
      if screen.state.query.relevancyStrictness == nil,
        widgets.contains(where: { $0.type == "relevantSort" })
      {
        screen.state.query.relevancyStrictness = strictness
      }
    case "removeWidget":
      for removed in widgets where removed.key == key || removed.owner == key {
        if removed.type == "ratingMenu", let facet = removed.facet {
          removedRatings.insert(facet)
        }
        if let widget = removed.widget { screen.remove(widget) }
      }
      widgets.removeAll { $0.key == key || $0.owner == key }
    case "addWidget":
      for definition in definitions where definition["key"]?.stringValue == key {
        for added in try SessionWidget.all(definition) { add(added) }
      }
    default:
      guard let widget = widgets.first(where: { $0.key == key }) else { break }
      // An action that throws changes nothing, as one that InstantSearch.js rejects.
      _ = try? widget.perform(verb, step["args"]?.arrayValue ?? [], on: &screen)
    }
  }

  /// Adds the exclusions and tags among the parameters of Configure, which are refinements. Ours
  /// has no widget for them: an application changes the filters itself.
  private mutating func refineByConfiguration() {
    for widget in widgets where widget.type == "configure" {
      let parameters = widget.options["searchParameters"]
      for (name, values) in parameters?["facetsExcludes"]?.objectValue ?? [:] {
        for value in values.strings {
          screen.state.filters[and: name].add(
            !Filter.Facet(attribute: Attribute(name), stringValue: value))
        }
      }
      for tag in parameters?["tagRefinements"]?.strings ?? [] {
        screen.state.filters[and: "_tags"].add(Filter.Tag(tag))
      }
    }
  }

  private mutating func add(_ added: SessionWidget) {
    widgets.append(added)
    if let widget = added.widget { screen.add(widget) }
  }

  /// Adds widgets for listed facets that have none, as an application does, and removes others.
  private mutating func mountFallbacks() throws {
    for owner in widgets where owner.type == "dynamicWidgets" {
      let listed = screen.results?.page.renderingContent?.facetOrdering?.facets?.order ?? []
      let known = Set(widgets.filter { $0.owner == owner.key }.compactMap(\.facet))
      for attribute in listed where !known.contains(attribute) {
        if let fallback = try owner.fallback(for: attribute) { add(fallback) }
      }
      for widget in widgets where widget.owner == owner.key && widget.key.hasPrefix("fallback:") {
        guard let unlisted = widget.widget, !listed.contains(widget.facet ?? "") else { continue }
        screen.remove(unlisted)
        widgets.removeAll { $0.key == widget.key }
      }
    }
  }

  // MARK: Requests

  private mutating func compareFacetSearches(_ step: JSON) throws {
    let numbers = (step["facetSearches"]?.arrayValue ?? []).compactMap(\.intValue)
    guard let session = widgets.first(where: { $0.key == step["widget"]?.stringValue }),
      let list = session.widget as? FacetList
    else { return }
    let request = screen.request(of: list)
    if let view = step["afterEachAnswer"]?.arrayValue?.last?["view"] {
      recorded[session.key] = view
    }
    guard let number = numbers.last else {
      if step["verb"] == "searchForItems", request != nil {
        throw Difference(text: "ours searches for values, nothing was recorded")
      }
      return
    }
    guard case .facetValues(let search)? = request else {
      throw Difference(text: "ours does not search for values")
    }
    let ours = try VectorsStateTests.comparable(
      FacetRequest(search, in: screen.search()))
    let expected = VectorsStateTests.comparable(file.facetParameters(number))
      .leavingOut(facets: removedRatings, declared: screen.search().parameters)
    if let difference = firstDifference(ours, expected) {
      throw Difference(text: "search for values \(difference)")
    }
    let response = WidgetResponse(
      .facetValues(search),
      step["fail"] == true
        ? .failure(SearchError(.transport, "failure"))
        : .success(.facetValues(try file.facetAnswer(number))))
    screen.receive([OwnedRequest(request: response.request): response])
  }

  private mutating func compareRequests(_ step: JSON) throws {
    let calls = step["requests"]?.arrayValue ?? []
    if calls.isEmpty, try comparableQueries() != sent {
      throw Difference(text: "ours sends queries, nothing was recorded")
    }
    for (position, call) in calls.enumerated() {
      let needless = Set(
        (step["needless"]?.arrayValue ?? []).filter { $0[0]?.intValue == position }
          .compactMap { $0[1]?.intValue })
      let numbers = (call.arrayValue ?? []).enumerated()
        .filter { !needless.contains($0.offset) }.compactMap(\.element.intValue)
      let search = screen.search()
      let expected = numbers.map {
        VectorsStateTests.comparable(file.parameters($0))
          .leavingOut(facets: removedRatings, declared: search.parameters)
      }
      sent = try comparableQueries()
      if let difference = firstDifference(.array(sent), .array(expected)) {
        throw Difference(text: "call \(position), query\(difference)")
      }
      if step["fail"] == true {
        // After a failure InstantSearch.js returns to the last state that was answered.
        answered.opened = screen.state.opened
        screen.state = answered
        sent = try comparableQueries()
        continue
      }
      let newest = try IndexResults(merging: numbers.map(file.answer), of: search)
      needlessCount = needless.count
      screen.receive(newest)
      screen.followActivity()
      try mountFallbacks()
      answered = screen.state
    }
    if try comparableQueries() != sent {
      throw Difference(text: "ours sends one more call")
    }
  }

  private func comparableQueries() throws -> [JSON] {
    try screen.queries.all.map { VectorsStateTests.comparable(try JSON(encoding: $0)) }
  }

  // MARK: States

  private func compareUIState(_ step: JSON) throws {
    var uiState = UIState()
    uiState[index] = screen.uiState[index]
    // InstantSearch.js has no state of the user interface for what is opened.
    uiState[index].showMore = [:]
    uiState[index].facetQuery = [:]
    uiState[index].additional["refineOnMapMove"] = nil
    var expected = try (step["uiState"] ?? [:]).decode(UIState.self)
    expected[index].configure = SearchQuery()
    if let difference = try firstDifference(JSON(encoding: uiState), JSON(encoding: expected)) {
      throw Difference(text: "UI state \(difference)")
    }
    // Reading what was written gives the state.
    var copy = screen
    copy.read(screen.uiState[index], at: 0)
    if !copy.state.isSameSearch(as: screen.state) {
      throw Difference(
        text: "the UI state is read as \(copy.state), and not as \(screen.state)")
    }
  }

  /// Compares the state after an action, with the action applied to a copy.
  private func compare(_ link: JSON) throws {
    guard link["quirks"] == nil || link["quirks"] == [],
      let widget = widgets.first(where: { $0.key == link["widget"]?.stringValue })
    else { return }
    var screen = screen
    _ = try? widget.perform("refine", link["args"]?.arrayValue ?? [], on: &screen)
    var uiState = screen.uiState
    uiState[index].showMore = [:]
    uiState[index].facetQuery = [:]
    uiState[index].additional["refineOnMapMove"] = nil
    let ours = UIState.read(query: uiState.query(mapping: .simple), mapping: .simple).state
    let url = link["url"]?.stringValue ?? ""
    let expected = UIState.read(query: url, mapping: .simple).state
    if let difference = try firstDifference(JSON(encoding: ours), JSON(encoding: expected)) {
      throw Difference(
        text: "link of \(link["widget"] ?? "") \(link["args"] ?? []) \(difference)")
    }
  }

  // MARK: Views

  private func hiddenValues(of widget: SessionWidget) -> Set<String> {
    let values = screen.results?.page.renderingContent?.facetOrdering?.values
    return Set(widget.facet.flatMap { values?[$0]?.hide } ?? [])
  }

  /// The refined values with a leading minus that no answer has, which InstantSearch.js drops.
  private func droppedValues(of widget: SessionWidget) -> Set<String> {
    guard let list = widget.widget as? FacetList else { return [] }
    let values = screen.results?.counts.facets[list.attribute]?.values ?? []
    return Set(values.lazy.filter { $0.count == 0 && $0.value.hasPrefix("-") }.map(\.value))
  }

  /// Whether dynamic facets request the facet of a widget by name. InstantSearch.js takes it for
  /// one whose values are joined by AND, so that other widgets show nothing.
  private func hasUncertainFacet(_ widget: SessionWidget) -> Bool {
    guard let facet = widget.facet else { return false }
    if let list = widget.widget as? FacetList, list.operator == .and { return false }
    return widgets.contains { ($0.widget as? DynamicFacets)?.facets.contains(facet) == true }
  }

  private func compareViews(_ name: String, _ step: JSON) throws {
    let views = SessionViews(screen: screen)
    let ties = Set(step["ties"]?.strings ?? [])
    for widget in widgets {
      let ours = views.view(of: widget)
      guard let ours, let expected = recorded[widget.key] else {
        if (ours == nil) == (recorded[widget.key] == nil) { continue }
        throw Difference(
          text: "\(name) of \(widget.key): \(ours == nil ? "ours" : "the recorded one") is inactive"
        )
      }
      if hasUncertainFacet(widget) { continue }
      let comparison = ViewComparison(
        type: widget.type, options: widget.options, isTied: ties.contains(widget.key),
        needlessCount: needlessCount,
        hasResults: screen.results != nil,
        isSearching: step["verb"] == "searchForItems" && step["widget"]?.stringValue == widget.key,
        hidden: hiddenValues(of: widget), dropped: droppedValues(of: widget))
      if let difference = comparison.difference(ours, expected) {
        throw Difference(text: "\(name) of \(widget.key) (\(widget.type)) \(difference)")
      }
    }
  }
}

extension JSON {
  /// A query without facets that no widget declares. InstantSearch.js still requests the facet of a
  /// rating menu that was removed.
  fileprivate func leavingOut(facets: Set<String>, declared parameters: WidgetParameters) -> JSON {
    guard case .object(var members) = self, let names = members["facets"]?.strings else {
      return self
    }
    let needless = facets.subtracting(parameters.disjunctiveFacets)
    members["facets"] = .array(names.filter { !needless.contains($0) }.map(JSON.string))
    return .object(members)
  }
}
