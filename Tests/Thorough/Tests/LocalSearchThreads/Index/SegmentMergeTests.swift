@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Merges beside writes change no result, and no write waits for them.
struct SegmentMergeTests {
  private static func json(_ number: Int, _ word: Int) -> [UInt8] {
    Array(#"{"objectID":"\#(number)","name":"word\#(word % 7) all","n":\#(word % 11)}"#.utf8)
  }

  private static func put(_ number: Int, _ word: Int) -> WriteOperation {
    .put(objectID: "\(number)", record: json(number, word))
  }

  /// Four segments, together too large to be merged in a write.
  private static func segments(_ settings: IndexSettings = IndexSettings()) throws -> IndexSnapshot
  {
    var snapshot = IndexSnapshot.empty(settings: settings)
    for start in stride(from: 0, to: 1200, by: 300) {
      snapshot = try snapshot.applying((start..<start + 300).map { put($0, $0) })
    }
    expectEqual(snapshot.segmentCount, 4)
    return snapshot
  }

  @Test(arguments: Seed.all(60, quick: 6)) func writesDuringAMergeAreKept(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    let settings = IndexSettings(
      attributesForFaceting: ["searchable(name)", "n"], customRanking: ["desc(n)"])
    let before = try Self.segments(settings)
    let merge = try #require(try SegmentMerge(before))
    var after = before
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let writes = (0..<Int.random(in: 1...40, using: &random)).map { _ -> WriteOperation in
        let number = Int.random(in: 0..<1300, using: &random)
        return Bool.random(using: &random)
          ? .delete(objectID: "\(number)")
          : Self.put(number, Int.random(in: 0..<99, using: &random))
      }
      after = try after.applying(writes)
    }
    let merged = try #require(merge.applied(to: after))
    #expect(merged.segmentCount < after.segmentCount)
    expectEqual(merged.recordCount, after.recordCount)
    expectEqual(merged.version, after.version)
    for text in ["", "word3", "word1 all", "wrod2"] {
      let query = SearchQuery(text).setting(\.facets, to: ["*"])
      try expectEqual(
        EngineSearch.objectIDs(query, in: merged), EngineSearch.objectIDs(query, in: after))
    }
    for number in 0..<1300 {
      let (old, new) = (after.locate(objectID: "\(number)"), merged.locate(objectID: "\(number)"))
      expectEqual(old == nil, new == nil)
      guard let old, let new else { continue }
      expectEqual(
        merged.record(segment: new.segment, document: new.document),
        after.record(segment: old.segment, document: old.document))
    }
  }

  /// A merge of segments that the index no longer has, or has with more documents, is not applied.
  @Test func mergesOfOtherSegmentsAreNotApplied() throws {
    let before = try Self.segments()
    let deleted = try before.applying([.delete(objectID: "7")])
    let merge = try #require(try SegmentMerge(deleted))
    #expect(merge.applied(to: before) == nil)
    #expect(merge.applied(to: try before.applying([.clear])) == nil)
    #expect(merge.applied(to: try before.reindexed(with: IndexSettings())) == nil)
    #expect(merge.applied(to: deleted) != nil)
    try expectEqual(#require(merge.applied(to: deleted)).segmentCount, 1)
  }

  @Test func anIndexIsMergedAfterItsWrites() async throws {
    let engine = LocalSearch()
    for start in stride(from: 0, to: 2000, by: 200) {
      let records: [JSON] = (start..<start + 200).map { ["objectID": .string("\($0)")] }
      try await engine.save(records, in: "items")
    }
    await engine.merging.finished()
    let response = try await engine.send(
      TransportRequest(.search(index: "items"), body: Array("{}".utf8)))
    let reader = try #require(response.snapshot as? IndexReader)
    #expect(reader.parts.count <= 6)
    expectEqual(engine.recordCount(of: "items"), 2000)
  }

  /// A write that comes while a merge is in progress does not wait for it.
  @Test func writesDoNotWaitForMerges() async throws {
    var configuration = LocalSearch.Configuration()
    let threads = EngineThreads(coreCount: 1)
    configuration.threads = threads
    let engine = LocalSearch(configuration: configuration)
    let gate = HoldingGate()
    async let held: Void = threads.runInBackground(.merging) { gate.hold() }
    await gate.waitForCalls(1)
    for start in stride(from: 0, to: 2000, by: 200) {
      let records: [JSON] = (start..<start + 200).map { ["objectID": .string("\($0)")] }
      try await engine.save(records, in: "items")
    }
    expectEqual(engine.recordCount(of: "items"), 2000)
    gate.open()
    try await held
    await engine.merging.finished()
    expectEqual(engine.recordCount(of: "items"), 2000)
  }

  /// Searches, writes and merges at once: every search sees all records.
  @Test(arguments: Seed.all(20, quick: 2)) func searchesBesideMergesSeeAllRecords(
    seed: Seed
  ) async throws {
    let engine = LocalSearch()
    try await engine.save((0..<600).map { ["objectID": .string("\($0)")] as JSON }, in: "items")
    try await withThrowingTaskGroup { group in
      group.addTask {
        var random = SeededGenerator(seed: seed.value)
        for round in 0..<60 {
          let start = Int.random(in: 0..<550, using: &random)
          let records: [JSON] = (start..<start + 50).map {
            ["objectID": .string("\($0)"), "n": .int(Int64(round))]
          }
          try await engine.save(records, in: "items")
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<60 {
            let page = try await engine.page("items", SearchQuery(""), of: JSON.self)
            expectEqual(page.nbHits, 600)
          }
        }
      }
      try await group.waitForAll()
    }
    await engine.merging.finished()
    expectEqual(engine.recordCount(of: "items"), 600)
  }
}
