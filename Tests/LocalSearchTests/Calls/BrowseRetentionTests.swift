import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct BrowseRetentionTests {
  private static let index = EngineFixture.index

  // MARK: Through the engine

  private func fixture() async throws -> EngineFixture {
    try await EngineFixture((0..<4).map { ["objectID": .string("\($0)")] })
  }

  /// Starts a session and returns the cursor of its second and last page.
  private func start(_ fixture: EngineFixture) async throws -> JSON {
    let answer = try await fixture.call(.post, [Self.index, "browse"], ["hitsPerPage": 2])
    return try #require(answer.body["cursor"])
  }

  /// The status of the page of a cursor.
  private func status(_ fixture: EngineFixture, _ cursor: JSON) async throws -> Int {
    try await fixture.call(.post, [Self.index, "browse"], ["cursor": cursor]).status
  }

  @Test func finishedSessionsAreRemovedExceptTheNewest() async throws {
    let fixture = try await fixture()
    var cursors: [JSON] = []
    for _ in 0..<6 {
      let cursor = try await start(fixture)
      cursors.append(cursor)
      try await expectEqual(status(fixture, cursor), 200)
      try await expectEqual(status(fixture, cursor), 200)
    }
    var statuses: [Int] = []
    for cursor in cursors { statuses.append(try await status(fixture, cursor)) }
    expectEqual(statuses, [400, 400, 200, 200, 200, 200])
  }

  @Test func leastRecentlyUsedSessionsAreRemoved() async throws {
    let fixture = try await fixture()
    var cursors: [JSON] = []
    for _ in 0..<66 { cursors.append(try await start(fixture)) }
    try await expectEqual(status(fixture, cursors[0]), 400)
    try await expectEqual(status(fixture, cursors[1]), 400)
    try await expectEqual(status(fixture, cursors[2]), 200)
    try await expectEqual(status(fixture, cursors[65]), 200)
  }

  @Test func finishedSessionIsRemovedBeforeAnActiveOne() async throws {
    let fixture = try await fixture()
    let going = try await start(fixture)
    let finished = try await start(fixture)
    try await expectEqual(status(fixture, finished), 200)
    for _ in 0..<63 { _ = try await start(fixture) }
    try await expectEqual(status(fixture, finished), 400)
    try await expectEqual(status(fixture, going), 200)
  }

  // MARK: Retention rule

  private func session(
    _ number: UInt64, isFinished: Bool = false, found: Int, version: UInt64, records: Int
  ) -> BrowseRetention.Session {
    BrowseRetention.Session(
      number: number, lastUse: number, isFinished: isFinished, foundCount: found,
      indexName: "items", version: version, recordCount: records)
  }

  @Test func recordsKeptBySessionsAreBounded() {
    let million = 1_000_000
    let runs = (1...8).map {
      session($0, found: million, version: $0, records: million)
    }
    expectEqual(BrowseRetention.expired(runs), [3, 2, 1])
    let finishedLast = runs.map { old in
      var session = old
      session.isFinished = session.number == 8
      return session
    }
    expectEqual(BrowseRetention.expired(finishedLast), [2, 1, 8])
  }

  @Test func snapshotOfSeveralSessionsCountsOnce() {
    let runs = (1...10).map { session($0, found: 1000, version: 7, records: 5_000_000) }
    #expect(BrowseRetention.expired(runs).isEmpty)
    let others = (1...3).map { session($0, found: 1000, version: $0, records: 5_000_000) }
    expectEqual(BrowseRetention.expired(others), [2, 1])
  }

  @Test func mostRecentSessionIsKeptAtAnySize() {
    let runs = [
      session(1, found: 10, version: 1, records: 10),
      session(2, found: 20_000_000, version: 2, records: 20_000_000),
    ]
    expectEqual(BrowseRetention.expired(runs), [1])
  }
}
