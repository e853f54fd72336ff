public import InstantSearchAPI
import InstantSearchJSON

/// How well an index answers judged queries.
///
/// ```swift
/// let report = try await RelevanceReport(of: queries, in: "films", over: engine)
/// #expect(report.mean.nDCG >= 0.9, "\(report)")
/// ```
///
/// Use it in a test that guards the settings of an index, and to compare two settings. Its
/// description is a table.
public struct RelevanceReport: Sendable, Hashable {
  /// The hits and the scores of one query.
  public struct Result: Sendable, Hashable {
    /// The query with its grades.
    public let query: JudgedQuery
    /// The IDs of the first hits.
    public let objectIDs: [String]
    /// How well they agree with the grades.
    public let scores: RelevanceScores
  }

  /// The number of hits that count.
  public let depth: Int
  /// One result for each query, in order.
  public let results: [Result]
  /// The means of the scores.
  public let mean: RelevanceScores

  /// Runs the queries, one after another.
  ///
  /// - Parameters:
  ///   - queries: The queries, at least one.
  ///   - indexName: The index.
  ///   - transport: The engine or service that answers.
  ///   - parameters: Parameters for all queries. The context of a query overrides them. None by
  ///     default.
  ///   - depth: The number of hits that count, 1 to 1,000. Defaults to 10.
  /// - Throws: `SearchError` with code `invalidRequest` for queries without a relevant record or
  ///   another depth, or the error of the first search that fails.
  public init(
    of queries: [JudgedQuery], in indexName: String, over transport: any SearchTransport,
    parameters: SearchQuery = SearchQuery(), depth: Int = 10
  ) async throws(SearchError) {
    guard !queries.isEmpty else {
      throw SearchError(.invalidRequest, "There are no judged queries")
    }
    guard (1...1000).contains(depth) else {
      throw SearchError(.invalidRequest, "The depth is \(depth), expected 1 to 1000")
    }
    for query in queries { try query.check() }
    var results: [Result] = []
    for query in queries {
      var search = parameters.merging(query.context)
      search.query = query.query
      search.page = 0
      search.hitsPerPage = depth
      search.responseFields = nil
      search.offset = nil
      search.length = nil
      search.attributesToRetrieve = []
      search.attributesToHighlight = []
      search.attributesToSnippet = []
      let page = try await transport.page(of: search, in: indexName)
      let objectIDs = page.hits.compactMap { $0["objectID"]?.stringValue }
      results.append(
        Result(
          query: query, objectIDs: objectIDs,
          scores: RelevanceScores(objectIDs, grades: query.grades, depth: depth)))
    }
    self.depth = depth
    self.results = results
    mean = RelevanceScores.mean(of: results.map(\.scores))
  }
}

extension RelevanceReport: CustomStringConvertible {
  /// A table with one row for each query, and the means.
  public var description: String {
    let rows = results.map { [$0.query.title] + $0.scores.cells }
    let head = ["first \(depth)"] + RelevanceScores.columns
    return table(of: [head] + rows + [["mean"] + mean.cells]).joined(separator: "\n")
  }
}

extension JudgedQuery {
  /// The text and the context, in one line.
  var title: String {
    guard !context.isEmpty else { return query.inOneLine }
    return "\(query) \((try? JSON(encoding: context).text) ?? "")".inOneLine
  }
}
