@testable import AsyncInstantSearch
@testable import InstantSearchClient

/// Plays a recorded session step by step, and compares requests, states, views and links.
struct SessionPlayer {
  /// What differs, each with its step.
  private(set) var differences: [String] = []

  let file: SessionFile
  let index: String
  private let session: JSON
  private let definitions: [JSON]
  private(set) var widgets: [SessionWidget]
  var screen: SearchScreen
  /// The last state that was answered.
  private var answered: IndexState
  /// The last queries that were sent.
  private var sent: [JSON] = []
  /// The last recorded view of each widget.
  var recorded: [String: JSON] = [:]
  /// The last recorded state of the user interface.
  private var recordedState: JSON?
  /// The number of queries of the last answered call that ours does not send.
  /// Whether a query of ours asked for more values of facets than the recorded one.
  private var asksForMoreValues = false
  private var needlessCount = 0
  /// The facets of rating menus that were removed.
  private var removedRatings: Set<String> = []
  /// The step that is played.
  private var place = ""

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

  /// Plays the steps up to the first with the tag of a quirk.
  mutating func play() throws {
    let steps = session["steps"]?.arrayValue ?? []
    VectorReport.current.compare("sessions")
    for (number, step) in steps.enumerated() {
      let verb = "\(step["verb"]?.stringValue ?? "") \(step["widget"]?.stringValue ?? "")"
      place = "step \(number) (\(verb) \(step["args"] ?? []))"
      var quirks: [Exemption] = []
      for tag in step["quirks"]?.strings ?? [] where !Self.keptTags.contains(tag) {
        if let quirk = Exemption(tag: tag) {
          if !quirk.isBenign { quirks.append(quirk) }
        } else {
          note("unknown tag \(tag)")
        }
      }
      if !quirks.isEmpty {
        for quirk in quirks { VectorReport.current.excuse(quirk) }
        VectorReport.current.compare(
          "steps after a quirk, not compared", count: steps.count - number)
        return
      }
      VectorReport.current.compare("steps")
      try play(step)
    }
  }

  /// The tags of what ours does as well.
  private static let keptTags: Set = ["uiState-keeps-unmounted"]

  private mutating func note(_ difference: String) {
    differences.append("\(place), \(difference)")
  }

  /// Compares two sides, and notes how they differ.
  private mutating func compare(
    _ name: String, _ ours: JSON?, _ recorded: JSON?, _ tolerances: [Tolerance] = []
  ) {
    if let difference = difference(ours, recorded, tolerances) { note("\(name) \(difference)") }
  }

  private mutating func play(_ step: JSON) throws {
    if let views = step["init"] {
      recorded.merge(views.objectValue ?? [:]) { $1 }
      compareViews("view before the first results", step)
    }
    try perform(step)
    for key in step["removed"]?.strings ?? [] where !widgets.contains(where: { $0.key == key }) {
      recorded[key] = nil
    }
    if let loading = step["loading"] {
      recorded.merge(loading["views"]?.objectValue ?? [:]) { $1 }
      // Searches for values are not held back.
      if loading["status"] == "loading" { compareViews("view while loading", step) }
    }
    try compareFacetSearches(step)
    try compareCalls(step)
    try compareUIState(step)
    for key in step["removed"]?.strings ?? [] { recorded[key] = nil }
    recorded.merge(step["views"]?.objectValue ?? [:]) { $1 }
    compareViews("view", step)
    for link in step["links"]?.arrayValue ?? [] { compare(link) }
    VectorReport.current.excuse(.status)
  }

  // MARK: Verbs

  private mutating func perform(_ step: JSON) throws {
    let verb = step["verb"]?.stringValue ?? ""
    let key = step["widget"]?.stringValue
    switch verb {
    case "start": break
    case "setUiState": try read((step["args"]?[0] ?? [:]).decode(UIState.self))
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
      guard let widget = widgets.first(where: { $0.key == key }) else {
        return note("there is no such widget")
      }
      do {
        try widget.perform(verb, step["args"]?.arrayValue ?? [], on: &screen)
      } catch {
        // InstantSearch.js ignores an action that is not possible.
        let isIgnored =
          step["views"] == [:] && step["uiState"] == recordedState && error is SearchError
        if !isIgnored { return note("the action throws \(error)") }
        VectorReport.current.excuse(.rejectedAction)
      }
    }
  }

  private mutating func read(_ uiState: UIState) {
    let strictness = screen.state.query.relevancyStrictness
    var opened = screen.state.opened
    opened.facetQueries = [:]
    screen.read(uiState[index], at: 0)
    // What is opened is no part of a state of InstantSearch.js, which keeps it.
    if screen.state.opened != opened {
      VectorReport.current.excuse(.openedParts)
      screen.state.opened = opened
    }
    refineByConfiguration()
    // InstantSearch.js keeps the strictness that a state does not name.
    if strictness != nil, screen.state.query.relevancyStrictness == nil,
      widgets.contains(where: { $0.type == "relevantSort" })
    {
      VectorReport.current.excuse(.keptStrictness)
      screen.state.query.relevancyStrictness = strictness
    }
  }

  /// Adds the exclusions and tags among the parameters of Configure, which are refinements. Ours
  /// has no widget for them: an application changes the filters itself.
  private mutating func refineByConfiguration() {
    let before = screen.state
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
    if screen.state != before { VectorReport.current.excuse(.configuredFilters) }
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
        guard let fallback = try owner.fallback(for: attribute) else { continue }
        VectorReport.current.excuse(.fallbackWidgets)
        add(fallback)
      }
      for widget in widgets where widget.owner == owner.key && widget.key.hasPrefix("fallback:") {
        guard let unlisted = widget.widget, !listed.contains(widget.facet ?? "") else { continue }
        screen.remove(unlisted)
        widgets.removeAll { $0.key == widget.key }
      }
    }
  }

  // MARK: Requests

  /// What the queries can differ in.
  private var tolerances: [Tolerance] {
    Tolerance.queries(
      removed: removedRatings.subtracting(screen.plan().needs.disjunctiveFacets))
  }

  private mutating func compareFacetSearches(_ step: JSON) throws {
    var numbers = (step["facetSearches"]?.arrayValue ?? []).compactMap(\.intValue)
    if let answers = step["afterEachAnswer"]?.arrayValue, let key = step["widget"]?.stringValue {
      recorded[key] = answers.last?["view"]
      VectorReport.current.excuse(.earlierFacetSearch, count: numbers.count - 1)
      numbers = numbers.suffix(1)
    }
    let requests = screen.unansweredRequests()
    if requests.count != numbers.count {
      note("ours makes \(requests.count) searches for values, recorded are \(numbers.count)")
    }
    for (request, number) in zip(requests, numbers) {
      guard case .facetValues(let search) = request.request else {
        note("ours requests \(request.request)")
        continue
      }
      VectorReport.current.compare("searches for values")
      let parameters = try FacetRequest(search, in: screen.plan()).parameters
      let recorded = file.facetRequest(number)
      compare(
        "search for values",
        asking(
          ["indexName": .string(screen.state.indexName), "params": parameters], recorded),
        recorded, tolerances)
      let response = WidgetResponse(
        request.request,
        step["fail"] == true
          ? .failure(SearchError(.transport, "failure"))
          : .success(.facetValues(try file.facetAnswer(number))))
      screen.receive([request: response])
    }
  }

  private mutating func compareCalls(_ step: JSON) throws {
    let repeats = (step["repeats"]?.arrayValue ?? []).compactMap(\.intValue)
    for (position, call) in (step["requests"]?.arrayValue ?? []).enumerated() {
      VectorReport.current.compare("calls")
      let needless = Set(
        (step["needless"]?.arrayValue ?? []).filter { $0[0]?.intValue == position }
          .compactMap { $0[1]?.intValue })
      VectorReport.current.excuse(.needlessOwnQuery, count: needless.count)
      let numbers = (call.arrayValue ?? []).enumerated()
        .filter { !needless.contains($0.offset) }.compactMap(\.element.intValue)
      let plan = screen.plan()
      let ours = try queries
      if ours == sent {
        // Ours makes no call, and the answer to the recorded one is known.
        VectorReport.current.excuse(repeats.contains(position) ? .repeatedRequest : .equalSearch)
      }
      if ours.count != numbers.count {
        return note("call \(position) has \(ours.count) queries, recorded are \(numbers.count)")
      }
      for (number, query) in zip(numbers, ours) {
        VectorReport.current.compare("queries")
        let recorded = file.request(number)
        compare("call \(position)", asking(query, recorded), recorded, tolerances)
      }
      sent = ours
      if step["fail"] == true {
        // After a failure InstantSearch.js returns to the last state that was answered.
        answered.opened = screen.state.opened
        if screen.state != answered { VectorReport.current.excuse(.stateAfterFailure) }
        screen.state = answered
        sent = try queries
        continue
      }
      let newest = try IndexResults(merging: numbers.map(file.answer), of: plan)
      needlessCount = needless.count
      screen.receive(newest)
      screen.followActivity()
      try mountFallbacks()
      answered = screen.state
    }
    if try queries != sent { note("ours makes one more call") }
  }

  /// A query with the recorded number of values of facets, if ours asks for more to count them.
  private mutating func asking(_ query: JSON, _ recorded: JSON) -> JSON {
    let (name, params) = ("maxValuesPerFacet", "params")
    guard let count = query[params]?[name]?.intValue, count > recorded[params]?[name]?.intValue ?? 0
    else { return query }
    VectorReport.current.excuse(.countedValues)
    asksForMoreValues = true
    var query = query
    query[params]?[name] = recorded[params]?[name]
    return query
  }

  /// Our queries.
  private var queries: [JSON] {
    get throws {
      try screen.plan().queries.map {
        ["indexName": .string(screen.plan().indexName), "params": try JSON(encoding: $0)]
      }
    }
  }

  // MARK: States

  private mutating func compareUIState(_ step: JSON) throws {
    VectorReport.current.compare("states")
    compare(
      "UI state", try JSON(encoding: screen.uiState), step["uiState"], Tolerance.states())
    compareURL("URL", screen.uiState, step["url"])
    // Reading what was written gives the state.
    var copy = screen
    copy.read(screen.uiState[index], at: 0)
    if !copy.state.isSameSearch(as: screen.state) {
      note("the UI state is read as \(copy.state), and not as \(screen.state)")
    }
    recordedState = step["uiState"]
  }

  private mutating func compareURL(
    _ name: String, _ uiState: UIState, _ url: JSON?, _ tolerances: [Tolerance] = []
  ) {
    compare(
      name, RouteValue.parsing(uiState.query(mapping: .simple)).json,
      url.map { RouteValue.parsing($0.stringValue ?? "").json }, Tolerance.states(tolerances))
  }

  /// Compares the URL after an action with that after the action on a copy.
  private mutating func compare(_ link: JSON) {
    guard let widget = widgets.first(where: { $0.key == link["widget"]?.stringValue }) else {
      return note("the link \(link) has no widget")
    }
    VectorReport.current.compare("links")
    var after = screen
    do {
      try widget.perform("refine", link["args"]?.arrayValue ?? [], on: &after)
    } catch {
      // It leads to the current state.
      if !(error is SearchError) { return note("the link \(link) throws \(error)") }
      VectorReport.current.excuse(.rejectedAction)
    }
    compareURL(
      "link of \(link["widget"] ?? "") \(link["args"] ?? [])", after.uiState, link["url"],
      Tolerance.link(tags: link["quirks"]?.strings ?? [], index: index))
  }

  // MARK: Views

  private mutating func compareViews(_ name: String, _ step: JSON) {
    let views = SessionViews(screen: screen)
    for key in recorded.keys where !widgets.contains(where: { $0.key == key }) {
      note("\(name) of \(key): ours has no such widget")
    }
    for widget in widgets {
      let ours = views.view(of: widget)
      guard let ours, let expected = recorded[widget.key] else {
        if (ours == nil) == (recorded[widget.key] == nil) { continue }
        note("\(name) of \(widget.key): \(ours == nil ? "ours" : "the recorded one") is inactive")
        continue
      }
      VectorReport.current.compare("views")
      let tolerances = ViewTolerances(
        widget: widget, screen: screen, widgets: widgets,
        isTied: step["ties"]?.strings.contains(widget.key) == true, needlessCount: needlessCount,
        isSearching: step["verb"] == "searchForItems" && step["widget"]?.stringValue == widget.key)
      // A list is as long as was requested, so the recorded ones are shorter.
      let counted = Tolerance(.countedValues) { ours, recorded in
        for name in ["hasExhaustiveItems", "canToggleShowMore"] { ours[name] = recorded[name] }
      }
      compare(
        "\(name) of \(widget.key) (\(widget.type))", ours, expected,
        tolerances.all + (asksForMoreValues ? [counted] : []))
    }
  }
}
