// An index moves to another back end: its settings and its records, through two clients.
import InstantSearchClient
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let engine = LocalSearch()
let local = SearchClient(transport: engine)
try await local.setSettings(
  IndexSettings(searchableAttributes: ["title"], customRanking: ["desc(year)"]), of: "films")
try await engine.load(contentsOf: films, into: "films")
// A second engine is used here. For the hosted service: SearchClient(appID: "…", apiKey: "…").
let hosted = SearchClient(transport: LocalSearch())

// snippet.move
try await hosted.setSettings(try await local.settings(of: "films"), of: "films")
let report = try await hosted.replaceAll(with: local.browse("films", of: JSON.self), in: "films")
try await report.wait()
// snippet.end
print("\(report.saved) records")

// snippet.compare
// The same searches on both: what differs is listed in "Deviations from the hosted engine".
for text in ["godfathr", "metropolis", "the seventh seal"] {
  let (here, there) = (
    try await local.search("films", SearchQuery(text), of: Hit<Film>.self),
    try await hosted.search("films", SearchQuery(text), of: Hit<Film>.self)
  )
  print(text, here.hits.map(\.objectID) == there.hits.map(\.objectID) ? "same" : "differs")
}
// snippet.end
