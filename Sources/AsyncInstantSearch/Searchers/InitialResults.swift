import InstantSearchJSON

/// The results of searches, for another process that shows them without searching again.
///
/// A server renders a page with the results, and sends them along. The client restores them before
/// its first search:
///
/// ```swift
/// let data = try JSONEncoder().encode(InitialResults(results))  // on the server
/// searcher.restore(try JSONDecoder().decode(InitialResults.self, from: data))
/// searcher.setUIState(uiState, searchesOnChange: false)  // as in the URL of the page
/// searcher.submit()  // makes no request if the queries are equal
/// ```
public struct InitialResults: Sendable, Hashable, Codable {
  /// One query, as it is sent but without defaults, and its result.
  struct Entry: Sendable, Hashable, Codable {
    var indexName: String
    var query: String
    /// The text of the result, which keeps the server's order of facet values.
    var result: String
  }

  /// One request for recommendations, as it is sent, and its result.
  struct Recommendation: Sendable, Hashable, Codable {
    var request: String
    var result: String
  }

  private var entries: [Entry]
  private var recommendations: [Recommendation] = []

  /// Creates the results of a response of a searcher.
  public init(_ response: SearchAnswer) {
    entries = ([response] + response.nested).flatMap(\.entries)
  }

  /// Creates the results of several responses.
  public init(_ responses: some Sequence<SearchAnswer>) {
    entries = responses.flatMap { [$0] + $0.nested }.flatMap(\.entries)
  }

  /// The responses to queries; `nil` unless there is a result for each of them.
  func responses(
    to queries: [MultiQuery], options: JSONDecodingOptions
  ) -> MultiQueryResponses? {
    var results: [String] = []
    for case .hits(let indexName, let query) in queries {
      let text = query.withoutEmptyValues.text
      guard let entry = entries.first(where: { $0.indexName == indexName && $0.query == text })
      else { return nil }
      results.append(entry.result)
    }
    guard results.count == queries.count else { return nil }
    return MultiQueryResponses(
      results, options: options,
      context: CallContext(EndpointCall(.multiQuery, indexNames: queries.map(\.indexName))))
  }
}

// MARK: - Recommendations

extension InitialResults {
  /// Adds the responses to a request for recommendations.
  mutating func add(_ responses: [SearchAnswer], to queries: [RecommendQuery]) {
    for (query, response) in zip(queries, responses) {
      let recommendation = Recommendation(request: query.text, result: response.hits.text)
      if !recommendations.contains(recommendation) { recommendations.append(recommendation) }
    }
    // The same results are encoded to the same bytes.
    recommendations.sort { $0.request < $1.request }
  }

  /// The responses to requests for recommendations; `nil` unless there is a result for each.
  func responses(
    to queries: [RecommendQuery], options: JSONDecodingOptions
  ) -> MultiQueryResponses? {
    var results: [String] = []
    for query in queries {
      let text = query.text
      guard let found = recommendations.first(where: { $0.request == text }) else { return nil }
      results.append(found.result)
    }
    return MultiQueryResponses(
      results, options: options,
      context: CallContext(EndpointCall(.recommendations, indexNames: queries.map(\.indexName))))
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

  /// The query as it is sent.
  fileprivate var text: String { JSONWriter.text { write(to: &$0) } }
}

extension RecommendQuery {
  /// The request as it is sent.
  fileprivate var text: String { JSONWriter.text { write(to: &$0) } }
}

extension JSONWriter {
  fileprivate static func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(capacity: 256)
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension MultiQueryResponses {
  /// Creates the responses of a call from their texts; `nil` if these are not valid JSON.
  fileprivate init?(_ results: [String], options: JSONDecodingOptions, context: CallContext) {
    guard let document = try? JSONDocument(Array("[\(results.joined(separator: ","))]".utf8)),
      document.root.elements.count == results.count
    else { return nil }
    self.init(nodes: Array(document.root.elements), options: options, context: context)
  }
}

extension SearchAnswer {
  /// The queries of the search with their results.
  fileprivate var entries: [InitialResults.Entry] {
    zip(plan.queries, queryResults).map { query, result in
      InitialResults.Entry(
        indexName: plan.indexName, query: query.withoutEmptyValues.text, result: result.text)
    }
  }
}
