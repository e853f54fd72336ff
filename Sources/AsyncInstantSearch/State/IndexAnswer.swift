/// A record that is not read.
public struct UnreadRecord: Decodable, Sendable {
  /// Reads nothing.
  public init(from decoder: any Decoder) {}
}

/// The parts of a response that widgets show. All of them share one object.
final class IndexAnswer: Sendable {
  /// The state that was searched.
  let state: IndexState
  /// The page without its records.
  let page: HitsPage<UnreadRecord>
  /// The merged facets.
  let counts: FacetCounts

  init(_ page: HitsPage<UnreadRecord>, _ counts: FacetCounts, of state: IndexState) {
    self.state = state
    self.page = page
    self.counts = counts
  }

  /// The parts of a response to a search without widgets.
  convenience init(_ page: HitsPage<UnreadRecord>, of request: SearchRequest<JSON>) {
    self.init(page, FacetCounts(of: page), of: IndexState(request))
  }

  /// Merges the responses to the queries of a search.
  ///
  /// - Parameters:
  ///   - page: The response to the query for hits.
  ///   - others: The responses to the other queries, in order.
  ///   - addsMissing: Whether to add refined values that no response has, with count 0.
  convenience init(
    _ page: HitsPage<UnreadRecord>, _ others: [HitsPage<UnreadRecord>],
    of search: WidgetSearch, to queries: IndexQueries, addsMissing: Bool = true
  ) {
    var page = page
    var counts = FacetCounts(of: page)
    var counted: [String] = []
    // Also the values that widgets add are chosen.
    let state = search.completed
    for (query, other) in zip(queries.facetQueries, others) {
      counts.merge(FacetCounts(of: other), for: query.purpose, of: state)
      page.processingTimeMS = page.processingTimeMS.addingUpToMaximum(other.processingTimeMS)
      if case .facet(let name) = query.purpose { counted.append(name) }
    }
    if addsMissing {
      counts.addMissing(of: state, parameters: search.parameters, counted: counted)
    }
    page.facets = counts.facets
    page.facetStats = counts.stats
    self.init(page, counts, of: search.state)
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
  /// The state with what widgets add to it.
  var completed: IndexState { parameters.completing(state) }

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
