// Facets filtered by OR: their counts show what each further value would add.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable { let title: String }

let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(
    searchableAttributes: ["title", "plot"],
    attributesForFaceting: ["genres", "searchable(country)"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")

// snippet.searcher
let searcher = HitsSearcher(
  client: client, indexName: "films",
  query: SearchQuery().with { $0.facets = ["genres", "country"] })
let filters = FilterState()
searcher.connectFilterState(filters)
// snippet.end

// snippet.change
// Each update is one search: one request with a query for the hits and one for each facet filtered
// by OR.
let genre: Attribute = "genres"
filters.update { $0[or: "genres"].add(genre == "Western") }
try await show("westerns")
filters.update { $0[or: "genres"].add(genre == "Horror") }
try await show("westerns or horror")
filters.update { $0[and: "country"].add("country" == "Italy") }
try await show("westerns or horror from Italy")
// snippet.end

// snippet.awaited
// One awaited search, without a searcher.
var groups = FilterGroups()
groups[or: "genres"].add(genre == "Western", genre == "Horror")
let counted = try await client.search(
  SearchRequest(
    "films", SearchQuery().with { $0.facets = ["genres"] }, of: Film.self, filterGroups: groups),
  disjunctive: true)
// snippet.end
print("awaited: \(counted.nbHits), and \(counted.facets["genres"]?["War"] ?? 0) would add War")

// snippet.values
// The values of one facet, as the user types.
let countries = FacetSearcher(client: client, indexName: "films", attribute: "country")
let values = try await countries.search(for: "un").facetHits
// snippet.end
print("countries with \"un\": \(values.map { "\($0.value) \($0.count)" }.joined(separator: ", "))")

func show(_ title: String) async throws {
  let page = try await searcher.search(of: Film.self)
  print("\(title): \(page.nbHits)")
  for facet in page.facets {
    let values = facet.values.prefix(4).map { "\($0.value) \($0.count)" }
    print("  \(facet.attribute): \(values.joined(separator: ", "))")
  }
}
