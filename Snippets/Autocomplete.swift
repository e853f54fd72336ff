// Autocomplete: suggestions, films and people below one search box, with one request per keystroke.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

struct Person: Codable, Sendable {
  let name: String
}

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
let engine = LocalSearch()
try await engine.setSettings(
  IndexSettings(searchableAttributes: ["query"], customRanking: ["desc(popularity)"]),
  of: "suggestions")
try await engine.setSettings(
  IndexSettings(searchableAttributes: ["title", "cast"], customRanking: ["desc(year)"]),
  of: "films")
try await engine.setSettings(
  IndexSettings(searchableAttributes: ["name"], customRanking: ["asc(born)"]), of: "people")
let suggestions: [JSON] = [
  ["objectID": "1", "query": "jean reno", "popularity": 310],
  ["objectID": "2", "query": "jeanne dielman", "popularity": 120],
  ["objectID": "3", "query": "jazz", "popularity": 90],
]
try await engine.save(suggestions, in: "suggestions")
try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")
try await engine.load(contentsOf: data.appending(path: "people.json"), into: "people")

// snippet.autocomplete
let searcher = MultiIndexSearcher(
  client: SearchClient(transport: engine), indexNames: ["suggestions", "films", "people"],
  query: SearchQuery().with { $0.hitsPerPage = 2 })

func show(_ text: String) async throws -> [Hit<QuerySuggestion>] {
  let (suggestions, films, people) = try await searcher.search(for: text)
    .pages(of: Hit<QuerySuggestion>.self, Hit<Film>.self, Hit<Person>.self)
  print("[\(text)|\(suggestions.hits.first?.object.completion(of: text) ?? "")]")
  for suggestion in suggestions.hits {
    // What is not typed yet is in bold.
    print("  \(suggestion.highlighted.inverted.tagged(pre: "*", post: "*"))")
  }
  for film in films.hits { print("  film \(film.searchMetadata.position ?? 0): \(film.title)") }
  for person in people.hits { print("  person: \(person.name)") }
  return suggestions.hits
}
// snippet.end

for text in ["j", "je", "jean"] { _ = try await show(text) }
// The user submits the first suggestion.
let chosen = try await show("jean r").first
if let chosen { _ = try await show(chosen.query) }
