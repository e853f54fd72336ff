@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import InstantSearchJSON

/// A record with its query and row.
struct Row: Codable, Sendable, Hashable {
  let text: String
  let row: Int
}

/// Responds to a search with rows of its text and filters.
func rows(
  _ request: TransportRequest, of nbHits: Int = 100, hitsPerPage: Int = 10
) throws -> TransportResponse {
  let body = try JSONDocument(request.body).root
  let query = body["query"]?.string ?? ""
  let text = query + (try JSON(parsing: request.body)["facetFilters"]?.text ?? "")
  let page = body["page"]?.int64.map { Int($0) } ?? 0
  let first = page * hitsPerPage
  let hits = (first..<max(first, min(first + hitsPerPage, nbHits))).map { row -> JSON in
    ["objectID": .string("\(row)"), "text": .string(text), "row": .int(Int64(row))]
  }
  let answer: JSON = [
    "hits": .array(hits), "nbHits": .int(Int64(nbHits)), "page": .int(Int64(page)),
    "nbPages": .int(Int64((nbHits + hitsPerPage - 1) / hitsPerPage)),
    "hitsPerPage": .int(Int64(hitsPerPage)), "query": .string(query),
  ]
  return TransportResponse(status: 200, body: Array(answer.text.utf8))
}

extension FilterGroups {
  /// Filters by facets as they are in the rows.
  var rowText: String {
    get throws {
      try JSON(encoding: FilterLists(self).filter(SearchQuery()))["facetFilters"]?.text ?? ""
    }
  }
}

/// Responds to each query of a multi-query request with rows of its text, and to any other request
/// by itself.
func rowsOfEach(_ request: TransportRequest) throws -> TransportResponse {
  guard let queries = try JSON(parsing: request.body)["requests"]?.arrayValue else {
    return try rows(request)
  }
  let results = try queries.map { query in
    var single = request
    single.body = Array(query.text.utf8)
    return try JSON(parsing: rows(single).body)
  }
  return TransportResponse(
    status: 200, body: Array((["results": .array(results)] as JSON).text.utf8))
}

/// The pages that were requested, in order.
func pages(asked transport: ScriptedTransport) -> [Int] {
  transport.requests.map { (try? JSON(parsing: $0.body))?["page"]?.intValue ?? 0 }
}
