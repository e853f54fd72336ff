/// Several searches of one request, each with the queries that its facets need.
struct FacetedBatch {
  private struct Part {
    var request: SearchRequest<JSON>
    var queries: FacetQueries
    /// Where in the request the queries of this search begin.
    var position: Int
  }

  private let search: FacetedSearch
  /// Whether facets that are filtered by OR have queries of their own.
  var isDisjunctive: Bool { search.isDisjunctive }
  private var parts: [Part] = []
  /// The queries of all searches, in their order.
  private(set) var queries: [MultiQuery] = []

  /// A batch without searches.
  ///
  /// - Parameter isDisjunctive: Whether facets that are filtered by OR have queries of their own.
  init(isDisjunctive: Bool) {
    search = FacetedSearch(isDisjunctive: isDisjunctive, keepsSelected: true)
  }

  /// Adds a search behind the others.
  mutating func add(_ request: SearchRequest<some Decodable & Sendable>) {
    let request = request.reading(JSON.self)
    let part = Part(
      request: request, queries: search.queries(for: request), position: queries.count)
    parts.append(part)
    queries += part.queries.all(in: request.indexName)
  }

  /// The answers to the searches, in their order.
  ///
  /// - Throws: The error of the first search that has no answer.
  func contents(in answers: MultiQueryAnswers) throws(SearchError) -> [HitsContent] {
    var contents: [HitsContent] = []
    for part in parts {
      contents.append(
        try search.content(
          of: part.request, to: part.queries, in: answers, at: part.position))
    }
    return contents
  }
}
