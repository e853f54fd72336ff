// Sequences of hits and records: each page is fetched when its first hit is needed.
import InstantSearchClient
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
  IndexSettings(searchableAttributes: ["title", "plot"], customRanking: ["asc(year)"]), of: "films")
try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")

// snippet.hits
// The ranked hits of a query, 20 per page. The loop stops fetching when it breaks.
for try await hit in client.hits("films", SearchQuery("love"), of: Hit<Film>.self) {
  print("\(hit.searchMetadata.position ?? 0). \(hit.title) (\(hit.year))")
  if hit.searchMetadata.position == 3 { break }
}
// snippet.end

// snippet.browse
// Every record of an index, in no particular order, 1,000 per page.
var years: [Int: Int] = [:]
for try await film in client.browse("films", of: Film.self) { years[film.year, default: 0] += 1 }
// snippet.end
print("\(years.values.reduce(0, +)) films of \(years.count) years")
