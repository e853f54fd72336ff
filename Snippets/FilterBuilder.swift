// Filters written in Swift: with operators, in groups, and in a shared, observable state.
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
  IndexSettings(
    searchableAttributes: ["title"],
    attributesForFaceting: ["genres", "country", "directors", "cast"],
    customRanking: ["asc(year)"]),
  of: "films")
try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")

func show(_ filters: String?) async throws {
  var query = SearchQuery()
  query.filters = filters
  query.hitsPerPage = 3
  let page = try await client.search("films", query, of: Film.self)
  let films = page.hits.map { "\($0.title) (\($0.year))" }
  print(filters ?? "no filter")
  print("  found: \(page.nbHits), the oldest: \(films.joined(separator: "; "))")
}

// snippet.operators
// Comparisons create filters; && and || combine them. An OR of ANDs is not a valid filter.
let genre: Attribute = "genres"
let country: Attribute = "country"
let year: Attribute = "year"
let expression =
  (genre == "Western" || genre == "War") && year.isIn(1950...1969) && country != "United States"
// snippet.end
try await show(expression.text)

// snippet.groups
// Groups have names, so that each control of a screen can change its own.
var groups = FilterGroups()
groups[or: "genres"].add(genre == "Comedy", genre == "Romance")
groups[and: "country"].add(country == "France")
groups[and: "country"].add(year < 1960)
// snippet.end
try await show(groups.text)

// Quotes, backslashes and reserved words in a value are part of the value.
groups.removeAll()
groups[and: "cast"].add(Attribute("cast") == #"Charles "Buddy" Rogers"#)
try await show(groups.text)

// snippet.state
// A state is shared by the code that changes the filters and the code that observes them. An
// update with changes publishes one value, regardless of the number of changed filters.
let state = FilterState()
let updates = state.updates(buffering: .unbounded)
state.update {
  $0[or: "country"].toggle(country == "Japan")
  $0[or: "country"].toggle(country == "South Korea")
  $0[and: "year"].add(year >= 2000)
}
state.update { $0[and: "year"].add(year >= 2000) }  // it is there already: no update
state.update { $0[or: "country"].toggle(country == "Japan") }
state.update { $0.removeAll() }
for await groups in updates.prefix(4) {
  try await show(groups.text)
}
// snippet.end
