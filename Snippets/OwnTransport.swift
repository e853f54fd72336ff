// A transport of your own: it answers one index from a list, and passes all other calls on.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Book: Codable, Sendable {
  let title: String
}

// snippet.transport
/// Answers the searches of the index "bestsellers".
struct Bestsellers: SearchTransport {
  let titles: [String]
  let base: any SearchTransport
  /// It awaits only the other transport.
  var isPrompt: Bool { base.isPrompt }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard request.endpoint == .search(index: "bestsellers") else {
      return try await base.send(request)
    }
    let query = try JSONDecoder().decode(SearchQuery.self, from: Data(request.body))
    let found = titles.filter { $0.hasPrefix(query.query ?? "") }
    let body: JSON = [
      "hits": .array(found.map { ["objectID": .string($0), "title": .string($0)] }),
      "nbHits": .int(Int64(found.count)),
    ]
    return TransportResponse(status: 200, body: Array(body.text.utf8))
  }
}
// snippet.end

let engine = try await LocalSearch(
  indexName: "books", records: ["Middlemarch", "Moby-Dick"].map(Book.init))
let client = SearchClient(
  transport: Bestsellers(titles: ["Emma", "Middlemarch", "Persuasion"], base: engine))
for index in ["bestsellers", "books"] {
  let page = try await client.search(index, SearchQuery("Mi"), of: Hit<Book>.self)
  print("\(index): \(page.hits.map(\.title).joined(separator: ", "))")
}
