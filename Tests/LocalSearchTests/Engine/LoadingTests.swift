import AsyncInstantSearchTesting
import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// A load as a whole: its IDs, its settings, and its progress.
struct LoadingTests {
  private static func search(_ engine: LocalSearch, _ name: String) async throws -> String {
    let response = try await engine.send(
      TransportRequest(
        .search(index: name),
        body: Array(#"{"query":"","facets":["*"],"hitsPerPage":1000}"#.utf8)))
    return String(decoding: response.body, as: UTF8.self)
  }

  @Test func laterRecordsReplaceEarlierOnesWithTheirID() async throws {
    let engine = LocalSearch()
    let older: [JSON] = [["objectID": "b", "n": 0], ["objectID": "c", "n": 0]]
    try await engine.save(older, in: "i")
    let ids = try await engine.load(
      Array(#"[{"objectID":"a","n":1},{"objectID":"b","n":2},{"objectID":"a","n":3}]"#.utf8),
      into: "i")
    expectEqual(ids, ["a", "b", "a"])
    expectEqual(engine.recordCount(of: "i"), 3)
    try await expectEqual(engine.record(withID: "a", in: "i"), ["objectID": "a", "n": 3])
    try await expectEqual(engine.record(withID: "b", in: "i"), ["objectID": "b", "n": 2])
    try await expectEqual(engine.record(withID: "c", in: "i"), ["objectID": "c", "n": 0])
    try await engine.delete(objectIDs: ["a"], from: "i")
    #expect(try await engine.record(withID: "a", in: "i") == nil)
    expectEqual(engine.recordCount(of: "i"), 2)
  }

  /// An ID that a later record has is not kept for an earlier one without.
  @Test func assignedIDsDifferFromThoseOfLaterRecords() async throws {
    let next = Lock(0)
    var configuration = LocalSearch.Configuration()
    configuration.makeObjectID = {
      next.withLock {
        $0 += 1
        return "\($0)"
      }
    }
    let engine = LocalSearch(configuration: configuration)
    try await engine.save([["objectID": "4", "n": 0]] as [JSON], in: "i")
    let lines = """
      {"n":1}
      {"n":2}
      {"objectID":"1","n":3}
      {"objectID":"3","n":4}
      {"objectID":5,"n":5}
      """
    let ids = try await engine.load(Array(lines.utf8), into: "i")
    expectEqual(ids, ["6", "2", "1", "3", "5"])
    let records = try await (0...6).asyncMap { id -> JSON? in
      try await engine.record(withID: "\(id)", in: "i")
    }
    expectEqual(
      records,
      [
        nil, ["objectID": "1", "n": 3], ["objectID": "2", "n": 2], ["objectID": "3", "n": 4],
        ["objectID": "4", "n": 0], ["objectID": "5", "n": 5], ["objectID": "6", "n": 1],
      ])
  }

  /// Replicas, and an index whose settings change during the load, are indexed with their own.
  @Test(arguments: Seed.all(100, quick: 20)) func loadsUseTheSettingsOfTheIndex(seed: Seed)
    async throws
  {
    var random = SeededGenerator(seed: seed.value)
    let records: [JSON] = (0..<40).map { number in
      [
        "objectID": .string("\(number)"), "a": .string("word\(number % 5)"),
        "b": .int(Int64(number % 7)),
      ]
    }
    let (first, second) = (
      IndexSettings(attributesForFaceting: ["a"], replicas: ["copy"]),
      IndexSettings(
        searchableAttributes: ["a"], attributesForFaceting: ["b"], customRanking: ["desc(b)"],
        replicas: ["copy"])
    )
    let copy = IndexSettings(attributesForFaceting: ["a", "b"], customRanking: ["asc(b)"])
    let engine = LocalSearch()
    let lines = Array(records[10...].map(\.text).joined(separator: "\n").utf8)
    let older = Array(records[..<20])
    let isLoadLast = Bool.random(using: &random)
    try await engine.setSettings(first, of: "i")
    try await engine.setSettings(copy, of: "copy")
    try await withThrowingTaskGroup { group in
      group.addTask { _ = try await engine.load(lines, into: "i") }
      group.addTask { try await engine.setSettings(second, of: "i") }
      group.addTask { _ = try await engine.save(older, in: "i") }
      try await group.waitForAll()
    }
    if isLoadLast { try await engine.load(lines, into: "i") }
    let plain = LocalSearch()
    try await plain.setSettings(second, of: "i")
    try await plain.setSettings(copy, of: "copy")
    try await plain.save(records, in: "i")
    for name in ["i", "copy"] {
      try await expectEqual(Self.search(engine, name), Self.search(plain, name))
    }
  }

  @Test func progressEndsWithTheLoad() async throws {
    let engine = LocalSearch()
    let progress = LoadProgress()
    let line = #"{"name":"\#(String(repeating: "film ", count: 100))"}"# + "\n"
    let bytes = Array(String(repeating: line, count: 2000).utf8)
    let states = Task {
      var states: [LoadProgress.State] = []
      for await state in progress { states.append(state) }
      return states
    }
    try await engine.load(bytes, into: "i", progress: progress)
    let seen = await states.value
    let last = try #require(seen.last)
    #expect(last.isVisible)
    expectEqual(last.fraction, 1)
    expectEqual(last.records, 2000)
    expectEqual(last.bytes, bytes.count)
    expectEqual(last.total, bytes.count)
    for (earlier, later) in zip(seen, seen.dropFirst()) {
      #expect(earlier.fraction <= later.fraction)
      #expect(earlier.records <= later.records)
      #expect(!earlier.isVisible)
    }
  }

  @Test func progressEndsWithAFailedLoad() async throws {
    let progress = LoadProgress()
    await #expect(throws: SearchError.self) {
      try await LocalSearch().load(Array("{}\n{".utf8), into: "i", progress: progress)
    }
    var last: LoadProgress.State?
    for await state in progress { last = state }
    #expect(last?.isVisible == false)
    #expect(last?.fraction ?? 1 < 1)
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows
    -> [Result]
  {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
