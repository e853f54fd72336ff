import AsyncInstantSearch

/// A widget of a recorded session.
struct SessionWidget {
  let key: String
  let type: String
  private(set) var options: JSON
  /// `nil` for a widget that has no counterpart as a value.
  private(set) var widget: (any Widget)?
  var isShowingMore = false

  /// The types of widgets whose sessions are not compared yet.
  static let unsupported: Set<String> = ["infiniteHits", "geoSearch", "dynamicWidgets"]

  init(_ json: JSON) throws {
    key = json["key"]?.stringValue ?? ""
    type = json["type"]?.stringValue ?? ""
    options = json["options"] ?? [:]
    widget = try Self.widget(type, options)
  }

  private static func widget(_ type: String, _ options: JSON) throws -> (any Widget)? {
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
      return try FacetList(
        attribute: attribute, operator: options["operator"] == "and" ? .and : .or, limit: limit,
        showMoreLimit: showMoreLimit, sortBy: sortBy)
    case "menu":
      return try FacetMenu(
        attribute: attribute, limit: limit, showMoreLimit: showMoreLimit, sortBy: sortBy)
    case "hierarchicalMenu":
      return try HierarchicalMenu(
        HierarchicalFacet(vector: options), limit: limit, showMoreLimit: showMoreLimit,
        sortBy: sortBy)
    case "breadcrumb": return try Breadcrumb(HierarchicalFacet(vector: options))
    case "range":
      return try NumberRange(
        attribute: attribute, min: options["min"]?.doubleValue, max: options["max"]?.doubleValue,
        precision: options["precision"]?.intValue ?? 0)
    case "ratingMenu":
      return try RatingMenu(attribute: attribute, max: options["max"]?.intValue ?? 5)
    case "toggleRefinement":
      return try FilterToggle(
        attribute: attribute, on: options["on"].map(texts) ?? ["true"],
        off: options["off"].map(texts) ?? [])
    case "numericMenu":
      return try NumericMenu(
        attribute: attribute,
        items: (options["items"]?.arrayValue ?? []).map {
          NumericMenu.Item(
            $0["label"]?.stringValue ?? "", start: $0["start"]?.doubleValue,
            end: $0["end"]?.doubleValue)
        })
    case "sortBy":
      return try SortBy(
        (options["items"]?.arrayValue ?? []).map {
          SortBy.Item(
            $0["label"]?.stringValue ?? "", indexName: $0["value"]?.stringValue ?? "")
        })
    case "hitsPerPage":
      let items = options["items"]?.arrayValue ?? []
      return try HitsPerPage(
        items.map {
          HitsPerPage.Item($0["label"]?.stringValue ?? "", count: $0["value"]?.intValue ?? 0)
        }, default: items.first { $0["default"] == true }?["value"]?.intValue ?? 0)
    case "currentRefinements": return CurrentFilters(attributes(options))
    case "clearRefinements": return FilterClear(attributes(options))
    case "configure":
      var parameters = options["searchParameters"]?.objectValue ?? [:]
      let facets = parameters.removeValue(forKey: "disjunctiveFacets")?.strings ?? []
      return Configure(
        try JSON.object(parameters).decode(SearchQuery.self), disjunctiveFacets: facets)
    case "queryRules":
      let tracked = (options["trackedFilters"]?.objectValue ?? [:]).mapValues {
        $0 == "all" ? RuleContexts.Tracked.all : .only(Set(texts($0)))
      }
      return RuleContexts(
        tracked: tracked, additional: options["transformRuleContexts"]?["append"]?.strings ?? [])
    default: return nil
    }
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

  /// Replaces the parameters of a configuration.
  mutating func configure(_ parameters: JSON) throws {
    options = ["searchParameters": parameters]
    widget = try Self.widget(type, options)
  }

  /// The action of a recorded verb; `nil` if it changes nothing of the search.
  func action(_ verb: String, _ args: [JSON], in state: IndexState) -> WidgetAction? {
    let text = args.first?.stringValue
    func number(_ position: Int) -> Double? {
      switch args.indices.contains(position) ? args[position] : .null {
      case .string(let text): text.isEmpty ? nil : Double(text) ?? .nan
      case let json: json.doubleValue
      }
    }
    switch widget {
    case let widget as SearchBox:
      return verb == "clear" ? widget.clear() : widget.setQuery(text ?? "")
    case let widget as FacetList: return widget.toggle((text ?? "").unescapedFacetValue)
    case let widget as FacetMenu:
      return widget.select(text == "" ? nil : text?.unescapedFacetValue)
    case let widget as HierarchicalMenu: return widget.toggle((text ?? "").unescapedFacetValue)
    case let widget as Breadcrumb:
      // InstantSearch.js removes the part of the path that begins with the next value.
      let next = text?.unescapedFacetValue
      return widget.show(next.flatMap(widget.hierarchy.parent))
    case let widget as NumberRange:
      let bounds = args.first?.arrayValue ?? args
      func bound(_ position: Int) -> Double? {
        switch bounds.indices.contains(position) ? bounds[position] : .null {
        case .string("nan"): .nan
        case .string(let text): text.isEmpty ? nil : Double(text) ?? .nan
        case let json: json.doubleValue
        }
      }
      return widget.set(bound(0), bound(1))
    case let widget as RatingMenu: return widget.toggle(Int(text ?? "") ?? Int(number(0) ?? 0))
    case let widget as FilterToggle: return widget.set(args.first?["isRefined"] != true)
    case let widget as NumericMenu:
      let bounds = Self.bounds(text ?? "")
      let position = widget.items.firstIndex { $0.bounds == bounds }
      return position.map(widget.select)
    case let widget as HitsPerPage: return widget.select(Int(number(0) ?? 0))
    case let widget as Pagination: return widget.show(Int(number(0) ?? 0))
    case let widget as SortBy: return widget.select(text ?? "")
    case let widget as RelevantSort: return widget.refine(strictness: number(0).map { Int($0) })
    case let widget as FilterClear: return widget.clear()
    case let widget as CurrentFilters:
      let recorded = args.first ?? [:]
      let items = CurrentFilters(.allExcept([]))
        .view(WidgetContext(state: state, results: nil, memory: NoMemory())).groups
        .flatMap(\.items)
      return items.first { $0.isRecorded(as: recorded) }.map(widget.remove)
    default: return nil
    }
  }

  /// The bounds of a value of a numeric menu, which is percent-encoded JSON.
  static func bounds(_ text: String) -> NumberBounds? {
    guard let json = try? JSON(parsing: text.removingEscapes) else { return nil }
    return NumberBounds(lower: json["start"]?.doubleValue, upper: json["end"]?.doubleValue)
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
