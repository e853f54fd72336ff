// A list of 668 rows that loads only the pages around the visible rows, one request per page.
import AsyncInstantSearch
import Foundation
import LocalSearch
import Synchronization

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

/// Counts the requests that the engine answers.
final class Counted: SearchTransport {
  let engine: LocalSearch
  private let counter = Atomic(0)

  init(_ engine: LocalSearch) { self.engine = engine }

  var count: Int { counter.load(ordering: .relaxed) }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    counter.add(1, ordering: .relaxed)
    return try await engine.send(request)
  }
}

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
let engine = LocalSearch()
try await SearchClient(transport: engine).setSettings(
  IndexSettings(searchableAttributes: ["title"], customRanking: ["asc(year)", "asc(title)"]),
  of: "films")
try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")
let transport = Counted(engine)
let client = SearchClient(transport: transport)

// snippet.list
let searcher = HitsSearcher(client: client, indexName: "films")
let hits = HitsInteractor<Hit<Film>>(infiniteScrolling: .on(withOffset: 5), pageCleanUpOffset: 1)
hits.connectSearcher(searcher)
searcher.submit()
// snippet.end

print("Forward:")
await read(rows: Array(0..<668))
print("  \(transport.count) requests for 34 pages")
print("And back, where most pages were dropped meanwhile:")
await read(rows: (0..<668).reversed())
// One more or less: when a page is dropped depends on the visible row when it arrived.
let again = transport.count - 34
print("  \(again > 30 ? "more than 30" : "\(again)") were loaded again")

// snippet.await
// A script can load the next page itself. It waits for the newest search; false is the end.
searcher.update {
  $0.query.query = "man"
  $0.query.hitsPerPage = 5
}
var pageCount = 1
while try await hits.loadNext() { pageCount += 1 }
// snippet.end
print("With \"man\" in the title: \(hits.numberOfHits()) films on \(pageCount) pages, the last is")
print("  \(hits.currentHits.last?.title ?? "-")")

/// Reads rows in order, as a table does.
func read(rows: [Int]) async {
  let states = hits.states(buffering: .unbounded)
  var waiting = states.makeAsyncIterator()
  for row in rows {
    // snippet.row
    hits.notifyDidPresentRow(atIndex: row)
    // snippet.end
    while hits.state.hits[row] == nil, await waiting.next() != nil {}
    guard row % 222 == 0, let film = hits.state.hits[row] else { continue }
    print("  row \(row) of \(hits.numberOfHits()): \(film.title) (\(film.year))")
  }
}
