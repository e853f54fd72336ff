// Records from a file, filters, facets and typed results, without a network.
import AsyncInstantSearch
import Foundation
import LocalSearch

// snippet.film
struct Film: Codable, Sendable {
  let title: String
  let year: Int
  let runtime: Int
}
// snippet.end

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
// snippet.engine
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(
    searchableAttributes: ["title", "directors", "cast", "plot"],
    attributesForFaceting: ["genres", "country", "year", "searchable(directors)"],
    customRanking: ["asc(year)"]),
  of: "films")
let objectIDs = try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")
// snippet.end
print("\(objectIDs.count) films are indexed.")

// snippet.query
var query = SearchQuery()
query.filters = #"genres:"Science Fiction" AND year < 1980 AND NOT country:"United States""#
query.facets = ["country", "year"]
let page = try await client.search("films", query, of: Hit<Film>.self)
// snippet.end
print("Science fiction from elsewhere, before 1980:")
for hit in page.hits {
  print("  \(hit.year) \(hit.title), \(hit.runtime) minutes")
}
if let years = page.facetStats["year"] {
  print("From \(Int(years.min)) to \(Int(years.max)), by country:")
}
for value in page.facets["country"]?.values ?? [] { print("  \(value.value) \(value.count)") }

// Facet values can be searched too: here directors.
let directors = try await client.searchFacetValues(of: "directors", matching: "kur", in: "films")
print("Directors whose name has a word that begins with kur:")
for hit in directors.facetHits { print("  \(hit.value), \(hit.count) films") }

// A replica has the same records in another order.
// snippet.replica
var settings = try await client.settings(of: "films")
settings.replicas = ["films_newest"]
try await client.setSettings(settings, of: "films")

var newestFirst = try await client.settings(of: "films_newest")
newestFirst.ranking.insert("desc(year)", at: 0)
try await client.setSettings(newestFirst, of: "films_newest")
let newest = try await client.search("films_newest", SearchQuery("star"), of: Hit<Film>.self)
// snippet.end
print("The newest films with star:")
for hit in newest.hits.prefix(3) { print("  \(hit.year) \(hit.title)") }

// An invalid filter is a typed error with the location.
do {
  query.filters = "year > recently"
  _ = try await client.search("films", query, of: Hit<Film>.self)
} catch {
  print("The filter year > recently is refused:")
  print("  \(error.code): \(error.message)")
}
