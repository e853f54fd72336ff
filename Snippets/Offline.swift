// Records from a file, filters, facets and typed results, without any network.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
  let runtime: Int
}

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
let engine = LocalSearch()
try await engine.setSettings(
  IndexSettings(
    searchableAttributes: ["title", "directors", "cast", "plot"],
    attributesForFaceting: ["genres", "country", "searchable(directors)"],
    customRanking: ["asc(year)"]),
  of: "films")
let objectIDs = try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")
print("\(objectIDs.count >= 300 ? "More than 300" : "Too few") films are indexed.")

let client = SearchClient(transport: engine)
var query = SearchQuery()
query.filters = #"genres:"Science Fiction" AND year < 1980 AND NOT country:"United States""#
query.facets = ["country", "year"]
let page = try await client.search("films", query, of: Hit<Film>.self)
print("Science fiction from elsewhere, before 1980:")
for hit in page.hits {
  print("  \(hit.year) \(hit.title), \(hit.runtime) minutes")
}
for value in page.facets["country"]?.values ?? [] { print("  \(value.value): \(value.count)") }
if let years = page.facetStats["year"] { print("  from \(Int(years.min)) to \(Int(years.max))") }

let directors = try await client.searchFacetValues(of: "directors", matching: "kur", in: "films")
for hit in directors.facetHits { print("Directors: \(hit.value) \(hit.count)") }

// A bad filter is a typed error that says where.
do {
  query.filters = "year > recently"
  _ = try await client.search("films", query, of: Hit<Film>.self)
} catch {
  print("\(error.code): \(error.message)")
}
