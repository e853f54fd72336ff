/// The state of a search in one index: what was typed, chosen and refined.
///
/// Widgets show a state and change it. It determines the search together with what the widgets
/// declare; see ``WidgetParameters``.
public struct IndexState: Sendable, Hashable, Codable {
  /// The index, or the replica that sorts its records.
  public var indexName: String
  /// The text, the page, counted from 0, and all parameters that are sent as they are.
  public var query: SearchQuery
  /// The refinements.
  public var filters: FilterGroups
  /// What the user has opened. It changes what is shown, and not which records are found. It is not
  /// encoded; see ``UIState``.
  public var opened = OpenedParts()

  /// Creates a state. By default nothing is typed, chosen, refined or opened.
  public init(
    _ indexName: String, query: SearchQuery = SearchQuery(), filters: FilterGroups = FilterGroups(),
    opened: OpenedParts = OpenedParts()
  ) {
    self.indexName = indexName
    self.query = query
    self.filters = filters
    self.opened = opened
  }

  private enum CodingKeys: CodingKey {
    case indexName, query, filters
  }

  /// Creates the state of a request.
  package init(_ request: SearchRequest<some Decodable & Sendable>) {
    self.init(request.indexName, query: request.query, filters: request.filterGroups)
  }
}

/// What a user has opened on a screen: it survives a reload, and needs no other search.
public struct OpenedParts: Sendable, Hashable {
  /// The facets of which more values are shown.
  public var showMore: Set<String> = []
  /// The texts for which values of facets are searched, by attribute. Another search ends them.
  public var facetQueries: [String: String] = [:]
  /// What other widgets have opened, by the name that it has in the state of the user interface.
  public var additional: [String: RouteValue] = [:]
  /// What replaces the initial parameters of a ``Configure``, by those.
  var configured: [Parameters: Parameters] = [:]

  /// Parameters that are sent with every search.
  public struct Parameters: Sendable, Hashable {
    /// The parameters.
    public var parameters: SearchQuery
    /// The facets that are counted without their own filters.
    public var disjunctiveFacets: Set<String>
  }

  /// Creates parts with nothing opened.
  public init() {}

  /// The name of what an ``Autocomplete`` has opened.
  static let autocompleteName = "autocomplete"

  /// Ends the searches for values of facets and for suggestions that earlier parts have, too.
  mutating func endSearches(of earlier: OpenedParts) {
    for (attribute, text) in earlier.facetQueries where facetQueries[attribute] == text {
      facetQueries[attribute] = nil
    }
    if additional[Self.autocompleteName] == earlier.additional[Self.autocompleteName] {
      additional[Self.autocompleteName] = nil
    }
  }
}

extension SearchQuery {
  /// The query as it is compared: the first page and no text are the defaults, which a state that
  /// was read from a URL writes out.
  var withoutEmptyValues: SearchQuery {
    if query != "", page != 0 { return self }
    var copy = self
    if query == "" { copy.query = nil }
    if page == 0 { copy.page = nil }
    return copy
  }
}

extension IndexState {
  /// Refines the state, and returns to its first page.
  public mutating func refine<Failure: Error>(
    _ change: (inout IndexState) throws(Failure) -> Void
  ) throws(Failure) {
    try change(&self)
    if query.page != nil { query.page = 0 }
    if query.offset != nil { query.offset = 0 }
  }

  /// Whether a state makes the same search. The first page is the default, and so is no text.
  package func isSameSearch(as other: IndexState) -> Bool {
    indexName == other.indexName && filters == other.filters
      && opened.configured == other.opened.configured
      && query.withoutEmptyValues == other.query.withoutEmptyValues
  }
}

// MARK: - Refinements by facets

extension IndexState {
  /// Returns the values of a facet that are refined, sorted. Negated values are not included.
  public func values(of attribute: String, operator: FacetOperator) -> [String] {
    filters(of: attribute, operator: `operator`).filter { !$0.isNegated }.map(\.value.text)
      .sorted(by: String.isBeforeInUTF16)
  }

  /// Returns the filters of a facet that are joined by an operator.
  public func filters(of attribute: String, operator: FacetOperator) -> [Filter.Facet] {
    switch `operator` {
    case .and: filters[and: attribute].compactMap(Filter.Facet.init).filter(on: attribute)
    case .or: filters[or: attribute].filter(on: attribute)
    }
  }

  /// Refines by a value of a facet, or no longer refines by it.
  public mutating func setRefined(
    _ isRefined: Bool, by value: String, of attribute: String, operator: FacetOperator
  ) {
    let existing = filters(of: attribute, operator: `operator`)
      .filter { !$0.isNegated && $0.value.text == value }
    switch (`operator`, isRefined, existing.isEmpty) {
    case (_, true, false), (_, false, true): return
    case (.and, true, true):
      filters[and: attribute].add(
        Filter.Facet(attribute: Attribute(attribute), stringValue: value).filter)
    case (.or, true, true):
      filters[or: attribute].add(
        Filter.Facet(attribute: Attribute(attribute), stringValue: value))
    case (.and, false, false): filters[and: attribute].remove(contentsOf: existing.map(\.filter))
    case (.or, false, false): filters[or: attribute].remove(contentsOf: existing)
    }
  }

  /// Replaces the values of a facet that are refined. Negated values stay.
  ///
  /// - Complexity: O(*n*) in the number of values.
  public mutating func setValues(
    _ values: [String], of attribute: String, operator: FacetOperator
  ) {
    let unwanted = filters(of: attribute, operator: `operator`).filter { !$0.isNegated }
    let wanted = values.map { Filter.Facet(attribute: Attribute(attribute), stringValue: $0) }
    switch `operator` {
    case .and:
      filters[and: attribute].remove(contentsOf: unwanted.map(\.filter))
      filters[and: attribute].add(contentsOf: wanted.map(\.filter))
    case .or:
      filters[or: attribute].remove(contentsOf: unwanted)
      filters[or: attribute].add(contentsOf: wanted)
    }
  }

  /// The path that is refined in a hierarchy; `nil` without one. In a hierarchy with a root path
  /// that is the root, unless a path below it is refined.
  public func path(of hierarchy: HierarchicalFacet) -> String? {
    let path = filters[hierarchical: hierarchy.name].path.last?.value.text
    guard let root = hierarchy.rootPath else { return path }
    return path.flatMap { hierarchy.isBelowRoot($0) ? $0 : nil } ?? root
  }

  /// Refines by a path of a hierarchy. `nil` removes the refinement, and so does a path that is not
  /// below the root path of the hierarchy: then its root limits the search.
  public mutating func setPath(_ path: String?, of hierarchy: HierarchicalFacet) {
    let isRefined = path.map { hierarchy.isBelowRoot($0) && $0 != hierarchy.rootPath } ?? false
    filter(by: isRefined ? path : nil, of: hierarchy)
  }

  /// Refines by a path of a hierarchy, which can be the root path.
  mutating func filter(by path: String?, of hierarchy: HierarchicalFacet) {
    let paths = path.map(hierarchy.paths) ?? []
    filters[hierarchical: hierarchy.name] =
      paths.isEmpty
      ? HierarchicalFilters()
      : HierarchicalFilters(
        attributes: hierarchy.attributes.map(Attribute.init(_:)),
        path: zip(hierarchy.attributes, paths).map {
          Filter.Facet(attribute: Attribute($0), stringValue: $1)
        })
  }
}

extension Sequence<Filter.Facet> {
  fileprivate func filter(on attribute: String) -> [Filter.Facet] {
    filter { $0.attribute.rawValue == attribute }
  }
}

// MARK: - Refinements by numbers

extension IndexState {
  /// The number of the first comparison of an attribute with an operator, which can be a bound of a
  /// range; `nil` if there is none.
  func number(
    _ sign: Filter.Numeric.Operator, on attribute: String, inGroup name: String? = nil
  ) -> Double? {
    for case .numeric(let filter) in filters[and: name ?? attribute]
    where filter.attribute.rawValue == attribute && !filter.isNegated {
      switch (filter.value, sign) {
      case (.comparison(sign, let number), _): return number
      case (.range(let range), .greaterOrEqual): return range.lowerBound
      case (.range(let range), .lessOrEqual): return range.upperBound
      default: continue
      }
    }
    return nil
  }

  /// The name of the group of a minimum rating, whose two comparisons are one refinement.
  static func ratingGroup(of attribute: String) -> String { "\(attribute) rating" }

  /// Refines by a comparison of an attribute with a number.
  mutating func addNumber(
    _ sign: Filter.Numeric.Operator, _ number: Double, on attribute: String
  ) {
    filters[and: attribute].add(Filter.Numeric(Attribute(attribute), sign, number))
  }

  /// Removes the numeric filters on an attribute.
  mutating func removeNumbers(on attribute: String) {
    let unwanted = filters[and: attribute].filter {
      $0.kind == .numeric && $0.attribute.rawValue == attribute
    }
    filters[and: attribute].remove(contentsOf: unwanted)
  }
}

/// How the refinements of one facet are joined.
public enum FacetOperator: String, Sendable, Hashable, Codable, CaseIterable {
  /// A record must have all values.
  case and
  /// A record must have one of the values.
  case or
}

/// A facet whose values are paths down a tree, with one attribute for each level.
///
/// ```swift
/// HierarchicalFacet(attributes: ["categories.lvl0", "categories.lvl1"])
/// // values: "Clothing", "Clothing > Men"
/// ```
public struct HierarchicalFacet: Sendable, Hashable, Codable {
  /// The name of the group of its filters.
  public var name: String
  /// The attributes of the levels, from the top.
  public var attributes: [String]
  /// The text between the segments of a path; `nil` if a value is always one segment, as in a menu.
  public var separator: String?
  /// The path below which the tree begins; `nil` for the whole tree.
  public var rootPath: String?
  /// Whether the tree includes the siblings of the refined values.
  public var showsParentLevel: Bool
  /// Whether the refined top value shows the number of all records below it, as the other top
  /// values do, and not that of the hits.
  public var persistsRootCount: Bool

  /// Creates a hierarchy.
  ///
  /// - Parameters:
  ///   - attributes: The attributes of the levels, from the top.
  ///   - separator: The text between the segments of a path. Defaults to `" > "`.
  ///   - rootPath: The path below which the tree begins. Defaults to the whole tree.
  ///   - showsParentLevel: Whether the tree includes the siblings of the refined values. Defaults
  ///     to `true`.
  ///   - persistsRootCount: Whether the refined top value shows the number of all records below it,
  ///     and not that of the hits. Defaults to `false`.
  ///   - name: The name of the group of its filters. Defaults to the attribute of the top level.
  public init(
    attributes: [String], separator: String? = " > ", rootPath: String? = nil,
    showsParentLevel: Bool = true, persistsRootCount: Bool = false, name: String? = nil
  ) {
    self.name = name ?? attributes.first ?? ""
    self.attributes = attributes
    self.separator = separator
    self.rootPath = rootPath
    self.showsParentLevel = showsParentLevel
    self.persistsRootCount = persistsRootCount
  }

  /// The segments of a path, at most one for each attribute: that of the last level has the rest of
  /// the path, because a name can contain the separator.
  func segments(of path: String) -> [String] {
    guard let separator, !separator.isEmpty else { return [path] }
    return path.split(
      separator: separator, maxSplits: max(0, attributes.count - 1),
      omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// The number of segments of a path.
  func depth(of path: String) -> Int { segments(of: path).count }

  /// The path with the segments.
  func path(_ segments: some Sequence<String>) -> String {
    segments.joined(separator: separator ?? "")
  }

  /// The number of segments of the root path.
  var rootDepth: Int { rootPath.map(depth) ?? 0 }

  /// Whether a path is the root path or below it.
  func isBelowRoot(_ path: String) -> Bool {
    rootPath.map { segments(of: path).starts(with: segments(of: $0)) } ?? true
  }

  /// The paths of all levels down to a path, from the top.
  func paths(to path: String) -> [String] {
    let segments = segments(of: path)
    return segments.indices.map { self.path(segments[...$0]) }
  }

  /// The path above a path; `nil` for a path of one segment.
  package func parent(of path: String) -> String? {
    let segments = segments(of: path)
    return segments.count > 1 ? self.path(segments.dropLast()) : nil
  }
}

extension String {
  /// Whether a text is before another by UTF-16 code units, which is the order of JavaScript.
  static func isBeforeInUTF16(_ first: String, _ second: String) -> Bool {
    comparedInUTF16(first, second) < 0
  }

  /// Compares two texts by UTF-16 code units: a negative number if the first is smaller, 0 if both
  /// are equal.
  static func comparedInUTF16(_ first: String, _ second: String) -> Int {
    var (others, isLonger) = (second.utf8.makeIterator(), false)
    for byte in first.utf8 {
      guard let other = others.next() else {
        isLonger = true
        break
      }
      if byte == other { continue }
      // UTF-8 has the same order, but that the four bytes of surrogates, which begin with F0 or
      // more, are before U+E000 to U+FFFF, which begin with EE or EF.
      if byte >= 0xEE, other >= 0xEE, (byte >= 0xF0) != (other >= 0xF0) {
        return byte >= 0xF0 ? -1 : 1
      }
      return byte < other ? -1 : 1
    }
    return isLonger ? 1 : others.next() == nil ? 0 : -1
  }
}
