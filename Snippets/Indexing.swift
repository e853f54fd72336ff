// Records are written through the client: the same lines on the engine and on the hosted service.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let objectID: String
  let title: String
  let year: Int
}

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
let films = try JSONDecoder().decode(
  [Film].self, from: Data(contentsOf: data.appending(path: "films.json")))

let client = SearchClient(transport: LocalSearch())

// snippet.save
let settings = IndexSettings(
  searchableAttributes: ["title"], attributesForFaceting: ["year"], customRanking: ["desc(year)"])
try await client.setSettings(settings, of: "films")

let progress = IndexingProgress()
async let saving = client.save(
  films, in: "films", options: IndexingOptions(batchSize: 100), progress: progress)
for await state in progress where state.fraction == 1 {
  print("\(state.saved) of \(state.total ?? 0) films, \(state.bytes) bytes")
}
try await saving.wait()
// snippet.end

// snippet.update
let casablanca = films[50].objectID
try await client.partialUpdate(
  [RecordUpdate(casablanca, ["views": .increment(by: 3), "tags": .addUnique("seen")])],
  in: "films")
try await client.delete(objectIDs: [films[1].objectID], from: "films")
try await client.delete(matching: SearchQuery().with { $0.filters = "year < 1930" }, from: "films")
  .wait()
// snippet.end
let seen = try await client.getObjects([casablanca], in: "films", of: JSON.self)
print(seen[0]?["title"] ?? .null, seen[0]?["views"] ?? .null, seen[0]?["tags"] ?? .null)

// snippet.refused
// A record that is too large is named, and all others are saved.
do throws(SearchError) {
  try await client.save(
    films.prefix(3), in: "short", options: IndexingOptions(maximumRecordBytes: 60))
} catch {
  print(error.message)
  for failure in error.failures { print(failure) }
}
// snippet.end

// snippet.replace
// A search sees the old records or the new ones, never a part of them.
let newest = films.lazy.filter { $0.year >= 2000 }
try await client.replaceAll(with: Array(newest), in: "films")
// snippet.end

// snippet.administer
try await client.updateSettings(of: "films") { $0.hitsPerPage = 50 }
try await client.saveSynonyms([Synonym("film", .equivalent(["film", "movie"]))], in: "films")
try await client.copyIndex("films", to: "films_backup").wait()
for index in try await client.listIndices() {
  print("\(index.name): \(index.entries) records")
}
// snippet.end

// snippet.dates
struct Screening: Codable, Sendable {
  let objectID: String
  let start: Date
}

// Numbers, which searches can compare and sort by. The client writes dates as it reads them.
let program = SearchClient(
  transport: LocalSearch(), decoding: RecordDecoding(dates: .secondsSince1970))

let opening = Date(timeIntervalSince1970: 1_900_000_000)
try await program.save(
  [
    Screening(objectID: "matinee", start: opening),
    Screening(objectID: "evening", start: opening.addingTimeInterval(6 * 3600)),
  ], in: "screenings")
let start: Attribute = "start"
var later = SearchQuery()
later.filters = (start > opening && start < opening.addingTimeInterval(24 * 3600)).text
let evening = try await program.search("screenings", later, of: Hit<Screening>.self)
// snippet.end
print(evening.hits.map(\.objectID), evening.hits.first.map { $0.start > opening } ?? false)
