import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct CloneTests {
  @Test func aCloneHasItsOwnWrites() async throws {
    let engine = try await LocalSearch(
      indexName: "items", records: [["objectID": "1", "name": "red"] as JSON],
      settings: IndexSettings(attributesForFaceting: ["name"]))
    let clone = engine.clone()
    try await clone.save([["objectID": "2", "name": "blue"] as JSON], in: "items")
    try await clone.deleteIndex("none")
    try await engine.delete(objectIDs: ["1"], from: "items")
    try await engine.setSettings(IndexSettings { $0.hitsPerPage = 3 }, of: "items")
    expectEqual(engine.recordCount(of: "items"), 0)
    expectEqual(clone.recordCount(of: "items"), 2)
    try await expectEqual(clone.settings(of: "items").attributesForFaceting, ["name"])
    let second = clone.clone()
    try await clone.clear("items")
    expectEqual(second.recordCount(of: "items"), 2)
  }

  /// A clone has the segments of the engine, and no copy of them.
  @Test func nothingIsCopied() async throws {
    let engine = try await LocalSearch(
      indexName: "items", records: (0..<1000).map { ["objectID": .string("\($0)")] as JSON })
    func parts(_ engine: LocalSearch) async throws -> [ObjectIdentifier] {
      let response = try await engine.send(
        TransportRequest(.search(index: "items"), body: Array("{}".utf8)))
      return try #require(response.snapshot as? IndexReader).parts.map { ObjectIdentifier($0) }
    }
    let clone = engine.clone()
    try await expectEqual(parts(clone), parts(engine))
  }
}
