// A page that a client continues: the results of the server, and the live state as a URL.
import AsyncInstantSearch
import Foundation
import LocalSearch
import Synchronization

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let engine = LocalSearch()
try await SearchClient(transport: engine).setSettings(
  IndexSettings(
    searchableAttributes: ["title", "plot"], attributesForFaceting: ["genres"],
    customRanking: ["asc(year)"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")
let callCount = Mutex(0)
let client = SearchClient(
  transport: ObservedTransport(
    wrapping: engine, observer: .init(ended: { _, _ in callCount.withLock { $0 += 1 } })))

/// The widgets, which the server and the client share.
struct FilmsPage: Sendable {
  let box = SearchBox()
  let genres = FacetList(attribute: "genres", limit: 3)
  let pagination = Pagination()
}
let page = FilmsPage()

// snippet.server
/// Returns the results of a page as data, which is sent along with the HTML.
func handOver(for query: String) async throws -> Data {
  let screen = try SearchScreen(
    indexName: "films", widgets: [page.box, page.genres, page.pagination])
  let (state, _) = UIState.read(query: query, mapping: .singleIndex("films"))
  return try JSONEncoder().encode(InitialResults(try await client.search(screen, in: state)))
}
// snippet.end

let query = "query=thelm&refinementList[genres][0]=Drama"
let data = try await handOver(for: query)
print("the server has made \(callCount.withLock { $0 }) call")

// snippet.client
let searcher = HitsSearcher(client: client, indexName: "films")
let box = WidgetInteractor(page.box)
let genres = WidgetInteractor(page.genres)
let pagination = WidgetInteractor(page.pagination)
box.connectSearcher(searcher)
genres.connectSearcher(searcher)
pagination.connectSearcher(searcher)

searcher.restore(try JSONDecoder().decode(InitialResults.self, from: data))
let (state, _) = UIState.read(query: query, mapping: .singleIndex("films"))
searcher.setUIState(state["films"], searchesOnChange: false)
try await searcher.search()  // makes no request
// snippet.end
print("\(box.view.query): \(genres.view.items.map(\.value).joined(separator: ", "))")
print("the client has made \(callCount.withLock { $0 } - 1) calls")

// snippet.url
/// The address of what the widgets show, to be written to the history of a browser.
func address() -> String {
  var state = UIState()
  state["films"] = searcher.uiState
  return "/films?" + state.query(mapping: .singleIndex("films"))
}

/// Shows an address, as after the back button, and searches if it is another state.
func open(_ query: String) {
  let (state, _) = UIState.read(query: query, mapping: .singleIndex("films"))
  searcher.setUIState(state["films"])
}
// snippet.end

try genres.perform { $0.toggle("Comedy") }
try await searcher.settled()
print(address())
print("the client has made \(callCount.withLock { $0 } - 1) call")
open("query=godfather")
try await searcher.settled()
print("\(box.view.query): \(genres.view.items.map(\.value).joined(separator: ", "))")
