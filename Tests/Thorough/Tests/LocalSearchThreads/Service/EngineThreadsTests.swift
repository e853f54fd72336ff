@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
import Dispatch
import Foundation
@testable import LocalSearch
import TestSupport
import Testing

/// The engine works on separate threads, and a call that waits for one occupies none.
struct EngineThreadsTests {
  private static let index = EngineFixture.index

  private static func engine(
    coreCount: Int, clock: (any Clock<Duration>)? = nil,
    timestamp: @escaping @Sendable () -> String = { "" }
  ) async throws -> (LocalSearch, EngineThreads) {
    let isReady = Flag()
    var configuration = LocalSearch.Configuration(
      clock: clock, timestamp: { isReady.isSet ? timestamp() : "" })
    configuration.threads = EngineThreads(coreCount: coreCount)
    let fixture = try await EngineFixture([["objectID": "1"]], configuration: configuration)
    isReady.set()
    return (fixture.engine, configuration.threads)
  }

  /// Whether the engine of a test has its records.
  private final class Flag: Sendable {
    private let value = Lock(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }

  private static func search(
    _ engine: LocalSearch, until deadline: Deadline? = nil
  ) async throws -> Int {
    try await engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", index, "query"],
        body: Array("{}".utf8), callType: .read, deadline: deadline)
    ).status
  }

  private static func save(_ id: String, in index: String, _ engine: LocalSearch) async throws {
    _ = try await engine.send(
      TransportRequest(
        method: .put, pathComponents: ["1", "indexes", index, id], body: Array("{}".utf8),
        callType: .write))
  }

  /// Other tasks of the process proceed beside more calls than there are cores, and all of these
  /// calls can be cancelled.
  @Test func otherTasksProceedBesideMoreCallsThanCores() async throws {
    let gate = HoldingGate()
    let coreCount = ProcessInfo.processInfo.activeProcessorCount
    let (engine, threads) = try await Self.engine(coreCount: coreCount, clock: gate)
    // If calls blocked the threads of all tasks, only this could end the test.
    let rescue = DispatchWorkItem { gate.open() }
    DispatchQueue(label: "rescue").asyncAfter(deadline: .now() + 1500, execute: rescue)
    let calls = (0..<coreCount + 1).map { _ in Task { try await Self.search(engine) } }
    await gate.waitForCalls(coreCount)
    expectEqual(threads.workingCount, coreCount)
    let other = Task.detached { Task.isCancelled }
    #expect(await other.value == false)
    #expect(!gate.isOpen)
    for call in calls { call.cancel() }
    gate.open()
    for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
    rescue.cancel()
  }

  /// A call ends once and releases its thread, whether the work or the call ends first.
  @Test(arguments: 0..<Thoroughness.count(5, thorough: 20))
  func cancellationRacesWithTheWork(round: Int) async throws {
    let threads = EngineThreads(coreCount: 2)
    let (done, continuation) = AsyncStream<Void>.makeStream()
    let calls = (0..<100).map { number in
      Task {
        try await threads.run(number.isMultiple(of: 2) ? .read : .write, until: nil) { _ in
          continuation.yield()
          return number
        }
      }
    }
    for (number, call) in calls.enumerated() where (number + round).isMultiple(of: 3) {
      call.cancel()
    }
    var succeeded = 0
    for (number, call) in calls.enumerated() {
      switch await call.result {
      case .success(let value):
        expectEqual(value, number)
        succeeded += 1
      case .failure(let error): #expect(error is CancellationError)
      }
    }
    // The outcome of work that began is never lost.
    continuation.finish()
    await expectEqual(done.reduce(0) { count, _ in count + 1 }, succeeded)
    #expect(threads.workingCount == 0 && threads.waitingCount == 0)
  }

  /// Neither searches nor writes wait for the others, regardless of their number.
  @Test func searchesAndWritesDoNotWaitForEachOther() async throws {
    let writeGate = HoldingGate()
    let searchGate = HoldingGate()
    let (engine, threads) = try await Self.engine(
      coreCount: 2, clock: searchGate,
      timestamp: {
        writeGate.hold()
        return ""
      })
    let searches = (0..<3).map { _ in Task { try await Self.search(engine) } }
    await searchGate.waitForCalls(2)
    let writes = (0..<3).map { number in
      Task { try await Self.save("1", in: "index\(number)", engine) }
    }
    await writeGate.waitForCalls(2)
    expectEqual(threads.workingCount, 4)
    searchGate.open()
    for search in searches { try await expectEqual(search.value, 200) }
    try await expectEqual(Self.search(engine), 200)
    expectEqual(threads.workingCount, 2)
    writeGate.open()
    for write in writes { try await write.value }
    #expect(threads.workingCount == 0 && threads.waitingCount == 0)
  }

  @Test func callWaitingForAThreadEndsAtOnce() async throws {
    let gate = HoldingGate()
    let (engine, threads) = try await Self.engine(coreCount: 1, clock: gate)
    let held = Task { try await Self.search(engine) }
    await gate.waitForCalls(1)
    let clock = ManualClock()

    let deadline = Deadline(after: .seconds(1), clock: clock)
    let cancelled = Task { try await Self.search(engine, until: deadline) }
    await clock.waitForSleepers()
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }

    let late = Task { try await Self.search(engine, until: deadline) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    await #expect { try await late.value } throws: { ($0 as? SearchError)?.code == .timedOut }
    #expect(threads.workingCount == 1 && threads.waitingCount == 0)
    gate.open()
    try await expectEqual(held.value, 200)
    expectEqual(engine.recordCount(of: Self.index), 1)
  }

  @Test func waitingWritesUseNoThread() async throws {
    let (engine, threads) = try await Self.engine(coreCount: 1)
    let permit = engine.writeScheduler.request([Self.index])
    let clock = ManualClock()
    let deadline = Deadline(after: .seconds(1), clock: clock)
    // One by one, so that none waits for a thread, which would add a sleeper.
    var writes: [Task<Void, any Error>] = []
    for number in 0..<5 {
      writes.append(
        Task {
          _ = try await engine.save(
            [["objectID": .string("\(number)")] as JSON], in: Self.index, deadline: deadline)
        })
      await clock.waitForSleepers(number + 1)
    }
    #expect(threads.workingCount == 0 && threads.waitingCount == 0)
    try await Self.save("1", in: "other", engine)
    engine.writeScheduler.release(permit)
    for write in writes { try await write.value }
    expectEqual(engine.recordCount(of: Self.index), 5)
    expectEqual(engine.writeScheduler.count, 0)
  }

  @MainActor @Test func mainActorCanCallTheEngine() async throws {
    let (isMain, continuation) = AsyncStream<Bool>.makeStream()
    let (engine, threads) = try await Self.engine(
      coreCount: 1,
      timestamp: {
        continuation.yield(Thread.isMainThread)
        return ""
      })
    try await Self.save("2", in: Self.index, engine)
    try await expectEqual(Self.search(engine), 200)
    expectEqual(engine.recordCount(of: Self.index), 2)
    #expect(threads.workingCount == 0 && threads.waitingCount == 0)
    continuation.finish()
    for await isMain in isMain { #expect(!isMain) }
  }

  /// Tells whether searches run in the task of their caller, which has the value.
  private final class CallerClock: Clock {
    @TaskLocal static var isCaller = false

    struct Reading: Equatable {
      var isCaller: Bool
      var isMain: Bool
    }

    private let readings = Lock<[Reading]>([])

    var minimumResolution: Duration { .nanoseconds(1) }

    var now: ContinuousClock.Instant {
      let reading = Reading(isCaller: Self.isCaller, isMain: Thread.isMainThread)
      readings.withLock { $0.append(reading) }
      return .now
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}

    /// The first reading of a search of `records` with parameters.
    @MainActor func reading(
      of records: [JSON], _ parameters: JSON = [:]
    ) async throws -> Reading? {
      let configuration = LocalSearch.Configuration(clock: self)
      let fixture = try await EngineFixture(records, configuration: configuration)
      readings.withLock { $0 = [] }
      _ = try await Self.$isCaller.withValue(true) { try await fixture.search(parameters) }
      return readings.withLock { $0.first }
    }
  }

  /// A search of few records runs in the caller's task, but not on the caller's actor.
  @MainActor @Test func shortSearchRunsInTheTaskOfItsCaller() async throws {
    let clock = CallerClock()
    let few = (1...1_000).map { ["objectID": .string("\($0)")] as JSON }
    let inTask = CallerClock.Reading(isCaller: true, isMain: false)
    let onThread = CallerClock.Reading(isCaller: false, isMain: false)
    try await expectEqual(clock.reading(of: few), inTask)
    try await expectEqual(clock.reading(of: few + [["objectID": "0"]]), onThread)
    let long: JSON = .string(String(repeating: "a", count: 1 << 20))
    try await expectEqual(clock.reading(of: [["objectID": "0", "text": long]]), onThread)
    let filters: JSON = .string(String(repeating: " ", count: 1 << 10))
    try await expectEqual(clock.reading(of: few, ["filters": filters]), onThread)
  }

  /// A read that is never done does not keep others waiting: those of another engine, nor those of
  /// its own, also if there are more of its kind than places.
  @Test func readsTakeTurns() async throws {
    let threads = EngineThreads(coreCount: 2, turn: .zero)
    let (one, other) = (Flag(), Flag())
    let isDone = Flag()
    let dear = (0..<5).map { _ in
      Task {
        try await threads.run(.read, of: CallOwner(engine: ObjectIdentifier(one)), until: nil) {
          _ in
          let cancellation = CancellationCheck(
            interval: 1, turns: threads.turns(of: CallOwner(engine: ObjectIdentifier(one))))
          while !isDone.isSet { try cancellation.count() }
        }
      }
    }
    for number in 0..<50 {
      for owner in [one, other] {
        let answer = try await threads.run(
          .read, of: CallOwner(engine: ObjectIdentifier(owner)), until: nil
        ) { _ in
          number
        }
        expectEqual(answer, number)
      }
    }
    isDone.set()
    for read in dear { try await read.value }
    #expect(threads.workingCount == 0 && threads.waitingCount == 0)
  }

  /// The threads that help a read take turns as well.
  @Test func queriesOfOneCallTakeTurns() async throws {
    var configuration = LocalSearch.Configuration()
    configuration.threads = EngineThreads(coreCount: 2, turn: .zero)
    configuration.checkInterval = 1
    let records = (0..<6_000).map { number -> JSON in
      ["objectID": .string("\(number)"), "text": .string("word \(number % 100)")]
    }
    let fixture = try await EngineFixture(records, configuration: configuration)
    let queries = Array(repeating: #"{"indexName":"\#(Self.index)","query":"wor"}"#, count: 4)
    let calls = (0..<6).map { _ in
      Task {
        try await fixture.engine.send(
          TransportRequest(
            method: .post, pathComponents: ["1", "indexes", "*", "queries"],
            body: Array(#"{"requests":[\#(queries.joined(separator: ","))]}"#.utf8),
            callType: .read))
      }
    }
    var bodies: Set<[UInt8]> = []
    for call in calls { try await bodies.insert(call.value.body) }
    expectEqual(bodies.count, 1)
    let threads = configuration.threads
    #expect(threads.workingCount == 0 && threads.waitingCount == 0)
  }

  /// What takes long to release is released after the caller has its outcome, while other calls
  /// run.
  @Test func outcomeDoesNotWaitForDeallocation() async throws {
    let threads = EngineThreads(coreCount: 1)
    let gate = HoldingGate()
    for number in 0..<3 {
      let value = try await threads.run(.write, until: nil) { leftovers in
        leftovers.keep(ReleasedAtGate(gate))
        return number
      }
      expectEqual(value, number)
    }
    expectEqual(threads.workingCount, 0)
    gate.open()
  }

  /// With the executor of a simulation, all work of the engine runs as steps of the simulation.
  @Test(arguments: Seed.all(20)) func executorRunsAllWork(seed: Seed) {
    let executor = SeededExecutor(seed: seed.value)
    let engine = LocalSearch(configuration: LocalSearch.Configuration(executor: executor))
    let tasks = (0..<3).map { number in
      Task(executorPreference: executor) {
        try await Self.save("\(number)", in: Self.index, engine)
        _ = try await Self.search(engine)
        try await Self.save("done \(number)", in: Self.index, engine)
      }
    }
    executor.runUntilIdle()
    expectEqual(engine.recordCount(of: Self.index), 6)
    withExtendedLifetime(tasks) {}
  }
}

/// Its release blocks until a gate is open.
private final class ReleasedAtGate: Sendable {
  private let gate: HoldingGate

  init(_ gate: HoldingGate) { self.gate = gate }

  deinit { gate.hold() }
}
