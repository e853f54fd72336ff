// The program of Getting started, from its first line to its last.
import AsyncInstantSearch
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
  let director: String
  let genre: String
}

let films = [
  Film(title: "The Godfather", year: 1972, director: "Francis Ford Coppola", genre: "Crime"),
  Film(title: "The Conversation", year: 1974, director: "Francis Ford Coppola", genre: "Thriller"),
  Film(title: "Apocalypse Now", year: 1979, director: "Francis Ford Coppola", genre: "War"),
  Film(title: "Goodfellas", year: 1990, director: "Martin Scorsese", genre: "Crime"),
  Film(title: "Lost in Translation", year: 2003, director: "Sofia Coppola", genre: "Drama"),
  Film(title: "Seven Samurai", year: 1954, director: "Akira Kurosawa", genre: "Action"),
]

// An engine in this process with one index, and a client that uses it like a server.
let engine = try await LocalSearch(
  indexName: "films", records: films,
  settings: IndexSettings(
    searchableAttributes: ["title", "director"],
    attributesForFaceting: ["genre"],
    customRanking: ["desc(year)"]))
let client = SearchClient(transport: engine)

// A prefix with a typo.
var query = SearchQuery("copola")
query.facets = ["genre"]
let page = try await client.search("films", query, of: Hit<Film>.self)

for hit in page.hits {
  let director = hit.highlighted("director")?.tagged(pre: "*", post: "*") ?? hit.director
  print("\(hit.searchMetadata.position ?? 0). \(hit.title) (\(hit.year)), \(director)")
}
for facet in page.facets {
  print(
    "\(facet.attribute):", facet.values.map { "\($0.value) \($0.count)" }.joined(separator: ", "))
}
print("\(page.nbHits) hits")

// snippet.filters
var filtered = SearchQuery()
filtered.filters = "genre:Crime AND year < 1980"
filtered.facets = ["director"]
let crimes = try await client.search("films", filtered, of: Hit<Film>.self)
for hit in crimes.hits { print("\(hit.title) by \(hit.director)") }
// snippet.end

// snippet.typing
let searcher = HitsSearcher(client: client, indexName: "films", debounce: .milliseconds(20))
for text in ["s", "se", "sev"] { searcher.setQuery(text) }
for await page in searcher.pages(of: Hit<Film>.self) {
  print("\(page.query): \(page.hits.map(\.title).joined(separator: ", "))")
  if page.query == "sev" { break }
}
// snippet.end

// snippet.file
import Foundation

let file = URL.temporaryDirectory.appending(path: "films-\(UUID().uuidString).json")
try JSONEncoder().encode(films).write(to: file)
let objectIDs = try await engine.load(contentsOf: file, into: "copies")
print("\(objectIDs.count) films of a file")
try FileManager.default.removeItem(at: file)
// snippet.end
