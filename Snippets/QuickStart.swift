// Typed, highlighted, faceted search over real films: no key, no network.
import AsyncInstantSearch
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
  let directors: [String]
}

// An engine in this process, an index in it, and a client that speaks to it as to a server.
let engine = LocalSearch()
try await engine.setSettings(
  IndexSettings(
    searchableAttributes: ["title", "directors", "cast", "plot"],
    attributesForFaceting: ["genres", "country"],
    customRanking: ["desc(oscars)", "desc(year)"]),
  of: "films")
try await engine.load(contentsOf: dataFile("films.json"), into: "films")
let client = SearchClient(transport: engine)

// A prefix with a spelling mistake, as people type it.
var query = SearchQuery("godfahter")
query.facets = ["genres", "country"]
query.hitsPerPage = 5
let page = try await client.search("films", query, of: Hit<Film>.self)

for hit in page.hits {
  let title = hit.highlighted("title")?.marked(before: "*", after: "*") ?? hit.object.title
  print(
    "\(hit.position ?? 0). \(title) (\(hit.object.year)), \(hit.object.directors.joined(separator: ", "))"
  )
}
for facet in page.facets {
  print()
  print("\(facet.attribute):")
  for value in facet.values.prefix(3) {
    print("  \(value.value) \(value.count)")
  }
}
print()
print("\(page.nbHits) hits in \(page.processingTimeMS) ms")

/// A file beside this one, wherever the package was checked out.
func dataFile(_ name: String) -> String {
  #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Data/" + name
}
