@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// Responses from a snapshot after its indices have changed.
struct IndexReaderTests {
  private static let index = EngineFixture.index

  private static func settings(
    _ change: (inout IndexSettings) -> Void = { _ in }
  ) -> IndexSettings {
    var settings = IndexSettings {
      $0.customRanking = ["desc(n)"]
      $0.attributesForFaceting = ["searchable(colour)"]
    }
    change(&settings)
    return settings
  }

  private func fixture(_ count: Int = 30) async throws -> EngineFixture {
    let fixture = try await EngineFixture(
      (0..<count).map {
        [
          "objectID": .string("\($0)"), "n": .int(Int64($0)), "word": "word",
          "colour": $0.isMultiple(of: 2) ? "red" : "blue",
        ]
      }, settings: Self.settings())
    try await fixture.engine.save([["objectID": "o", "n": 1] as JSON], in: "others")
    return fixture
  }

  private func request(
    _ path: [String], _ body: JSON? = nil, method: Endpoint.Method = .post
  ) -> TransportRequest {
    TransportRequest(
      method: method, pathComponents: ["1", "indexes"] + path,
      body: body.map { Array($0.text.utf8) } ?? [], callType: .read)
  }

  private func page(_ number: Int) -> TransportRequest {
    request(
      [Self.index, "query"],
      ["query": "word", "hitsPerPage": 10, "page": .int(Int64(number)), "facets": ["colour"]])
  }

  private func ids(_ response: TransportResponse) throws -> [String] {
    try JSON(parsing: response.body)["hits"]?.arrayValue?.map(\.id) ?? []
  }

  private func message(_ response: TransportResponse) throws -> String? {
    try JSON(parsing: response.body)["message"]?.stringValue
  }

  /// Every way to replace an index.
  enum Change: CaseIterable {
    case adding, replacing, deleting, clearing, ranking, searchableAttributes, removal

    func apply(to engine: LocalSearch) async throws {
      let index = EngineFixture.index
      switch self {
      case .adding:
        let records: [JSON] = (0..<15).map {
          ["objectID": .string("new \($0)"), "n": .int(1000 + $0), "word": "word"]
        }
        try await engine.save(records, in: index)
      case .replacing: try await engine.save([["objectID": "12", "n": 0] as JSON], in: index)
      case .deleting: try await engine.delete(objectIDs: ["29", "15", "3"], from: index)
      case .clearing: try await engine.clear(index)
      case .ranking:
        try await engine.setSettings(
          IndexReaderTests.settings { $0.customRanking = ["asc(n)"] }, of: index)
      case .searchableAttributes:
        try await engine.setSettings(
          IndexReaderTests.settings { $0.searchableAttributes = ["colour"] }, of: index)
      case .removal: try await engine.deleteIndex(index)
      }
    }
  }

  @Test(arguments: Change.allCases)
  func laterPagesAreUnaffectedByWrites(change: Change) async throws {
    let engine = try await fixture().engine
    let before = try await [engine.send(page(1)), engine.send(page(2)), engine.send(page(3))]
    let first = try await engine.send(page(0))
    let snapshot = try #require(first.snapshot)
    try await change.apply(to: engine)
    #expect(try await engine.send(page(1)) != before[0], "the engine uses current data")
    try await expectEqual(engine.send(page(0), from: snapshot), first)
    var last = first
    for (number, expected) in before.enumerated() {
      // Each page is requested with the snapshot of the previous page.
      last = try await engine.send(page(number + 1), from: last.snapshot)
      expectEqual(last, expected)
    }
  }

  @Test func snapshotOfAMultiQueryHasAllItsIndices() async throws {
    let engine = try await fixture().engine
    let body: JSON = [
      "requests": [
        ["indexName": .string(Self.index), "query": "word", "hitsPerPage": 2],
        ["indexName": "others"],
        ["indexName": .string(Self.index), "type": "facet", "facet": "colour"],
      ]
    ]
    let both = request(["*", "queries"], body)
    let first = try await engine.send(both)
    try await engine.clear(Self.index)
    try await engine.deleteIndex("others")
    let snapshot = try #require(first.snapshot)
    try await expectEqual(engine.send(both, from: snapshot), first)
    try await expectEqual(
      ids(engine.send(request(["others", "query"], [:]), from: snapshot)), ["o"])
    let one = try await engine.send(request(["others", "query"], [:]), from: snapshot)
    try await expectEqual(
      ids(engine.send(page(2), from: one.snapshot)).count, 10,
      "an answer of a snapshot has the whole snapshot again")
  }

  @Test func everyOtherReadUsesTheSnapshot() async throws {
    let engine = try await fixture().engine
    let snapshot = try #require(try await engine.send(page(0)).snapshot)
    let reads = [
      request([Self.index, "facets", "colour", "query"], ["facetQuery": "r"]),
      request(["*", "objects"], ["requests": [["indexName": "items", "objectID": "7"]]]),
      request([Self.index, "7"], method: .get),
      request([Self.index, "settings"], method: .get),
      request([Self.index, "task", "0"], method: .get),
    ]
    var expected: [TransportResponse] = []
    for read in reads { expected.append(try await engine.send(read)) }
    try await engine.deleteIndex(Self.index)
    for (read, answer) in zip(reads, expected) {
      expectEqual(answer.status, 200)
      try await expectEqual(engine.send(read, from: snapshot), answer, "\(read)")
    }
    let list = try await JSON(parsing: engine.send(request([], method: .get), from: snapshot).body)
    expectEqual(list["items"]?.arrayValue?.compactMap { $0["name"] }, ["items"])
  }

  /// Every call that writes, with a body that the engine would accept.
  private static let writes: [TransportRequest] = {
    func write(
      _ method: Endpoint.Method, _ path: [String], _ body: String = ""
    ) -> TransportRequest {
      TransportRequest(
        method: method, pathComponents: ["1", "indexes"] + path, body: Array(body.utf8),
        callType: .write)
    }
    return [
      write(.post, [index], #"{"n":1}"#),
      write(.put, [index, "1"], #"{"n":1}"#),
      write(.delete, [index, "1"]),
      write(.post, [index, "1", "partial"], #"{"n":1}"#),
      write(
        .post, [index, "batch"], #"{"requests":[{"action":"addObject","body":{"n":1}}]}"#),
      write(
        .post, ["*", "batch"],
        #"{"requests":[{"action":"addObject","indexName":"items","body":{"n":1}}]}"#),
      write(.post, [index, "clear"]),
      write(.post, [index, "deleteByQuery"], #"{"filters":"n > 3"}"#),
      write(.put, [index, "settings"], #"{"customRanking":["asc(n)"]}"#),
      write(.delete, [index]),
    ]
  }()

  @Test(arguments: writes)
  func writesAreRejected(write: TransportRequest) async throws {
    let engine = try await fixture().engine
    let first = try await engine.send(page(0))
    let snapshot = try #require(first.snapshot)
    let answer = try await engine.send(write, from: snapshot)
    expectEqual(answer.status, 400)
    try expectEqual(
      message(answer), "Snapshots are read-only. Send writes without a snapshot.")
    try await expectEqual(engine.send(page(0)), first)
    try await expectEqual(engine.send(page(0), from: snapshot), first)
    let accepted = try await engine.send(write).status
    #expect((200..<300).contains(accepted), "the engine itself accepts it")
  }

  @Test func indexThatWasNotSearchedIsMissing() async throws {
    let engine = try await fixture().engine
    let snapshot = try #require(try await engine.send(page(0)).snapshot)
    let answer = try await engine.send(request(["others", "query"], [:]), from: snapshot)
    expectEqual(answer.status, 400)
    try expectEqual(
      message(answer),
      "Index others is not part of this snapshot. Send the request without a snapshot.")
    let mistake = try await engine.send(
      request([Self.index, "query"], ["page": -1]), from: snapshot)
    expectEqual(mistake.status, 400)
    #expect(mistake.snapshot == nil)
  }

  @Test func callToASnapshotEndsOnDeadlineAndCancellation() async throws {
    let engine = try await fixture().engine
    let snapshot = try #require(try await engine.send(page(0)).snapshot)
    var late = page(1)
    late.deadline = Deadline(after: .seconds(-1), clock: ManualClock())
    let error = await #expect(throws: SearchError.self) {
      try await engine.send(late, from: snapshot)
    }
    expectEqual(error?.code, .timedOut)
    let call = Task { [page = page(1)] in
      await untilCancelled()
      return try await engine.send(page, from: snapshot)
    }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  @Test func snapshotOfAnotherEngineIsIgnored() async throws {
    let engine = try await fixture().engine
    let other = try await fixture().engine
    let snapshot = try await engine.send(page(0)).snapshot
    try await other.clear(Self.index)
    let expected = try await other.send(page(0))
    try await expectEqual(other.send(page(0), from: snapshot), expected)
    try await expectEqual(other.send(page(0), from: "unknown"), expected)
    var write = Self.writes[0]
    write.snapshot = snapshot
    let status = try await other.send(write).status
    #expect((200..<300).contains(status))
  }

  // MARK: Memory

  /// Waits until what a call leaves behind is released: the thread that answered it may still
  /// be leaving the call when its response arrives.
  private func untilReleased(_ part: () -> AnyObject?) async throws {
    for _ in 0..<1_000 where part() != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(part() == nil)
  }

  /// The parts of a response's snapshot, to test what it retains.
  private func parts(_ response: TransportResponse?) -> [AnyObject] {
    (response?.snapshot as? IndexReader)?.parts ?? []
  }

  @Test func responseRetainsTheSearchedIndices() async throws {
    let engine = try await fixture().engine
    var answer: TransportResponse? = try await engine.send(page(0))
    var other: TransportResponse? = try await engine.send(request(["others", "query"], [:]))
    weak let kept = parts(answer).first
    weak let unrelated = parts(other).first
    other = nil
    try await engine.deleteIndex(Self.index)
    try await engine.deleteIndex("others")
    #expect(kept != nil)
    // An index that was not searched is not retained.
    try await untilReleased { unrelated }
    // A response from the snapshot retains the same and nothing else.
    var further: TransportResponse? = try await engine.send(page(1), from: answer?.snapshot)
    answer = nil
    #expect(kept != nil)
    expectEqual(further?.status, 200)
    further = nil
    try await untilReleased { kept }
  }

  @Test func responsesBetweenTwoWritesShareTheirSnapshot() async throws {
    let engine = try await fixture().engine
    let first = parts(try await engine.send(page(0)))
    let second = parts(try await engine.send(page(1)))
    #expect(!first.isEmpty)
    expectEqual(first.map(ObjectIdentifier.init), second.map(ObjectIdentifier.init))
    try await engine.clear(Self.index)
    #expect(parts(try await engine.send(page(0))).isEmpty)
  }

  @Test func browsingASnapshotDoesNotRetainIt() async throws {
    let engine = try await fixture().engine
    var answer: TransportResponse? = try await engine.send(page(0))
    weak let kept = parts(answer).first
    let browse = request([Self.index, "browse"], ["hitsPerPage": 5])
    let browsed = try await JSON(parsing: engine.send(browse, from: answer?.snapshot).body)
    #expect(browsed["cursor"] != nil)
    try await engine.deleteIndex(Self.index)
    #expect(kept != nil)
    answer = nil
    try await untilReleased { kept }
  }

  @Test func descriptionIsShort() async throws {
    let answer = try await fixture().engine.send(page(0))
    let snapshot = try #require(answer.snapshot)
    expectEqual("\(snapshot)", "a snapshot of items")
    var text = ""
    dump(snapshot, to: &text)
    #expect(text.count < 100)
  }
}

extension LocalSearch {
  /// Responds to a call that has a snapshot.
  fileprivate func send(
    _ request: TransportRequest, from snapshot: (any Sendable)?
  ) async throws -> TransportResponse {
    var request = request
    request.snapshot = snapshot
    return try await send(request)
  }
}
