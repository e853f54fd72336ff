/// The merged results of one search of an index, as widgets show them.
public struct IndexResults: Sendable {
  private let answer: SearchAnswer

  package init(_ answer: SearchAnswer) {
    self.answer = answer
  }

  /// The number of the searcher's search, ascending; 0 without a searcher.
  public var generation: UInt64 { answer.generation }

  /// The state that was searched. ``IndexState/opened`` is empty, because it does not belong to a
  /// search.
  public var state: IndexState { IndexState(answer.request) }

  /// The query for hits that was sent.
  public var query: SearchQuery { answer.plan.hitsQuery }

  /// The page without its records.
  public var page: HitsPage<UnreadRecord> { answer.unreadPage }

  /// The facets.
  public var counts: FacetCounts { answer.counts }

  /// Returns the page with records of a type.
  ///
  /// They are decoded once, when a type is used for the first time.
  public func page<Record: Decodable & Sendable>(of type: Record.Type) -> HitsPage<Record> {
    answer.readPage(of: type)
  }

  /// The search that was answered.
  package var plan: SearchPlan { answer.plan }

  /// Whether these are the results of the same answer.
  package func isSameAnswer(as other: IndexResults) -> Bool { answer === other.answer }

  /// The facets that the results list, in the order of the server.
  var listedFacets: [String] { answer.renderingContent?.facetOrdering?.facets?.order ?? [] }

  /// The server's order of the values of a facet; `nil` if it has none.
  func valuesOrder(of facet: String) -> FacetValuesOrder? {
    answer.renderingContent?.facetOrdering?.values[facet]
  }
}

extension SearchAnswer {
  /// The merged results, as widgets show them.
  public var results: IndexResults { IndexResults(self) }
}
