// Autocomplete: earlier searches, suggestions and films below one field, with one request a text.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(searchableAttributes: ["query"], customRanking: ["desc(popularity)"]),
  of: "suggestions")
try await client.setSettings(
  IndexSettings(searchableAttributes: ["title", "cast"], customRanking: ["desc(year)"]),
  of: "films")
let suggestions: [JSON] = [
  ["objectID": "1", "query": "jean reno", "popularity": 310],
  ["objectID": "2", "query": "jeanne dielman", "popularity": 120],
  ["objectID": "3", "query": "jazz", "popularity": 90],
]
try await client.save(suggestions, in: "suggestions")
try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")

// snippet.autocomplete
let recent = RecentSearches(["jean renoir"]) { print("saved: \($0)") }
let autocomplete = Autocomplete(
  sources: [
    .suggestions(indexName: "suggestions"),
    .records(indexName: "films", attribute: "title", limit: 2),
  ], recent: recent)
let searcher = HitsSearcher(client: client, indexName: "films")
let live = try searcher.connect(try SearchScreen(indexName: "films", widgets: [autocomplete]))

func type(_ text: String) async throws {
  try live.perform(autocomplete.setQuery(text))
  let view = try await live.interactor(of: autocomplete).settledView()
  print("[\(text)|\(view.completion ?? "")]\(view.isEmpty ? " nothing found" : "")")
  for section in view.sections {
    print("  \(section.source?.indexName ?? "earlier searches")")
    for item in section.items {
      let mark = item == view.selectedItem ? ">" : " "
      print("  \(mark) \(item.highlighted.tagged(pre: "*", post: "*"))")
    }
  }
}
// snippet.end

for text in ["je", "jean", "jean q"] { try await type(text) }

// snippet.choose
try await type("jean r")
try live.perform(autocomplete.selectNext())  // the arrow key downward
try live.perform(autocomplete.selectNext())
print("selected: \(live.view(of: autocomplete).selectedItem?.text ?? "none")")
try live.perform(autocomplete.submit())  // the return key
try await searcher.settled()
// snippet.end
let films = live.page(of: Hit<Film>.self).hits
print("\(live.view(of: autocomplete).query): \(films.prefix(2).map(\.title))")
