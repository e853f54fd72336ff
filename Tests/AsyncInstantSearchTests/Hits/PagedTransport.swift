import AsyncInstantSearch
import AsyncInstantSearchTesting
import InstantSearchJSON

/// A record that tells which query it answers, and in which row.
struct Row: Codable, Sendable, Hashable {
  let text: String
  let row: Int
}

/// Answers a search with rows of its text, followed by its filters.
func rows(
  _ request: TransportRequest, of nbHits: Int = 100, hitsPerPage: Int = 10
) throws -> TransportResponse {
  let body = try JSONDocument(request.body).root
  let query = body["query"]?.string ?? ""
  let text = query + (body["filters"]?.string ?? "")
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

/// Answers the queries of a multi-query request one by one with rows of their texts, and any other
/// request by itself.
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

/// The pages that were asked for, in order.
func pages(asked transport: ScriptedTransport) -> [Int] {
  transport.requests.map { (try? JSON(parsing: $0.body))?["page"]?.intValue ?? 0 }
}

extension HitsInteractor {
  /// The first state of which that is true; `nil` when there is none any more.
  func state(
    where isWanted: (HitsState<Record>) -> Bool
  ) async -> HitsState<Record>? {
    for await state in states(buffering: .unbounded) where isWanted(state) {
      return state
    }
    return nil
  }
}
