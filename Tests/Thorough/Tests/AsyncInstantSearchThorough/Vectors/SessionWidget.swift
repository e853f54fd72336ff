@testable import AsyncInstantSearch
@testable import InstantSearchClient

/// A widget of a recorded session.
struct SessionWidget {
  let key: String
  let type: String
  let options: JSON
  /// `nil` for plain hits, which are no widget.
  let widget: (any SearchWidget)?
  /// The key of the dynamic facets that the widget belongs to; `nil` without.
  var owner: String?

  init(_ json: JSON, owner: String? = nil) throws {
    key = json["key"]?.stringValue ?? ""
    type = json["type"]?.stringValue ?? ""
    options = json["options"] ?? [:]
    self.owner = owner
    widget = try Self.widget(type, options)
  }

  /// The facet that the widget displays; `nil` if it displays none.
  var facet: String? {
    (widget as? any RoutedWidget)?.parts.lazy.compactMap(\.name.facet).first
  }

  /// A widget, and those that it manages.
  static func all(_ json: JSON) throws -> [SessionWidget] {
    let outer = try SessionWidget(json)
    let inner = outer.options["widgets"]?.arrayValue ?? []
    return [outer] + (try inner.map { try SessionWidget($0, owner: outer.key) })
  }

  /// The widget of a facet for which dynamic facets have no other; `nil` if they have no such
  /// widgets.
  func fallback(for attribute: String) throws -> SessionWidget? {
    guard let fallback = options["fallbackWidget"] else { return nil }
    var options = fallback["options"]?.objectValue ?? [:]
    options["attribute"] = .string(attribute)
    return try SessionWidget(
      [
        "key": .string("fallback:\(attribute)"), "type": fallback["type"] ?? "",
        "options": .object(options),
      ], owner: key)
  }

  private static func widget(_ type: String, _ options: JSON) throws -> (any SearchWidget)? {
    let attribute = options["attribute"]?.stringValue ?? ""
    let limit = options["limit"]?.intValue ?? 10
    let showMoreLimit =
      options["showMore"] == true ? options["showMoreLimit"]?.intValue ?? 20 : nil
    let sortBy = [FacetSortCriterion](vector: options["sortBy"])
    switch type {
    case "searchBox": return SearchBox()
    case "stats": return SearchStats()
    case "relevantSort": return RelevantSort()
    case "pagination":
      return Pagination(
        padding: options["padding"]?.intValue ?? 3, totalPages: options["totalPages"]?.intValue)
    case "refinementList":
      return FacetList(
        attribute: attribute, operator: options["operator"] == "and" ? .and : .or, limit: limit,
        showMoreLimit: showMoreLimit, sortBy: sortBy)
    case "menu":
      return FacetMenu(
        attribute: attribute, limit: limit, showMoreLimit: showMoreLimit, sortBy: sortBy)
    case "hierarchicalMenu":
      return HierarchicalMenu(
        HierarchicalFacet(vector: options), limit: limit, showMoreLimit: showMoreLimit,
        sortBy: sortBy)
    case "breadcrumb": return Breadcrumb(HierarchicalFacet(vector: options))
    case "range":
      return NumberRange(
        attribute: attribute, min: options["min"]?.doubleValue, max: options["max"]?.doubleValue,
        precision: options["precision"]?.intValue ?? 0)
    case "ratingMenu":
      return RatingMenu(attribute: attribute, max: options["max"]?.intValue ?? 5)
    case "toggleRefinement":
      return FilterToggle(
        attribute: attribute, on: options["on"].map(texts) ?? ["true"],
        off: options["off"].map(texts) ?? [])
    case "numericMenu":
      let items = (options["items"]?.arrayValue ?? []).map {
        NumericMenu.Item(
          $0["label"]?.stringValue ?? "", start: $0["start"]?.doubleValue,
          end: $0["end"]?.doubleValue)
      }
      // Ours refuses inverted items.
      return NumericMenu(
        attribute: attribute, items: items.filter { !Self.isInverted($0.bounds) })
    case "sortBy":
      return SortBy(
        (options["items"]?.arrayValue ?? []).map {
          SortBy.Item(
            $0["label"]?.stringValue ?? "", indexName: $0["value"]?.stringValue ?? "")
        })
    case "hitsPerPage":
      let items = options["items"]?.arrayValue ?? []
      return HitsPerPage(
        items.map {
          HitsPerPage.Item($0["label"]?.stringValue ?? "", count: $0["value"]?.intValue ?? 0)
        }, default: items.first { $0["default"] == true }?["value"]?.intValue ?? 0)
    case "currentRefinements": return CurrentFilters(attributes(options))
    case "clearRefinements": return FilterClear(attributes(options))
    case "configure":
      let (parameters, facets) = try configuration(options["searchParameters"])
      return Configure(parameters, disjunctiveFacets: facets)
    case "queryRules":
      let tracked = (options["trackedFilters"]?.objectValue ?? [:]).mapValues {
        $0 == "all" ? RuleContexts.Tracked.all : .only(Set(texts($0)))
      }
      return RuleContexts(
        tracked: tracked, additional: options["transformRuleContexts"]?["append"]?.strings ?? [])
    case "infiniteHits": return InfiniteHits(of: JSON.self)
    case "geoSearch":
      return GeoSearch(
        of: JSON.self, refinesOnMapMove: options["enableRefineOnMapMove"]?.boolValue ?? true)
    case "dynamicWidgets":
      let inner = try (options["widgets"]?.arrayValue ?? []).map { try SessionWidget($0) }
      return DynamicFacets(
        managing: Set(inner.compactMap(\.facet)),
        facets: options["facets"]?.strings ?? ["*"],
        maxValuesPerFacet: options["maxValuesPerFacet"]?.intValue ?? 20)
    default: return nil
    }
  }

  /// The parameters and the declared facets of Configure. For the refinements among them, see
  /// `SessionPlayer.refineByConfiguration()`.
  private static func configuration(_ json: JSON?) throws -> (SearchQuery, Set<String>) {
    let json = json ?? [:]
    let parameters = json.leavingOut(["disjunctiveFacets", "facetsExcludes", "tagRefinements"])
    return (
      try parameters.decode(SearchQuery.self), Set(json["disjunctiveFacets"]?.strings ?? [])
    )
  }

  private static func attributes(_ options: JSON) -> FilteredAttributes {
    if let included = options["includedAttributes"]?.strings { return .only(Set(included)) }
    return options["excludedAttributes"].map { .allExcept(Set($0.strings)) } ?? .allButQuery
  }

  /// A value or a list of values, as text.
  private static func texts(_ json: JSON) -> [String] {
    (json.arrayValue ?? [json]).map { $0.stringValue ?? "\($0)" }
  }

  // MARK: Verbs

  /// Performs the action of a recorded verb on a screen.
  func perform(_ verb: String, _ args: [JSON], on screen: inout SearchScreen) throws {
    func apply(_ action: WidgetAction<some SearchWidget>) throws { try screen.perform(action) }
    func missing(_ name: String) -> VectorFiles.Unreadable {
      VectorFiles.Unreadable(description: "\(key) has no \(name) for \(verb) \(args)")
    }
    let text = args.first?.stringValue
    let number = args.first?.doubleValue
    switch widget {
    case let widget as SearchBox:
      try apply(verb == "clear" ? widget.clear() : widget.setQuery(text ?? ""))
    case let widget as FacetList where verb == "searchForItemsRace":
      for text in args.first?.strings ?? [] { try apply(widget.search(text)) }
    case let widget as FacetList:
      try apply(
        verb == "toggleShowMore"
          ? widget.toggleShowMore()
          : verb == "searchForItems"
            ? widget.search(text ?? "") : widget.toggle((text ?? "").unescapedFacetValue))
    case let widget as FacetMenu:
      try apply(
        verb == "toggleShowMore"
          ? widget.toggleShowMore()
          : widget.select(text == "" ? nil : text?.unescapedFacetValue))
    case let widget as HierarchicalMenu:
      try apply(
        verb == "toggleShowMore"
          ? widget.toggleShowMore() : widget.toggle((text ?? "").unescapedFacetValue))
    case let widget as Breadcrumb:
      // InstantSearch.js removes the part of the path that begins with the next value.
      let next = text?.unescapedFacetValue
      try apply(widget.show(next.flatMap(widget.hierarchy.parent)))
    case let widget as NumberRange:
      let bounds = JSON.array(args.first?.arrayValue ?? args)
      try apply(widget.set(bounds[0]?.bound, bounds[1]?.bound))
    case let widget as RatingMenu:
      try apply(widget.toggle(Int(text ?? "") ?? Int(number ?? 0)))
    case let widget as FilterToggle:
      let isOn =
        args.first?["isRefined"]?.boolValue ?? screen.view(of: widget).isOn
      try apply(widget.set(!isOn))
    case let widget as NumericMenu:
      let bounds = Self.bounds(text ?? "")
      guard let position = widget.items.firstIndex(where: { $0.bounds == bounds }) else {
        throw missing("item")
      }
      try apply(widget.select(position))
    case let widget as HitsPerPage: try apply(widget.select(Int(number ?? 0)))
    case let widget as Pagination: try apply(widget.show(Int(number ?? 0)))
    case let widget as SortBy: try apply(widget.select(text ?? ""))
    case let widget as RelevantSort:
      try apply(widget.refine(strictness: number.map { Int($0) }))
    case let widget as FilterClear: try apply(widget.clear())
    case let widget as Configure:
      let (parameters, facets) = try Self.configuration(args.first)
      try apply(widget.set(parameters, disjunctiveFacets: facets))
    case let widget as CurrentFilters:
      let items = screen.view(of: widget).groups.flatMap(\.items)
      guard let item = items.first(where: { $0.isRecorded(as: args.first ?? [:]) }) else {
        throw missing("refinement")
      }
      try apply(widget.remove(item))
    case let widget as InfiniteHits<JSON>:
      try apply(verb == "showPrevious" ? widget.showPrevious() : widget.showMore())
    case let widget as GeoSearch<JSON>:
      switch verb {
      case "clearMapRefinement": try apply(widget.clearMapRefinement())
      case "toggleRefineOnMapMove": try apply(widget.toggleRefineOnMapMove())
      case "setMapMoveSinceLastRefine":
        try apply(widget.setMapMoveSinceLastRefine())
      default:
        guard
          let corners = IndexUIState.MapCorners(
            northEast: try (args.first?["northEast"] ?? [:]).decode(Point.self),
            southWest: try (args.first?["southWest"] ?? [:]).decode(Point.self))
        else { throw missing("box") }
        try apply(widget.refine(corners))
      }
    default: throw missing("action")
    }
  }

  private static func isInverted(_ bounds: NumberBounds) -> Bool {
    if let lower = bounds.lower, let upper = bounds.upper { lower > upper } else { false }
  }

  /// Whether the value of an item of a numeric menu is an inverted range.
  static func isInverted(_ value: JSON?) -> Bool {
    bounds(value?.stringValue ?? "").map(isInverted) ?? false
  }

  /// The bounds of a value of a numeric menu, which is percent-encoded JSON.
  private static func bounds(_ text: String) -> NumberBounds? {
    guard let json = try? JSON(parsing: text.removingEscapes) else { return nil }
    return NumberBounds(lower: json["start"]?.doubleValue, upper: json["end"]?.doubleValue)
  }
}

extension JSON {
  /// A recorded bound; text is parsed, as an application does.
  var bound: Double? {
    guard let text = stringValue else { return doubleValue }
    if text == "nan" { return .nan }
    VectorReport.current.excuse(.textBound)
    return text.isEmpty ? nil : Double(text) ?? .nan
  }
}

extension String {
  /// The text with the percent escapes of a numeric menu decoded.
  fileprivate var removingEscapes: String {
    replacing("%7B", with: "{").replacing("%7D", with: "}").replacing("%22", with: "\"")
  }
}

extension CurrentFilters.Item {
  /// Whether a recorded refinement is this one.
  func isRecorded(as json: JSON) -> Bool {
    attribute == json["attribute"]?.stringValue && kindName == json["type"]?.stringValue
      && (json["operator"] == nil || json["operator"]?.stringValue == self.operator?.rawValue)
      && value
        == (json["value"]?.stringValue?.unescapedFacetValue
          ?? json["value"].map { "\($0)" } ?? "")
  }

  var kindName: String {
    switch kind {
    case .facet: "facet"
    case .excluded: "exclude"
    case .disjunctive: "disjunctive"
    case .hierarchical: "hierarchical"
    case .numeric: "numeric"
    case .tag: "tag"
    case .query: "query"
    }
  }
}
