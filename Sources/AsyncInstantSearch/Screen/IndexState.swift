/// The state of a search in one index: the typed text, the selections and the refinements.
///
/// Widgets show a state and change it. Together with the declarations of the widgets it determines
/// the search; see `SearchNeeds`.
public struct IndexState: Sendable, Hashable, Codable {
  /// The index, or the replica that sorts its records.
  public var indexName: String
  /// The text, the page, counted from 0, and all parameters that are sent as they are.
  public var query: SearchQuery
  /// The refinements.
  public var filters: FilterGroups
  /// The parts that the user has opened, and what actions have set in place of the parameters of a
  /// ``Configure``. They are not encoded; see ``UIState``.
  public var opened = OpenedParts()

  /// Creates a state. By default nothing is typed, selected, refined or opened.
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

/// The parts of a screen that a user has opened. They survive a reload.
public struct OpenedParts: Sendable, Hashable {
  /// The facets of which more values are shown.
  public var showMore: Set<String> = []
  /// The texts for which values of facets are searched, by attribute. Another search ends them.
  public var facetQueries: [String: String] = [:]
  /// The opened parts of other widgets, by their names in the state of the user interface.
  public var additional: [String: RouteValue] = [:]
  /// Overrides for ``Configure`` widgets, keyed by their initial parameters.
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

  /// The name of the opened part of an ``Autocomplete``.
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

extension IndexState {
  /// The state, with the defaults that the widgets need where the state has no value.
  func completed(by needs: SearchNeeds) -> IndexState {
    var state = self
    needs.complete(&state.query, &state.filters)
    return state
  }

  /// Adds everything that the state does not have itself.
  mutating func inherit(_ outer: IndexState) {
    let contexts = [outer.query.ruleContexts, query.ruleContexts].compactMap(\.self)
    query = outer.query.merging(query)
    query.ruleContexts = contexts.reduce(nil) { all, next in
      (all ?? []) + next.filter { all?.contains($0) != true }
    }
    filters = outer.filters.overridden(by: filters)
  }

  /// Refines the state, and returns to its first page.
  public mutating func refine<Failure: Error>(
    _ change: (inout IndexState) throws(Failure) -> Void
  ) throws(Failure) {
    try change(&self)
    if query.page != nil { query.page = 0 }
    if query.offset != nil { query.offset = 0 }
  }

  /// Whether a state makes the same search. A missing page equals the first page, and a missing
  /// text equals an empty text.
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
    filters.filters(of: attribute, operator: `operator`)
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
    filters.path(of: hierarchy)
  }

  /// Refines by a path of a hierarchy. `nil` removes the refinement, and so does a path that is not
  /// below the root path of the hierarchy: then its root limits the search.
  public mutating func setPath(_ path: String?, of hierarchy: HierarchicalFacet) {
    let isRefined = path.map { hierarchy.isBelowRoot($0) && $0 != hierarchy.rootPath } ?? false
    filters.filter(by: isRefined ? path : nil, of: hierarchy)
  }
}

// MARK: - Refinements by numbers

extension IndexState {
  /// The number of the first comparison of an attribute with an operator, which can be a bound of a
  /// range; `nil` without one.
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

extension SearchRequest {
  /// Creates the request of a state.
  init(_ state: IndexState) {
    self.init(state.indexName, state.query, filterGroups: state.filters)
  }
}
