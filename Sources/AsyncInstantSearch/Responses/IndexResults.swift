/// The merged results of one search of an index, as widgets show them.
public struct IndexResults: Sendable {
  /// The number of the searcher's search, ascending; 0 without a searcher.
  public let generation: UInt64
  private let answer: IndexAnswer
  /// The response with the records.
  private let response: HitsResponse?

  /// Creates results without records. By default their state is that of no index.
  package init(
    page: HitsPage<UnreadRecord>, counts: FacetCounts, of state: IndexState = IndexState("")
  ) {
    answer = IndexAnswer(page, counts, of: state)
    generation = 0
    response = nil
  }

  init(_ answer: IndexAnswer, of response: HitsResponse) {
    self.answer = answer
    generation = response.generation
    self.response = response
  }

  /// The state that was searched.
  public var state: IndexState { answer.state }

  /// The page without its records.
  public var page: HitsPage<UnreadRecord> { answer.page }

  /// The facets.
  public var counts: FacetCounts { answer.counts }

  /// Returns the page with records of a type; `nil` if there are no records.
  ///
  /// They are decoded once, when a type is used for the first time.
  public func page<Record: Decodable & Sendable>(of type: Record.Type) -> HitsPage<Record>? {
    response?.readPage(of: type)
  }

  /// The query for hits that was sent; `nil` for results without records, and without widgets.
  public var query: SearchQuery? { response?.search?.queries.hitsQuery }

  /// The state that was searched, with what its widgets needed.
  package var search: WidgetSearch {
    response?.search?.widgets ?? WidgetSearch(state: state, parameters: WidgetParameters())
  }

  /// Whether these are the results of the same response.
  package func isSameResponse(as other: IndexResults) -> Bool { response === other.response }

  /// The server's order of the values of a facet; `nil` if it has none.
  func valuesOrder(of facet: String) -> FacetValuesOrder? {
    page.renderingContent?.facetOrdering?.values[facet]
  }
}
