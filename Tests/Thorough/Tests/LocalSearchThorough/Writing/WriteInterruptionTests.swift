@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import InstantSearchJSON
@testable import LocalSearch
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A write that is cancelled, or whose deadline passes, at any check leaves nothing behind.
struct WriteInterruptionTests {
  /// A kind of write, by name.
  enum Write: String, CaseIterable, Sendable {
    case save, replaceAll, partialUpdate, deleteObjects, deleteMatching, clear, settings, replicas
    case deleteIndex, loadArray, loadLines, loadFile, batch, batchOfIndices, merge

    func run(on engine: LocalSearch, until deadline: Deadline) async throws {
      switch self {
      case .save:
        try await engine.save(
          WriteInterruptionTests.records(20..<32), in: "items", deadline: deadline)
      case .replaceAll:
        try await engine.replaceAll(
          with: WriteInterruptionTests.records(5..<9), in: "items", deadline: deadline)
      case .partialUpdate:
        try await engine.partialUpdate(
          (0..<9).map { ["objectID": .string("\($0)"), "price": 5000] as JSON }, in: "items",
          deadline: deadline)
      case .deleteObjects:
        try await engine.delete(
          objectIDs: ["1", "2", "3", "none"], from: "items", deadline: deadline)
      case .deleteMatching:
        try await engine.delete(
          matching: SearchQuery("").setting(\.filters, to: "price > 30"), from: "items",
          deadline: deadline)
      case .clear: try await engine.clear("items", deadline: deadline)
      case .settings:
        try await engine.setSettings(
          IndexSettings(
            searchableAttributes: ["name"], attributesForFaceting: ["searchable(name)"],
            customRanking: ["asc(price)"]), of: "items", deadline: deadline)
      case .replicas:
        var settings = WriteInterruptionTests.settings
        settings.replicas = ["copy", "other"]
        try await engine.setSettings(settings, of: "items", deadline: deadline)
      case .deleteIndex: try await engine.deleteIndex("items", deadline: deadline)
      case .loadArray:
        let text = JSON.array(WriteInterruptionTests.records(30..<40)).text
        try await engine.load(Array(text.utf8), into: "items", deadline: deadline)
      case .loadLines, .loadFile:
        let text = WriteInterruptionTests.records(30..<40).map(\.text).joined(separator: "\n")
        if self == .loadLines {
          try await engine.load(Array(text.utf8), into: "items", deadline: deadline)
          return
        }
        let file = FileManager.default.temporaryDirectory.appending(
          path: "local-search-" + UUID().uuidString + ".ndjson")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await engine.load(contentsOf: file, into: "items", deadline: deadline)
      case .batch, .batchOfIndices:
        let requests = WriteInterruptionTests.records(50..<58).enumerated().map { number, record in
          var request: JSON = ["action": "addObject", "body": record]
          if self == .batchOfIndices {
            request["indexName"] = number.isMultiple(of: 2) ? "items" : "created"
          }
          return request
        }
        let path = self == .batch ? "items" : "*"
        let response = try await engine.send(
          TransportRequest(
            method: .post, pathComponents: ["1", "indexes", path, "batch"],
            body: Array((["requests": .array(requests)] as JSON).text.utf8), callType: .write,
            deadline: deadline))
        expectEqual(response.status, 200)
      case .merge:
        // The fixture has three segments of one record each; a fourth merges them.
        try await engine.save(
          WriteInterruptionTests.records(70..<71), in: "items", deadline: deadline)
      }
    }
  }

  private static let settings = IndexSettings(
    searchableAttributes: ["name", "tags"], attributesForFaceting: ["searchable(tags)", "price"],
    customRanking: ["desc(price)"])

  private static func records(_ numbers: Range<Int>) -> [JSON] {
    numbers.map { number in
      [
        "objectID": .string("\(number)"), "name": .string("word\(number) other\(number % 3)"),
        "tags": ["red", .string("tag\(number % 4)")], "price": .int(Int64(number * 10)),
        "_geoloc": ["lat": .double(Double(number)), "lng": 10],
      ]
    }
  }

  private static func engine() async throws -> LocalSearch {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 128
    var settings = settings
    settings.replicas = ["copy"]
    let engine = try await LocalSearch(
      indexName: "items", records: records(0..<9), settings: settings, configuration: configuration)
    for number in 10..<13 { try await engine.save(records(number..<number + 1), in: "items") }
    return engine
  }

  /// The visible state of an engine.
  private static func state(of engine: LocalSearch) async throws -> [String] {
    var state: [String] = []
    for name in engine.indexNames {
      let settings = try await engine.settings(of: name)
      state.append(name + String(decoding: try JSONValueEncoder().encode(settings), as: UTF8.self))
      let page = try await engine.page(
        name, SearchQuery("").setting(\.hitsPerPage, to: 1000).setting(\.facets, to: ["*"]),
        of: JSON.self)
      state += page.hits.map(\.text)
      state.append("\(page.facets)")
    }
    return state
  }

  @Test(arguments: Write.allCases) func deadlineAtAnyCheckLeavesNothing(
    write: Write
  ) async throws {
    try await endAtEachCheck(write) { clock, number, _ in
      clock.deadline(atCheck: number)
    } isExpected: { error in
      (error as? SearchError)?.code == .timedOut
    }
  }

  @Test(arguments: Write.allCases) func cancellationAtAnyCheckLeavesNothing(
    write: Write
  ) async throws {
    try await endAtEachCheck(write) { clock, number, call in
      clock.deadline(atCheck: number) { call.cancel() }
    } isExpected: { error in
      error is CancellationError || (error as? SearchError)?.code == .cancelled
    }
  }

  /// Interrupts a write at its first check, at its second and so on, until it completes.
  private func endAtEachCheck(
    _ write: Write, by deadline: (CountingClock, _ number: Int, WriteCall) -> Deadline,
    isExpected: (any Error) -> Bool
  ) async throws {
    let engine = try await Self.engine()
    let before = try await Self.state(of: engine)
    let clock = CountingClock()
    var number = 1
    while true {
      let call = WriteCall()
      let deadline = deadline(clock, number, call)
      do {
        try await call.make { try await write.run(on: engine, until: deadline) }
        break
      } catch {
        #expect(isExpected(error), "\(error)")
      }
      try await expectEqual(Self.state(of: engine), before, "check \(number)")
      expectEqual(engine.writeScheduler.count, 0)
      number += 1
    }
    #expect(number > 2)
    #expect(try await Self.state(of: engine) != before)
  }

  /// The number of checks grows with the work: about ten times as many for ten times the records.
  @Test func checksAreProportionalToTheWork() async throws {
    var checks: [Int] = []
    for count in [200, 2000] {
      let clock = CountingClock()
      try await LocalSearch().save(
        Self.records(0..<count), in: "items", deadline: clock.deadline(atCheck: nil))
      checks.append(clock.reads)
    }
    #expect(checks[1] > 5 * checks[0])
  }

  @Test func deadlineEndsTheWaitForAPermit() async throws {
    let engine = try await Self.engine()
    let before = try await Self.state(of: engine)
    let permit = engine.writeScheduler.request(["items"])
    let clock = ManualClock()
    let deadline = Deadline(after: .seconds(1), clock: clock)
    let write = Task { try await Write.batchOfIndices.run(on: engine, until: deadline) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    await #expect { try await write.value } throws: { ($0 as? SearchError)?.code == .timedOut }
    expectEqual(engine.writeScheduler.count, 1)
    engine.writeScheduler.release(permit)
    try await expectEqual(Self.state(of: engine), before)
    try await Write.batchOfIndices.run(
      on: engine, until: Deadline(after: .seconds(1), clock: clock))
  }

  @Test func cancellationEndsTheWaitForAPermit() async throws {
    let engine = try await Self.engine()
    let permit = engine.writeScheduler.request(["items"])
    let clock = ManualClock()
    let deadline = Deadline(after: .seconds(1), clock: clock)
    let write = Task { try await Write.save.run(on: engine, until: deadline) }
    await clock.waitForSleepers()
    write.cancel()
    await #expect { try await write.value } throws: { ($0 as? SearchError)?.code == .cancelled }
    expectEqual(engine.writeScheduler.count, 1)
    engine.writeScheduler.release(permit)
    expectEqual(engine.recordCount(of: "items"), 12)
  }
}

/// A write that can cancel itself from the engine's thread.
private final class WriteCall: Sendable {
  private let task = Lock<Task<Void, any Error>?>(nil)

  /// Makes the write in a separate task.
  func make(_ write: @escaping @Sendable () async throws -> Void) async throws {
    let task = task.withLock { task in
      let new = Task { try await write() }
      task = new
      return new
    }
    try await task.value
  }

  /// Cancels the task of the write.
  func cancel() { task.withLock { $0 }?.cancel() }
}
