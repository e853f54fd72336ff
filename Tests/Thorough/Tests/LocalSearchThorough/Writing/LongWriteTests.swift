@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Writes of many parts check their deadline throughout, and block others no longer than needed.
struct LongWriteTests {
  private static let interval = 16

  private static func fixture(_ record: JSON) async throws -> EngineFixture {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = interval
    return try await EngineFixture(
      [record], settings: IndexSettings(searchableAttributes: ["title"]),
      configuration: configuration)
  }

  /// The number of checks of a write.
  private static func checks(_ write: (Deadline) async throws -> Void) async throws -> Int {
    let clock = CountingClock()
    try await write(clock.deadline(atCheck: nil))
    return clock.reads
  }

  /// Each compared element of a list is a separate step.
  @Test(arguments: ["Add", "AddUnique", "Remove"])
  func listsOfPartialUpdatesAreCounted(operation: String) async throws {
    let count = 4000
    let list = JSON.array((0..<count).map { .int(Int64($0)) })
    func checks(_ attribute: String) async throws -> Int {
      let fixture = try await Self.fixture(["objectID": "1", "list": list, "other": []])
      return try await Self.checks { deadline in
        let update: JSON = [
          "objectID": "1",
          attribute: ["_operation": .string(operation), "value": -1],
        ]
        try await fixture.engine.partialUpdate([update], in: "items", deadline: deadline)
      }
    }
    let (long, short) = (try await checks("list"), try await checks("other"))
    #expect(long - short >= count / Self.interval, "\(long) \(short)")
  }

  /// The searched value can be long, too.
  @Test func longOperandsAreCounted() async throws {
    let count = 4000
    let list = JSON.array((0..<count).map { .int(Int64($0)) })
    func checks(_ value: JSON) async throws -> (Int, JSON?) {
      let fixture = try await Self.fixture(["objectID": "1", "list": .array([list, [2, 1]])])
      let checks = try await Self.checks { deadline in
        let update: JSON = [
          "objectID": "1", "list": ["_operation": "Remove", "value": value],
        ]
        try await fixture.engine.partialUpdate([update], in: "items", deadline: deadline)
      }
      let record = try await fixture.engine.record(withID: "1", in: "items")
      return (checks, record?["list"])
    }
    let (long, all) = try await checks(
      .array((0..<count).map { .int($0 == count - 1 ? 0 : Int64($0)) }))
    let (short, same) = try await checks([1, 2])
    expectEqual(all, .array([list, [2, 1]]))
    expectEqual(same, all)
    #expect(long - short >= count / Self.interval, "\(long) \(short)")
    try await expectEqual(checks(list).1, [[2, 1]])
  }

  private static func record(_ engine: LocalSearch) async throws -> String {
    let answer = try await engine.send(
      TransportRequest(
        method: .get, pathComponents: ["1", "indexes", "items", "1"], body: [], callType: .read))
    return String(decoding: answer.body, as: UTF8.self)
  }

  private static func update(_ engine: LocalSearch, _ body: String) async throws -> Int {
    try await engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", "items", "1", "partial"],
        body: Array(body.utf8), callType: .write)
    ).status
  }

  /// Names are different if their bytes are, as in a record that is saved whole.
  @Test func bothUnicodeFormsOfANameAreKept() async throws {
    let engine = LocalSearch()
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    try await engine.load(
      Array("{\"objectID\":\"1\",\"\(composed)\":1,\"\(decomposed)\":2}".utf8), into: "items")
    let update =
      #"{"\u00e9":{"_operation":"Increment","value":10},"e\u0301":{"_operation":"Increment","value":20}}"#
    try await expectEqual(Self.update(engine, update), 200)
    let expected = "{\"objectID\":\"1\",\"\(composed)\":11,\"\(decomposed)\":22}"
    try await expectEqual(Array(Self.record(engine).utf8), Array(expected.utf8))
  }

  /// Integers are never rounded.
  @Test(
    arguments: [
      ("100000000000000000000", "Increment", "1", 400), ("1", "Decrement", "-1e400", 400),
      ("1", "Increment", "100000000000000000000", 400),
      ("100000000000000000000", "IncrementSet", "100000000000000000001", 400),
      ("9007199254740992", "IncrementSet", "9007199254740993", 200),
    ])
  func integersAreExact(old: String, operation: String, operand: String, status: Int) async throws {
    let engine = LocalSearch()
    try await engine.load(Array("{\"objectID\":\"1\",\"a\":\(old)}".utf8), into: "items")
    let update = "{\"a\":{\"_operation\":\"\(operation)\",\"value\":\(operand)}}"
    try await expectEqual(Self.update(engine, update), status)
    let expected = status == 200 ? operand : old
    try await expectEqual(Self.record(engine), "{\"objectID\":\"1\",\"a\":\(expected)}")
  }

  enum Part: Sendable { case members, key, number, text, wideText }

  // In a quick run, only one of the longest texts is indexed.
  @Test(
    arguments: ([
      (.members, 65_536, true), (.members, 65_537, false), (.key, 65_536, true),
      (.key, 65_537, false), (.number, 65_536, true), (.number, 65_537, false),
      (.text, 1 << 24, true), (.text, (1 << 24) + 1, false), (.wideText, 1 << 23, true),
      (.wideText, 1 << 24, false),
    ] as [(Part, Int, Bool)]).filter { Thoroughness.isThorough || $0.0 != .wideText || !$0.2 })
  func membersKeysNumbersAndTextsAreBounded(part: Part, count: Int, isAccepted: Bool) async throws {
    func text(_ character: Character) -> String { String(repeating: character, count: count) }
    let members =
      switch part {
      case .members: (0..<count).map { "\"\($0)\":1" }.joined(separator: ",")
      case .key: "\"\(text("k"))\":1"
      case .number: "\"a\":0.\(text("1").dropFirst(2))"
      case .text: "\"a\":\"\(text("-"))\""
      case .wideText: "\"a\":\"\(text("\u{e9}"))\""
      }
    let engine = LocalSearch()
    let record = Array("{\"objectID\":\"1\",\"o\":{\(members)}}".utf8)
    let put = TransportRequest(
      method: .put, pathComponents: ["1", "indexes", "items", "1"], body: record, callType: .write)
    // Both read the record with the same code. The longest are read once in a quick run.
    if Thoroughness.isThorough || count < 1 << 20 {
      try await expectEqual(engine.send(put).status, isAccepted ? 200 : 400)
    }
    do {
      try await engine.load(record, into: "items")
      #expect(isAccepted)
    } catch {
      #expect(!isAccepted && error.code == .invalidRequest, "\(error)")
      #expect(error.message.contains("expected a"), "\(error)")
    }
  }

  @Test(arguments: ["Remove", "AddUnique"])
  func comparedOperandsAreBounded(operation: String) async throws {
    let fixture = try await Self.fixture(["objectID": "1", "list": ["x"]])
    for (count, isAccepted) in [((1 << 20) - 2, true), ((1 << 20) - 1, false)] {
      let value = JSON.string(String(repeating: "y", count: count))
      let update: JSON = [
        "objectID": "1", "list": ["_operation": .string(operation), "value": value],
      ]
      do {
        try await fixture.engine.partialUpdate([update], in: "items")
        #expect(isAccepted)
      } catch {
        #expect(!isAccepted && error.message.contains("expected at most 1048576 bytes"), "\(error)")
      }
    }
  }

  /// The ID that the engine adds does not count as a member.
  @Test func generatedIDDoesNotExceedTheMemberLimit() async throws {
    let engine = LocalSearch()
    let members = (0..<65_536).map { "\"\($0)\":1" }.joined(separator: ",")
    let ids = try await engine.load(Array("{\(members)}".utf8), into: "items")
    let page = try await engine.page("items", of: Hit<JSON>.self)
    expectEqual(page.hits.map(\.objectID), ids)
    try await expectEqual(engine.record(withID: ids[0], in: "items")?["65535"], 1)
    try await engine.partialUpdate([["objectID": .string(ids[0]), "0": 2] as JSON], in: "items")
    try await expectEqual(engine.record(withID: ids[0], in: "items")?["0"], 2)
  }

  /// The compared value is read once, not once per element.
  @Test func operandsAreReadOnce() async throws {
    let list = JSON.array(Array(repeating: ["a": "b"] as JSON, count: 500))
    func checks(_ size: Int) async throws -> Int {
      let fixture = try await Self.fixture(["objectID": "1", "list": list])
      return try await Self.checks { deadline in
        let value = JSON.string(String(repeating: "x", count: size))
        let update: JSON = [
          "objectID": "1", "list": ["_operation": "Remove", "value": ["a": value]],
        ]
        try await fixture.engine.partialUpdate([update], in: "items", deadline: deadline)
      }
    }
    let (short, long) = (try await checks(1), try await checks(100_000))
    // A few passes over the operand, but not five hundred.
    #expect((long - short) * Self.interval <= 20 * 100_000 / 16, "\(short) \(long)")
  }

  /// Each attribute is looked up once, for any number of updates and attributes.
  @Test func attributesOfAnUpdateAreCounted() async throws {
    func checks(_ count: Int) async throws -> Int {
      var record: JSON = ["objectID": "1"]
      for number in 0..<count { record["a\(number)"] = 0 }
      let fixture = try await Self.fixture(record)
      return try await Self.checks { deadline in
        try await fixture.engine.partialUpdate([record], in: "items", deadline: deadline)
      }
    }
    let (few, some, many) = try await (checks(0), checks(500), checks(2000))
    #expect(some - few >= 500 * 3 / Self.interval)
    #expect(many - few <= 5 * (some - few), "\(few) \(some) \(many)")
  }

  @Test(
    arguments: [
      ([["a": 1, "b": [true, .null]], "x", 1.5], ["b": [true, .null], "a": 1], 2),
      ([["a": 1]], ["a": 1, "b": 2], 1),
      ([["a": 1, "b": 2]], ["a": 1], 1),
      (["e\u{301}", "e"], "e", 1),
      ([[], [:]], [], 1),
      ("x", "x", 0),
      (.null, "x", 0),
    ] as [(JSON, JSON, Int)])
  func equalElementsAreRemoved(old: JSON, value: JSON, left: Int) async throws {
    let fixture = try await Self.fixture(["objectID": "1", "list": old])
    let update: JSON = ["objectID": "1", "list": ["_operation": "Remove", "value": value]]
    try await fixture.engine.partialUpdate([update], in: "items")
    let record = try await fixture.engine.record(withID: "1", in: "items")
    expectEqual(record?["list"]?.arrayValue?.count, left)
  }

  /// IDs are counted when they are parsed and when they are applied.
  @Test func deletedIDsAreCounted() async throws {
    let fixture = try await Self.fixture(["objectID": "1"])
    func checks(_ count: Int) async throws -> Int {
      try await Self.checks { deadline in
        try await fixture.engine.delete(
          objectIDs: (0..<count).map { "none \($0)" }, from: "items", deadline: deadline)
      }
    }
    let (many, few) = (try await checks(8000), try await checks(0))
    // One when it is applied, and two per segment when it is looked up.
    #expect((many - few) * Self.interval >= 8000 * 3, "\(many) \(few)")
  }

  /// A closure of the configuration does not run while the index is locked.
  @Test func timeOfAWriteIsReadAfterItsPermit() async throws {
    let state = Lock<(engine: LocalSearch?, waits: [Bool])>((nil, []))
    var configuration = LocalSearch.Configuration()
    configuration.timestamp = {
      if let engine = state.withLock({ $0.engine }) {
        let permit = engine.writeScheduler.request(["items"])
        engine.writeScheduler.release(permit)
        state.withLock { $0.waits.append(permit.isPending) }
      }
      return "now"
    }
    let fixture = try await EngineFixture([["objectID": "1"]], configuration: configuration)
    state.withLock { $0.engine = fixture.engine }
    let answer = try await fixture.call(.put, ["items", "2"], ["title": "x"])
    expectEqual(answer.body["updatedAt"], "now")
    expectEqual(state.withLock { $0.waits }, [false])
    state.withLock { $0.engine = nil }
  }

  /// The errors of an interrupted call name the index.
  @Test func interruptedLoadsNameTheirIndex() async throws {
    let fixture = try await Self.fixture(["objectID": "1"])
    let bytes = Array(String(repeating: "{\"title\":\"x\"}\n", count: 100).utf8)
    let late = await #expect(throws: SearchError.self) {
      try await fixture.engine.load(
        bytes, into: "items", deadline: CountingClock().deadline(atCheck: 3))
    }
    expectEqual(late?.code, .timedOut)
    expectEqual(late?.indexName, "items")
    let load = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await fixture.engine.load(bytes, into: "items")
    }
    let cancelled = await #expect(throws: SearchError.self) { try await load.value }
    expectEqual(cancelled?.code, .cancelled)
    expectEqual(cancelled?.indexName, "items")
  }
}
