// Widgets of one's own: with a memory, with a request, with records, and with the status.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(searchableAttributes: ["title"], replicas: ["films_newest"]), of: "films")
var newestFirst = IndexSettings(searchableAttributes: ["title"])
newestFirst.ranking.insert("desc(year)", at: 0)
try await client.setSettings(newestFirst, of: "films_newest")
try await engine.load(contentsOf: films, into: "films")

// snippet.memory
/// The number of hits, and the largest one of all searches so far.
struct LargestCount: RememberingWidget {
  var initialMemory: Int { 0 }

  /// Is called with each new response.
  func receive(_ results: IndexResults, memory: inout Int) {
    memory = max(memory, results.page.nbHits)
  }

  func view(_ context: Context) -> [Int] {
    [context.results?.page.nbHits ?? 0, context.memory]
  }
}
// snippet.end

// snippet.request
/// The newest film with the text, whatever else the search is refined by.
struct NewestFilm: RequestingWidget {
  func request(in context: Context) -> WidgetRequest? {
    let query = SearchQuery(context.state.query.query ?? "").with { $0.hitsPerPage = 1 }
    return .searches([SearchRequest("films_newest", query)])
  }

  /// The response of an earlier text stays until the one of the newest is here.
  func view(_ context: Context) -> String? {
    guard case .success(.searches(let responses)) = context.response?.result else { return nil }
    return responses.first?.results.page(of: Film.self).hits.first?.title
  }
}
// snippet.end

// snippet.records
/// The titles of the page. A searcher decodes its records before it publishes the results.
struct Titles: RecordWidget {
  typealias Record = Film

  func view(_ context: Context) -> [String] {
    context.results?.page(of: Record.self).hits.map(\.title) ?? []
  }
}
// snippet.end

// snippet.status
/// What a line below the search box says.
struct StatusLine: StatusWidget {
  func view(_ context: Context) -> String {
    switch context.status {
    case .idle: "\(context.results?.page.nbHits ?? 0) films"
    case .searching, .stalled: "…"
    case .failed(let error): error.message
    }
  }
}
// snippet.end

let (box, count, newest) = (SearchBox(), LargestCount(), NewestFilm())
let (titles, status) = (Titles(), StatusLine())
let searcher = HitsSearcher(client: client, indexName: "films")
let live = try searcher.connect(
  try SearchScreen(indexName: "films", widgets: [box, count, newest, titles, status]))
for text in ["the", "the god", "alien"] {
  try live.perform(box.setQuery(text))
  try await searcher.settled()
  let film = try await live.interactor(of: newest).settledView()
  let counts = live.view(of: count)
  print("\(text): \(counts[0]) hits, at most \(counts[1]), newest \(film ?? "none")")
}
print(live.view(of: status), live.view(of: titles))
