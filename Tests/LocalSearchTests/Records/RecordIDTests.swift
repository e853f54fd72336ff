import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct RecordIDTests {
  private static let index = EngineFixture.index
  private static let composed = "caf\u{e9}"
  private static let decomposed = "cafe\u{301}"

  // MARK: Parsing

  /// Calls with an object ID, in the form it is given.
  private enum Call: CaseIterable {
    case save, file, lines, update, add, replace, partial, delete
  }

  /// Saves a record with an ID in an index, or refers to one.
  private func use(_ id: JSON, by call: Call, in engine: LocalSearch) async throws {
    let record: JSON = ["objectID": id, "n": 1]
    let action: String
    switch call {
    case .save: return _ = try await engine.save([record], in: Self.index)
    case .file:
      return _ = try await engine.load(Array("[\(record.text)]".utf8), into: Self.index)
    case .lines: return _ = try await engine.load(Array(record.text.utf8), into: Self.index)
    case .update: return try await engine.partialUpdate([record], in: Self.index)
    case .add: action = "addObject"
    case .replace: action = "updateObject"
    case .partial: action = "partialUpdateObject"
    case .delete: action = "deleteObject"
    }
    let body: JSON = ["requests": [["action": .string(action), "body": record]]]
    let answer = try await engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", Self.index, "batch"],
        body: Array(body.text.utf8), callType: .write))
    if answer.status != 200 {
      throw SearchError(
        .invalidRequest, try JSON(parsing: answer.body)["message"]?.stringValue ?? "")
    }
  }

  @Test(
    arguments: [
      ("a", "a"), (7, "7"), (-9_223_372_036_854_775_808, "-9223372036854775808"),
      (.uint(18_446_744_073_709_551_615), "18446744073709551615"),
    ] as [(JSON, String)])
  func everyCallAcceptsStringsAndIntegers(id: JSON, text: String) async throws {
    for call in Call.allCases {
      let engine = try await EngineFixture([["objectID": .string(text)]]).engine
      try await use(id, by: call, in: engine)
      expectEqual(engine.recordCount(of: Self.index), call == .delete ? 0 : 1, "\(call)")
      let record = try await engine.record(withID: text, in: Self.index)
      expectEqual(record?["n"], call == .delete ? nil : 1, "\(call)")
    }
  }

  @Test(arguments: [1.5, true, .null, [], [:], "", .double(1e300)] as [JSON])
  func everyCallRejectsOtherTypes(id: JSON) async throws {
    let expected = id == "" ? "must not be empty" : "must be a string or an integer"
    for call in Call.allCases {
      let engine = try await EngineFixture([["objectID": "1"]]).engine
      await #expect("\(call)") {
        try await use(id, by: call, in: engine)
      } throws: { error in
        (error as? SearchError)?.message.hasSuffix(": objectID " + expected) == true
      }
      expectEqual(engine.recordCount(of: Self.index), 1)
    }
  }

  // MARK: Bytes

  @Test func idsInDifferentUnicodeFormsAreDifferent() async throws {
    let records: [JSON] = [
      ["objectID": .string(Self.composed), "n": 1], ["objectID": .string(Self.decomposed), "n": 2],
    ]
    for batches in [[records], records.map { [$0] }] {
      let engine = LocalSearch()
      for batch in batches { try await engine.save(batch, in: Self.index) }
      expectEqual(engine.recordCount(of: Self.index), 2)
      try await expectEqual(engine.record(withID: Self.composed, in: Self.index)?["n"], 1)
      try await expectEqual(engine.record(withID: Self.decomposed, in: Self.index)?["n"], 2)
    }
  }

  @Test func batchDistinguishesUnicodeForms() async throws {
    let fixture = try await EngineFixture()
    func request(_ action: String, _ id: String, _ n: JSON) -> JSON {
      ["action": .string(action), "body": ["objectID": .string(id), "n": n]]
    }
    _ = try await fixture.call(
      .post, [Self.index, "batch"],
      [
        "requests": [
          request("addObject", Self.composed, 1), request("addObject", Self.decomposed, 2),
          request("partialUpdateObject", Self.composed, 3),
          request("deleteObject", Self.decomposed, 0),
        ]
      ])
    expectEqual(fixture.engine.recordCount(of: Self.index), 1)
    try await expectEqual(fixture.engine.record(withID: Self.composed, in: Self.index)?["n"], 3)
  }

  @Test func theIDOfThePathIsStoredByteForByte() async throws {
    let fixture = try await EngineFixture()
    _ = try await fixture.call(
      .put, [Self.index, Self.decomposed], ["objectID": .string(Self.composed)])
    let record = try await fixture.engine.record(withID: Self.decomposed, in: Self.index)
    #expect(record?.id.utf8.elementsEqual(Self.decomposed.utf8) == true)
  }

  // MARK: Generated IDs

  @Test func closureIsCalledAgainForATakenID() async throws {
    let count = Lock(0)
    let engine = LocalSearch(
      configuration: .init(makeObjectID: {
        count.withLock { count in
          count += 1
          return count < 4 ? "taken" : "free\(count)"
        }
      }))
    try await engine.save([["objectID": "taken", "n": 0] as JSON], in: Self.index)
    let ids = try await engine.save([["n": 1], ["n": 2]] as [JSON], in: Self.index)
    expectEqual(ids, ["free4", "free5"])
    expectEqual(engine.recordCount(of: Self.index), 3)
  }

  @Test func closureWithoutANewIDIsAnError() async throws {
    let fixture = try await EngineFixture(
      [["objectID": "mine", "n": 0]], configuration: .init(makeObjectID: { "mine" }))
    await #expect {
      try await fixture.engine.save([["objectID": "a"], ["n": 1]] as [JSON], in: Self.index)
    } throws: { error in
      (error as? SearchError)?.message
        == "request 1: makeObjectID returned no free ID in 8 attempts; the last one was \"mine\""
    }
    let add: JSON = ["action": "addObject", "body": ["n": 2]]
    let batch = try await fixture.call(.post, ["new", "batch"], ["requests": [add, add]])
    expectEqual(batch.status, 400)
    #expect(batch.body["message"]?.stringValue?.hasPrefix("request 1: makeObjectID") == true)
    let record = try await fixture.engine.record(withID: "mine", in: Self.index)
    expectEqual(record, ["objectID": "mine", "n": 0])
  }
}
