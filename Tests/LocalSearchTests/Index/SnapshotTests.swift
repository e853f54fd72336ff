import InstantSearchAPI
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct SnapshotTests {
  @Test(arguments: Seed.all(30))
  func manySegmentsReturnTheSameAsOne(seed: Seed) throws {
    var world = OracleWorld(seed: seed.value)
    let settings = world.settings()
    var expected: [String: OracleRecord] = [:]
    var snapshot = IndexSnapshot.empty(settings: settings)
    for _ in 0..<world.int(5..<40) {
      var writes: [WriteOperation] = []
      for _ in 0..<world.int(1..<8) {
        let record = world.record(world.int(0..<60))
        if world.chance(25) {
          expected[record.objectID] = nil
          writes.append(.delete(objectID: record.objectID))
        } else {
          expected[record.objectID] = record
          writes.append(.put(objectID: record.objectID, record: record.json))
        }
      }
      if world.chance(2) {
        expected = [:]
        writes.append(.clear)
      }
      snapshot = try snapshot.applying(writes)
      expectEqual(snapshot.recordCount, expected.count, "seed \(seed.value)")
    }
    let fresh = try IndexSnapshot.empty(settings: settings).applying(
      expected.values.map { .put(objectID: $0.objectID, record: $0.json) })
    for (objectID, record) in expected {
      let place = try #require(snapshot.locate(objectID: objectID), "seed \(seed.value)")
      expectEqual(
        Array(snapshot.record(segment: place.segment, document: place.document)), record.json)
    }
    #expect(snapshot.locate(objectID: "id999") == nil)
    for _ in 0..<10 {
      let query = world.query()
      let wanted = try EngineSearch.results(query, in: fresh)
      try expectEqual(
        EngineSearch.results(query, in: snapshot), wanted, "seed \(seed.value), \(query)")
      try expectEqual(
        EngineSearch.results(query, in: snapshot, limit: 3), Array(wanted.prefix(3)),
        "seed \(seed.value), \(query)")
      try expectEqual(
        EngineSearch.results(query, in: snapshot.reindexed(with: settings)), wanted,
        "seed \(seed.value), \(query)")
    }
  }

  @Test func lastWriteOfARecordWins() throws {
    let first = Array(#"{"objectID":"a","name":"first"}"#.utf8)
    let second = Array(#"{"objectID":"a","name":"second"}"#.utf8)
    let empty = IndexSnapshot.empty(settings: IndexSettings())
    let snapshot = try empty.applying([
      .put(objectID: "a", record: first), .put(objectID: "a", record: second),
    ])
    expectEqual(snapshot.recordCount, 1)
    #expect(try EngineSearch.objectIDs(SearchQuery("first"), in: snapshot).isEmpty)
    try expectEqual(EngineSearch.objectIDs(SearchQuery("second"), in: snapshot), ["a"])
    let gone = try snapshot.applying([.delete(objectID: "a"), .delete(objectID: "b")])
    expectEqual(gone.recordCount, 0)
    #expect(gone.locate(objectID: "a") == nil)
    expectEqual(snapshot.recordCount, 1, "an older snapshot does not change")
    #expect(
      try snapshot.applying([.clear, .put(objectID: "b", record: first)]).locate(objectID: "a")
        == nil)
  }

  @Test func numberOfSegmentsStaysSmall() throws {
    var snapshot = IndexSnapshot.empty(settings: IndexSettings())
    for number in 0..<500 {
      let record = Array(#"{"objectID":"\#(number)","name":"word\#(number)"}"#.utf8)
      snapshot = try snapshot.applying([.put(objectID: "\(number)", record: record)])
    }
    expectEqual(snapshot.recordCount, 500)
    #expect(snapshot.segmentCount <= 15)
    expectEqual(snapshot.version, 500)
  }

  @Test func otherSettingsFindOtherAttributes() throws {
    let record = Array(#"{"objectID":"a","name":"red","year":1984,"new":true}"#.utf8)
    let strings = try IndexSnapshot.empty(settings: IndexSettings()).applying([
      .put(objectID: "a", record: record)
    ])
    try expectEqual(EngineSearch.objectIDs(SearchQuery("red"), in: strings), ["a"])
    #expect(try EngineSearch.objectIDs(SearchQuery("1984"), in: strings).isEmpty)
    let listed = try strings.reindexed(
      with: IndexSettings { $0.searchableAttributes = ["year", "new", "objectID"] })
    #expect(try EngineSearch.objectIDs(SearchQuery("red"), in: listed).isEmpty)
    for text in ["1984", "true", "a"] {
      try expectEqual(EngineSearch.objectIDs(SearchQuery(text), in: listed), ["a"])
    }
  }
}

struct MergePolicyTests {
  @Test(arguments: [
    ([4, 3, 1], [4, 3, 1], nil), ([1, 1, 1], [1, 1, 1], [0, 1, 2]),
    ([100, 2, 16, 3, 20], [100, 2, 16, 3, 20], [1, 3]), ([40], [100], [0]), ([60], [100], nil),
    ([], [], nil),
  ])
  func segmentsOfATierAreMergedAndSparseOnesRewritten(
    live: [Int], counts: [Int], expected: [Int]?
  ) {
    expectEqual(MergePolicy.nextMerge(liveCounts: live, counts: counts), expected)
  }
}
