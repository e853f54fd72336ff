// A live page on a server: one stream of results and errors for each open page, sent as events.
import AsyncInstantSearch
import Foundation
import InstantSearchService
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(
    searchableAttributes: ["title"], attributesForFaceting: ["genres"],
    customRanking: ["desc(year)"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")

// snippet.screen
let box = SearchBox()
let genres = FacetList(attribute: "genres", limit: 3)
let screen = try SearchScreen(
  indexName: "films",
  widgets: [box, genres, Configure(SearchQuery().with { $0.hitsPerPage = 2 })],
  routing: .singleIndex("films"))
// snippet.end

// snippet.open
/// Answers `GET /live?query=…`. A program keeps the live screen until the connection ends, and
/// finds it for the requests with which the page sends what its user does.
func open(_ query: String) throws -> (LiveScreen, ServiceResponse) {
  let (state, problems) = screen.read(query: query)
  for problem in problems { print("ignored: \(problem)") }
  let live = try HitsSearcher(client: client, indexName: "films").connect(screen)
  try live.setUIState(state, searchesOnChange: false)
  live.searcher.submit()
  return (live, ServiceResponse(events: events(of: live)))
}
// snippet.end

// snippet.events
/// The events of an open page. Each is made when the connection can send it.
func events(of live: LiveScreen) -> some AsyncSequence<[UInt8], Never> & Sendable {
  live.updates().compactMap { results -> [UInt8]? in
    // The next update has the results of what was typed.
    if results.isPending { return nil }
    if case .failed(let error) = results.searchState {
      return ServerSentEvent(error.message, name: "failure").bytes
    }
    return ServerSentEvent(html(of: results), name: "page").bytes
  }
}
// snippet.end

// snippet.html
/// The part of the page that changes. It also renders the first page, from an awaited search.
func html(of results: ScreenResults) -> String {
  let escaped = HighlightedString.escapingHTML
  let films = results.page(of: Hit<Film>.self)
  var lines = films.hits.map { "<li>\($0.highlighted("title")?.html() ?? escaped($0.title))</li>" }
  if !films.failures.isEmpty { lines.append("<p>\(films.failures.count) films are left out</p>") }
  lines += results.view(of: genres).items.map { item in
    results.anchor(
      "\(item.value) \(item.count ?? 0)", to: "/films", after: genres.toggle(item.value))
  }
  return lines.joined(separator: "\n")
}
// snippet.end

// snippet.act
/// Performs what the page sends when its user types.
func type(_ text: String, in live: LiveScreen) throws {
  try live.perform(box.setQuery(text))
}

/// Performs what the page sends when its user follows a link: the query of its URL.
func follow(_ query: String, in live: LiveScreen) throws {
  try live.setUIState(screen.read(query: query).state)
}
// snippet.end

let (live, response) = try open("query=god")
print(response.status, response.headers.first?.value ?? "")
guard case .stream(let stream) = response.body else { exit(1) }
var count = 0
for await bytes in stream {
  print(String(decoding: bytes, as: UTF8.self), terminator: "")
  count += 1
  if count == 3 { break }
  if count == 1 {
    try type("goodfelas", in: live)
  } else {
    try follow("query=casablanca&refinementList[genres][0]=Romance", in: live)
  }
}

// snippet.outcomes
// Without widgets, a searcher has one stream of pages and errors.
let searcher = HitsSearcher(client: client, indexName: "films")
var texts = ["chinatown", String(repeating: "a", count: 600)]
searcher.setQuery(texts.removeFirst())
for await outcome in searcher.outcomes(of: Film.self) {
  switch outcome {
  case .success(let page): print(page.hits.map(\.title))
  case .failure(let error): print(error.httpStatus, error.code)
  }
  if texts.isEmpty { break }
  searcher.setQuery(texts.removeFirst())
}
// snippet.end
