@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// Calls with a long value, or for many records, are counted by its length and can be interrupted
/// within it, in every form of the call.
struct LongCallTests {
  private static let index = EngineFixture.index

  /// A call whose work is proportional to a length.
  enum Call: String, CaseIterable, Sendable {
    case save, saveWithoutID, replaceAll, partialUpdate, putRecord, load, loadLine, putSettings
    case setSettings, searchWithUserData, around, browse, ranking

    /// An engine, and the call to it.
    func prepare(_ length: Int) async throws -> @Sendable (Deadline) async throws -> Void {
      var configuration = LocalSearch.Configuration()
      configuration.checkInterval = 128
      let numbers = JSON.array((0..<length).map { .int(Int64($0)) })
      let record = ["objectID": "1", "_geoloc": Self.points(length)] as JSON
      let userData = IndexSettings { $0.userData = numbers }
      let isAboutRecords = self == .browse || self == .ranking
      let records: [JSON] =
        isAboutRecords
        ? (0..<length).map { ["objectID": .string("\($0)"), "n": .int(Int64($0 * 7919 % length))] }
        : [self == .around ? record : ["objectID": "1"]]
      let engine = try await EngineFixture(
        records, settings: self == .searchWithUserData ? userData : IndexSettings(),
        configuration: configuration
      ).engine
      let index = LongCallTests.index
      @Sendable func send(
        _ body: JSON, _ action: String = "query", _ method: Endpoint.Method = .post,
        deadline: Deadline
      ) async throws {
        let response = try await engine.send(
          TransportRequest(
            method: method, pathComponents: ["1", "indexes", index, action],
            body: Array(body.text.utf8), callType: method == .put ? .write : .read,
            deadline: deadline))
        expectEqual(response.status, 200)
      }
      return switch self {
      case .save: { try await engine.save([record], in: index, deadline: $0) }
      case .saveWithoutID:
        { try await engine.save([["n": numbers] as JSON], in: index, deadline: $0) }
      case .replaceAll: { try await engine.replaceAll(with: [record], in: index, deadline: $0) }
      case .partialUpdate:
        {
          try await engine.partialUpdate(
            [["objectID": "1", "n": numbers] as JSON], in: index, deadline: $0)
        }
      case .load:
        {
          try await engine.load(Array("[\(record.text)]".utf8), into: index, deadline: $0)
        }
      case .putRecord: { try await send(record, "1", .put, deadline: $0) }
      case .loadLine: { try await engine.load(Array(record.text.utf8), into: index, deadline: $0) }
      case .setSettings: { try await engine.setSettings(userData, of: index, deadline: $0) }
      case .putSettings: { try await send(["userData": numbers], "settings", .put, deadline: $0) }
      case .searchWithUserData: { try await send([:], deadline: $0) }
      case .around:
        {
          try await send(
            [
              "aroundLatLng": "1,1", "aroundRadius": "all", "getRankingInfo": true,
              "attributesToRetrieve": [],
            ], deadline: $0)
        }
      case .browse: { try await send(["hitsPerPage": 1], "browse", deadline: $0) }
      case .ranking: { try await send(["ranking": ["asc(n)"], "hitsPerPage": 1], deadline: $0) }
      }
    }

    private static func points(_ count: Int) -> JSON {
      .array((0..<count).map { ["lat": .int(Int64($0 % 90)), "lng": .int(Int64($0 % 180))] })
    }
  }

  /// Makes the call, whose deadline passes at a check, and returns the number of checks.
  private static func checks(
    _ call: (Deadline) async throws -> Void, endingAt check: Int? = nil
  ) async throws -> Int {
    let clock = CountingClock()
    try await call(clock.deadline(atCheck: check))
    return clock.reads
  }

  @Test(arguments: Call.allCases) func checksAreProportionalToTheLength(
    call: Call
  ) async throws {
    var checks: [Int] = []
    for length in [4000, 16_000] {
      checks.append(try await Self.checks(call.prepare(length)))
    }
    #expect(checks[1] > 2 * checks[0], "\(checks)")
    #expect(checks[1] < 8 * checks[0], "\(checks)")
  }

  @Test(arguments: Call.allCases) func deadlineEndsTheCallAtAnyCheck(call: Call) async throws {
    let make = try await call.prepare(4000)
    let count = try await Self.checks(make)
    for check in [1, count / 3, count / 2, count * 2 / 3, count - 1] where check > 0 {
      let make = try await call.prepare(4000)
      await #expect {
        _ = try await Self.checks(make, endingAt: check)
      } throws: { error in
        (error as? SearchError)?.code == .timedOut
      }
    }
  }

  // MARK: Encoding

  /// A record that reports how many of its values were encoded, and cancels a task during that.
  private final class Watched: Encodable, Sendable {
    let encodedCount = Lock(0)
    let task = Lock<Task<LocalSearch, any Error>?>(nil)
    static let length = 100_000

    private enum Key: CodingKey { case objectID, list }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("1", forKey: .objectID)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      for number in 0..<Self.length {
        try list.encode(number)
        encodedCount.withLock { $0 += 1 }
        if number == 1000 { task.withLock { $0 }?.cancel() }
      }
    }
  }

  @Test func cancellationEndsTheEncodingOfARecord() async throws {
    let record = Watched()
    let (isReady, ready) = AsyncStream<Void>.makeStream()
    let task = Task {
      for await _ in isReady { break }
      return try await LocalSearch(indexName: Self.index, records: [record])
    }
    record.task.withLock { $0 = task }
    ready.yield()
    await #expect {
      _ = try await task.value
    } throws: { error in
      (error as? SearchError)?.code == .cancelled
    }
    #expect(record.encodedCount.withLock { $0 } < Watched.length)
  }

  /// A record that fails to encode, after enough values for a check of the deadline.
  private struct Failing: Encodable, Sendable {
    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      for number in 0..<10_000 { try list.encode(number) }
      try list.encode(Double.nan)
    }
  }

  @Test func unencodableRecordIsNamed() async throws {
    await #expect {
      _ = try await LocalSearch(indexName: Self.index, records: [Failing()])
    } throws: { error in
      let error = error as? SearchError
      return error?.code == .invalidRequest && error?.message.hasPrefix("record 0: ") == true
    }
  }
}
