// An engine that is kept in one file: opened in a moment, with every acknowledged write.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let path = folder.appending(path: "films.search").path
let copyPath = folder.appending(path: "copy.search").path

try await write()
try await read()
try await copy()
try await clone()
try FileManager.default.removeItem(at: folder)

func write() async throws {
  // snippet.write
  let engine = try await LocalSearch(file: path)
  let client = SearchClient(transport: engine)
  try await engine.load(contentsOf: data, into: "films")
  try await client.save([Film(title: "Metropolis", year: 1927)], in: "films")
  await engine.close()
  // snippet.end
}

func read() async throws {
  // snippet.read
  let engine = try await LocalSearch(file: path)
  let page = try await SearchClient(transport: engine).search(
    "films", SearchQuery("metropolis"), of: Hit<Film>.self)
  print("\(engine.recordCount(of: "films") ?? 0) films, \(page.nbHits) of them Metropolis")
  // snippet.end
  // snippet.save
  try await engine.save(to: copyPath)
  // snippet.end
}

func copy() async throws {
  // snippet.open
  let engine = try await LocalSearch(contentsOf: copyPath)
  // snippet.end
  print("the copy has \(engine.recordCount(of: "films") ?? 0) films")
}

func clone() async throws {
  let engine = try await LocalSearch(contentsOf: copyPath)
  // snippet.clone
  let clone = engine.clone()
  try await SearchClient(transport: clone).clear("films")
  // snippet.end
  print("the clone has \(clone.recordCount(of: "films") ?? -1), the engine still all of them")
}
