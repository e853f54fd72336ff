// Typed, highlighted, faceted search over real films: no key, no network.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
  let directors: [String]
}

// The records are in a file beside this program.
let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")

// An engine in this process, an index in it, and a client that speaks to it as to a server.
let engine = LocalSearch()
try await engine.setSettings(
  IndexSettings(
    searchableAttributes: ["title", "directors", "cast", "plot"],
    attributesForFaceting: ["genres", "country"],
    customRanking: ["desc(oscars)", "desc(year)"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")
let client = SearchClient(transport: engine)

// A prefix with a spelling mistake, as people type it.
var query = SearchQuery("godfaht")
query.facets = ["genres", "country"]
query.hitsPerPage = 5
let start = ContinuousClock.now
let page = try await client.search("films", query, of: Hit<Film>.self)
let time = ContinuousClock.now - start

for hit in page.hits {
  let title = hit.highlighted("title")?.tagged(pre: "*", post: "*") ?? hit.title
  let rank = hit.searchMetadata.position ?? 0
  print("\(rank). \(title) (\(hit.year)), \(hit.directors.joined(separator: ", "))")
}
for facet in page.facets {
  print()
  print("\(facet.attribute):")
  for value in facet.values.prefix(3) {
    print("  \(value.value) \(value.count)")
  }
}
print()
print(
  "\(page.nbHits) hits in \(time.formatted(.units(allowed: [.milliseconds], fractionalPart: .show(length: 1))))"
)
