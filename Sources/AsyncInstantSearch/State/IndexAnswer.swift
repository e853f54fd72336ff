/// A record that is not read.
public struct UnreadRecord: Decodable, Sendable {
  /// Reads nothing.
  public init(from decoder: any Decoder) {}
}

/// The parts of a response that widgets show.
struct IndexAnswer: Sendable {
  var state: IndexState
  var page: HitsPage<UnreadRecord>
  var counts: FacetCounts

  /// The parts of a response to a search without widgets.
  init(_ page: HitsPage<UnreadRecord>, of request: SearchRequest<JSON>) {
    state = IndexState(request)
    self.page = page
    counts = FacetCounts(of: page)
  }

  /// Merges the responses to the queries of a search.
  ///
  /// - Parameters:
  ///   - page: The response to the query for hits.
  ///   - others: The responses to the other queries, in order.
  ///   - addsMissing: Whether to add refined values that no response has, with count 0.
  init(
    _ page: HitsPage<UnreadRecord>, _ others: [HitsPage<UnreadRecord>],
    of search: WidgetSearch, to queries: IndexQueries, addsMissing: Bool = true
  ) {
    state = search.state
    self.page = page
    counts = FacetCounts(of: page)
    var counted: [String] = []
    for (query, other) in zip(queries.facetQueries, others) {
      counts.merge(FacetCounts(of: other), for: query.purpose, of: search.state)
      self.page.processingTimeMS = self.page.processingTimeMS.addingUpToMaximum(
        other.processingTimeMS)
      if case .facet(let name) = query.purpose { counted.append(name) }
    }
    if addsMissing {
      counts.addMissing(of: search.state, parameters: search.parameters, counted: counted)
    }
    self.page.facets = counts.facets
    self.page.facetStats = counts.stats
  }
}

/// The state that is searched, and what its widgets need from the search.
package struct WidgetSearch: Sendable, Hashable {
  package var state: IndexState
  package var parameters: WidgetParameters

  package init(state: IndexState, parameters: WidgetParameters) {
    self.state = state
    self.parameters = parameters
  }
}

extension WidgetSearch {
  /// The search with what it inherits from that of the screen around it: everything that it does
  /// not have itself.
  func inheriting(_ outer: WidgetSearch) -> WidgetSearch {
    var search = self
    search.state.query = outer.state.query.merging(state.query)
    search.state.query.ruleContexts = Self.united(
      outer.state.query.ruleContexts, state.query.ruleContexts)
    search.state.filters = outer.state.filters.overridden(by: state.filters)
    search.parameters = parameters.inheriting(outer.parameters)
    return search
  }

  private static func united(_ first: [String]?, _ second: [String]?) -> [String]? {
    guard let first, let second else { return first ?? second }
    return first + second.filter { !first.contains($0) }
  }
}

extension Int {
  /// The sum, or the largest number if the sum is larger.
  func addingUpToMaximum(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
