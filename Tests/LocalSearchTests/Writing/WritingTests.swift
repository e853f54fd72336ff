import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct WritingTests {
  private static let index = EngineFixture.index

  @Test func singleRecordsAreAddedReplacedAndDeleted() async throws {
    let fixture = try await EngineFixture()
    let added = try await fixture.call(.post, ["new"], ["title": "A"])
    expectEqual(added.status, 201)
    let id = try #require(added.body["objectID"]?.stringValue)
    expectEqual(added.body["taskID"], 1)
    #expect(added.body["createdAt"]?.stringValue != nil)
    let replaced = try await fixture.call(.put, ["new", id], ["title": "B", "objectID": "other"])
    expectEqual(replaced.status, 200)
    expectEqual(replaced.body["taskID"], 2)
    try await expectEqual(
      fixture.call(.get, ["new", id]).body, ["objectID": .string(id), "title": "B"])
    let deleted = try await fixture.call(.delete, ["new", id])
    #expect(deleted.body["deletedAt"]?.stringValue != nil)
    try await expectEqual(fixture.call(.get, ["new", id]).status, 404)
  }

  @Test func aBatchIsAppliedInOrder() async throws {
    let fixture = try await EngineFixture([["objectID": "old"]])
    let answer = try await fixture.call(
      .post, [Self.index, "batch"],
      [
        "requests": [
          ["action": "clear"], ["action": "addObject", "body": ["objectID": "a", "n": 1]],
          ["action": "addObject", "body": ["n": 2]],
          ["action": "updateObject", "body": ["objectID": 7, "n": 3]],
          ["action": "partialUpdateObject", "body": ["objectID": "a", "m": 4]],
          ["action": "partialUpdateObject", "body": ["objectID": "b", "m": 5]],
          ["action": "partialUpdateObjectNoCreate", "body": ["objectID": "c", "m": 6]],
          ["action": "deleteObject", "body": ["objectID": "7"]],
        ]
      ])
    let ids = answer.body["objectIDs"]?.arrayValue?.compactMap(\.stringValue) ?? []
    expectEqual(ids.count, 7)
    expectEqual([ids[0], ids[2], ids[3], ids[4], ids[5], ids[6]], ["a", "7", "a", "b", "c", "7"])
    try await expectEqual(fixture.ids().sorted(), ["a", "b", ids[1]].sorted())
    let a = try await fixture.engine.record(withID: "a", in: Self.index)
    expectEqual(a, ["objectID": "a", "n": 1, "m": 4])
  }

  @Test func aBatchOverIndicesIsOneWrite() async throws {
    let fixture = try await EngineFixture([["objectID": "1"]])
    let answer = try await fixture.call(
      .post, ["*", "batch"],
      [
        "requests": [
          ["indexName": "x", "action": "addObject", "body": ["objectID": "a"]],
          ["indexName": "y", "action": "addObject", "body": ["objectID": "b"]],
          ["indexName": "x", "action": "addObject", "body": ["objectID": "c"]],
          ["indexName": .string(Self.index), "action": "delete"],
        ]
      ])
    expectEqual(answer.body["objectIDs"], ["a", "b", "c"])
    expectEqual(answer.body["taskID"]?.objectValue?.keys.sorted(), ["items", "x", "y"])
    expectEqual(fixture.engine.indexNames, ["x", "y"])
    expectEqual(fixture.engine.recordCount(of: "x"), 2)
  }

  @Test(
    arguments: [
      (["action": "explode", "body": [:]], "Unknown action explode"),
      (
        ["action": "addObject"],
        "Malformed body: expected an object \"body\" for the action addObject"
      ),
      (["action": "updateObject", "body": ["a": 1]], "The action updateObject needs an objectID"),
      (["action": "deleteObject", "body": ["a": 1]], "The action deleteObject needs an objectID"),
      (
        ["action": "addObject", "body": ["objectID": ["x"]]],
        "objectID must be a string or an integer"
      ),
      (
        ["action": "addObject", "body": ["objectID": 1.5]],
        "objectID must be a string or an integer"
      ),
      (["action": "addObject", "body": ["objectID": ""]], "objectID must not be empty"),
      (
        [
          "action": "partialUpdateObject",
          "body": ["objectID": "1", "n": ["_operation": "Halve", "value": 1]],
        ],
        "Unknown operation Halve on attribute n"
      ),
      (
        [
          "action": "partialUpdateObject",
          "body": ["objectID": "1", "n": ["_operation": "Increment"]],
        ],
        "Invalid operation Increment on attribute n: value is missing"
      ),
      (
        [
          "action": "partialUpdateObject",
          "body": ["objectID": "1", "n": ["_operation": "Increment", "value": "x"]],
        ],
        "Invalid operation Increment on attribute n: expected a number"
      ),
      (
        [
          "action": "partialUpdateObject",
          "body": ["objectID": "1", "s": ["_operation": "Increment", "value": 1]],
        ],
        "Attribute s is not a number"
      ),
    ] as [(JSON, String)])
  func invalidOperationInABatchWritesNothing(request: JSON, message: String) async throws {
    let fixture = try await EngineFixture([["objectID": "1", "s": "text"]])
    let answer = try await fixture.call(
      .post, [Self.index, "batch"],
      ["requests": [["action": "addObject", "body": ["objectID": "2"]], request]])
    expectEqual(answer.status, 400)
    expectEqual(answer.body["message"]?.stringValue, "request 1: " + message)
    try await expectEqual(fixture.ids(), ["1"])
  }

  @Test(
    arguments: [
      (5, ["_operation": "Increment", "value": 2], 7),
      (5, ["_operation": "Decrement", "value": 7], -2),
      (.null, ["_operation": "Increment", "value": 2], 2),
      (1.5, ["_operation": "Increment", "value": 1], 2.5),
      (
        9_223_372_036_854_775_807, ["_operation": "Increment", "value": 1],
        .uint(9_223_372_036_854_775_808)
      ),
      (["a"], ["_operation": "Add", "value": "a"], ["a", "a"]),
      (.null, ["_operation": "Add", "value": 1], [1]),
      (["a", 1, "a"], ["_operation": "Remove", "value": "a"], [1]),
      (["a"], ["_operation": "AddUnique", "value": "a"], ["a"]),
      (["a"], ["_operation": "AddUnique", "value": "b"], ["a", "b"]),
      (3, ["_operation": "IncrementFrom", "value": 3], 4),
      (3, ["_operation": "IncrementFrom", "value": 2], 3),
      (3, ["_operation": "IncrementSet", "value": 9], 9),
      (3, ["_operation": "IncrementSet", "value": 2], 3),
      (3, ["x": 1], ["x": 1]), (3, .null, .null),
    ] as [(JSON, JSON, JSON)])
  func builtInOperations(old: JSON, operation: JSON, new: JSON) async throws {
    let fixture = try await EngineFixture([["objectID": "1", "n": old, "kept": 1]])
    let answer = try await fixture.call(.post, [Self.index, "1", "partial"], ["n": operation])
    expectEqual(answer.status, 200)
    expectEqual(answer.body["objectID"], "1")
    let record = try await fixture.engine.record(withID: "1", in: Self.index)
    expectEqual(record, ["objectID": "1", "n": new, "kept": 1])
  }

  @Test func missingRecordsAreCreatedUnlessDisabled() async throws {
    let fixture = try await EngineFixture()
    let no = [QueryItem(name: "createIfNotExists", value: "false")]
    _ = try await fixture.call(.post, [Self.index, "a", "partial"], ["n": 1], queryItems: no)
    _ = try await fixture.call(.post, [Self.index, "b", "partial"], ["n": 1])
    let zero: JSON = ["n": ["_operation": "IncrementFrom", "value": 0]]
    let one: JSON = ["n": ["_operation": "IncrementFrom", "value": 1]]
    _ = try await fixture.call(.post, [Self.index, "c", "partial"], zero)
    _ = try await fixture.call(.post, [Self.index, "d", "partial"], one)
    try await expectEqual(fixture.ids(), ["b", "c"])
  }

  @Test func recordsAreDeletedByFilterAndCleared() async throws {
    let records = (0..<10).map { ["objectID": .string("\($0)"), "n": .int(Int64($0))] as JSON }
    let fixture = try await EngineFixture(records)
    _ = try await fixture.call(.post, [Self.index, "deleteByQuery"], ["params": "filters=n%3E6"])
    expectEqual(fixture.engine.recordCount(of: Self.index), 7)
    _ = try await fixture.call(.post, [Self.index, "deleteByQuery"], ["numericFilters": ["n<2"]])
    expectEqual(fixture.engine.recordCount(of: Self.index), 5)
    let refused = try await fixture.call(.post, [Self.index, "deleteByQuery"], [:])
    expectEqual(refused.status, 400)
    expectEqual(refused.body["message"], "deleteByQuery needs a filter")
    _ = try await fixture.call(.post, [Self.index, "clear"])
    expectEqual(fixture.engine.recordCount(of: Self.index), 0)
  }

  @Test func generatedIDsAreOrderedAndUnique() async throws {
    let first = LocalSearch()
    let ids = try await first.save((0..<4).map { ["n": .int($0)] as JSON }, in: "a")
    expectEqual(Set(ids).count, 4)
    let second = LocalSearch()
    try await second.save([["objectID": .string(ids[1]), "n": -1] as JSON], in: "a")
    let others = try await second.save((0..<3).map { ["n": .int($0)] as JSON }, in: "a")
    expectEqual(others, [ids[0], ids[2], ids[3]])
    let chosen = LocalSearch(configuration: .init(makeObjectID: { "mine" }))
    try await expectEqual(chosen.save([["n": 1] as JSON], in: "a"), ["mine"])
  }

  private struct Film: Codable, Sendable, Equatable {
    var objectID: String?
    var title: String
  }

  @Test func encodableRecordsAreSavedAndReadBack() async throws {
    let engine = LocalSearch()
    let ids = try await engine.save(
      [Film(objectID: "1", title: "A"), Film(objectID: nil, title: "B")], in: "films")
    expectEqual(ids[0], "1")
    try await expectEqual(
      engine.record(withID: ids[1], in: "films", as: Film.self),
      Film(objectID: ids[1], title: "B"))
    #expect(try await engine.record(withID: "none", in: "films", as: Film.self) == nil)
    try await engine.save([["objectID": "2", "title": 3] as JSON], in: "films")
    await #expect {
      try await engine.record(withID: "2", in: "films", as: Film.self)
    } throws: { error in
      let error = error as? SearchError
      return error?.code == .decoding && error?.message.contains("title") == true
    }
    await #expect(throws: SearchError.self) { try await engine.save([1, 2], in: "films") }
    await #expect(throws: SearchError.self) { try await engine.record(withID: "1", in: "no") }
  }

  @Test func replacingAllRecordsIsAtomic() async throws {
    let fixture = try await EngineFixture([["objectID": "1"], ["objectID": "2"]])
    try await fixture.engine.replaceAll(with: [["objectID": "3"] as JSON], in: Self.index)
    try await expectEqual(fixture.ids(), ["3"])
  }

  @Test func swiftAPIErrorsHaveACode() async throws {
    let engine = LocalSearch()
    do {
      _ = try await engine.settings(of: "none")
      Issue.record("no error")
    } catch {
      expectEqual(error.code, .indexNotFound)
      expectEqual(error.message, "Index none does not exist")
    }
  }
}
