import InstantSearchAPI
import LocalSearch
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
    #expect(engine.recordCount(of: "items") == 0)
    #expect(clone.recordCount(of: "items") == 2)
    #expect(try clone.settings(of: "items").attributesForFaceting == ["name"])
    let second = clone.clone()
    try await clone.clear("items")
    #expect(second.recordCount(of: "items") == 2)
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
    #expect(try await parts(clone) == parts(engine))
  }
}
