// Two indices, one request, two types: the results are a typed tuple.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

struct Person: Codable, Sendable {
  let name: String
  let born: Int
  let knownFor: [String]
}

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(
    searchableAttributes: ["title", "directors", "cast"], customRanking: ["desc(year)"]),
  of: "films")
try await client.setSettings(
  IndexSettings(searchableAttributes: ["name"], customRanking: ["asc(born)"]), of: "people")
try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")
try await engine.load(contentsOf: data.appending(path: "people.json"), into: "people")

// snippet.search
let (films, people) = try await client.search(
  SearchRequest("films", SearchQuery("kurosawa").setting(\.hitsPerPage, to: 3), of: Hit<Film>.self),
  SearchRequest("people", SearchQuery("tom").setting(\.hitsPerPage, to: 3), of: Hit<Person>.self))
// snippet.end

print("\(films.nbHits) films")
for hit in films.hits { print("  \(hit.title) (\(hit.year))") }
print("\(people.nbHits) people")
for hit in people.hits {
  print(
    "  \(hit.name), born \(hit.born): \(hit.knownFor.joined(separator: ", "))")
}
