import InstantSearchAPI
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct WriteSchedulerTests {
  /// Waits for permits in separate tasks, and records the order in which they are granted.
  private final class Witness: Sendable {
    let scheduler = WriteScheduler()
    private let names = Lock<[String]>([])

    var order: [String] { names.withLock { $0 } }

    func come(_ name: String, for indexNames: Set<String>?) -> Task<Void, any Error> {
      let permit = scheduler.request(indexNames)
      return Task {
        defer { scheduler.release(permit) }
        try await scheduler.wait(for: permit)
        names.withLock { $0.append(name) }
      }
    }
  }

  @Test func permitsAreGrantedInTheOrderOfRequests() async throws {
    let witness = Witness()
    let first = witness.scheduler.request(["a"])
    let tasks = (0..<20).map { witness.come("\($0)", for: ["a"]) }
    witness.scheduler.release(first)
    for task in tasks { try await task.value }
    expectEqual(witness.order, (0..<20).map { "\($0)" })
    expectEqual(witness.scheduler.count, 0)
  }

  @Test func permitsForOtherIndicesDoNotWait() async throws {
    let scheduler = WriteScheduler()
    let first = scheduler.request(["a", "b"])
    let second = scheduler.request(["c"])
    try await scheduler.wait(for: first)
    try await scheduler.wait(for: second)
    scheduler.release(first)
    scheduler.release(second)
  }

  /// A write that waits for two indices is not overtaken in the free one.
  @Test func aPermitForTwoIndicesIsNotOvertaken() async throws {
    let witness = Witness()
    let first = witness.scheduler.request(["a"])
    let both = witness.come("both", for: ["a", "b"])
    let later = witness.come("later", for: ["b"])
    witness.scheduler.release(first)
    try await both.value
    try await later.value
    expectEqual(witness.order, ["both", "later"])
  }

  @Test func cancelledRequestLetsOthersProceed() async throws {
    let witness = Witness()
    let first = witness.scheduler.request(["a"])
    let both = witness.come("both", for: ["a", "b"])
    let later = witness.come("later", for: ["b"])
    both.cancel()
    await #expect(throws: CancellationError.self) { try await both.value }
    try await later.value
    expectEqual(witness.order, ["later"])
    witness.scheduler.release(first)
    expectEqual(witness.scheduler.count, 0)
  }

  @Test func aPermitForAllIndicesWaitsForAllAndDelaysLaterOnes() async throws {
    let witness = Witness()
    let (a, b) = (witness.scheduler.request(["a"]), witness.scheduler.request(["b"]))
    let all = witness.come("all", for: nil)
    let unknown = witness.come("unknown", for: ["c"])
    let second = witness.come("second all", for: nil)
    let last = witness.come("last", for: ["a"])
    #expect(witness.order.isEmpty)
    witness.scheduler.release(a)
    witness.scheduler.release(b)
    for task in [all, unknown, second, last] { try await task.value }
    expectEqual(witness.order, ["all", "unknown", "second all", "last"])
    expectEqual(witness.scheduler.count, 0)
  }

  @Test func aCancelledRequestForAllIndicesBlocksNoOther() async throws {
    let witness = Witness()
    let first = witness.scheduler.request(["a"])
    let all = witness.come("all", for: nil)
    let second = witness.come("second all", for: nil)
    let other = witness.come("other", for: ["b"])
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    all.cancel()
    await #expect(throws: CancellationError.self) { try await all.value }
    try await other.value
    witness.scheduler.release(first)
    expectEqual(witness.scheduler.count, 0)
  }

  /// Seeded sets of names in any order, some cancelled. All others get their permits.
  @Test(arguments: Seed.all(20)) func everyRequestGetsItsPermit(seed: Seed) async throws {
    var generator = SeededGenerator(seed: seed.value)
    let witness = Witness()
    var tasks: [Task<Void, any Error>] = []
    var kept: Set<String> = []
    for number in 0..<60 {
      let names = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        "index\(Int.random(in: 0..<5, using: &generator))"
      }
      let isAll = Int.random(in: 0..<10, using: &generator) == 0
      let task = witness.come("\(number)", for: isAll ? nil : Set(names))
      if Int.random(in: 0..<4, using: &generator) == 0 {
        task.cancel()
      } else {
        kept.insert("\(number)")
      }
      tasks.append(task)
    }
    for task in tasks { _ = await task.result }
    #expect(kept.isSubset(of: witness.order))
    expectEqual(witness.scheduler.count, 0)
  }
}

/// Batches over several indices beside other writers.
struct BatchOfIndicesTests {
  private static func batch(_ names: [String], _ count: Int) -> TransportRequest {
    let requests = (0..<count).flatMap { number in
      names.map { name -> JSON in
        [
          "action": "updateObject", "indexName": .string(name),
          "body": ["objectID": .string("\(number)"), "name": .string("word\(number)")],
        ]
      }
    }
    return TransportRequest(
      method: .post, pathComponents: ["1", "indexes", "*", "batch"],
      body: Array((["requests": .array(requests)] as JSON).text.utf8), callType: .write)
  }

  @Test func batchCompletesBesideABusyWriter() async throws {
    let engine = LocalSearch()
    let isDone = Lock(false)
    let started = CallGate()
    let busy = Task {
      var number = 0
      while !isDone.withLock({ $0 }) {
        try await engine.save([["objectID": .string("s\(number % 50)")] as JSON], in: "second")
        number += 1
        started.open()
      }
    }
    await started.pass()
    for _ in 0..<5 {
      let response = try await engine.send(Self.batch(["first", "second"], 300))
      expectEqual(response.status, 200)
    }
    isDone.withLock { $0 = true }
    try await busy.value
    expectEqual(engine.recordCount(of: "first"), 300)
  }

  @Test func batchesInOppositeOrdersDoNotDeadlock() async throws {
    let engine = LocalSearch()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        let names = number.isMultiple(of: 2) ? ["a", "b", "c"] : ["c", "b", "a"]
        group.addTask {
          for _ in 0..<10 {
            let response = try await engine.send(Self.batch(names, 3))
            if response.status != 200 { return response.status }
          }
          return 200
        }
      }
      for try await status in group { expectEqual(status, 200) }
    }
    expectEqual(engine.indexNames.compactMap { engine.recordCount(of: $0) }, [3, 3, 3])
  }

  /// The replicas change while writes wait, so that writes encounter indices they did not expect.
  @Test func writesFollowChangingReplicas() async throws {
    let engine = LocalSearch()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["a", "b"] {
        group.addTask {
          // The last round is odd, which leaves no replicas.
          for round in 0..<Thoroughness.count(6, thorough: 20) {
            var settings = IndexSettings()
            if round.isMultiple(of: 2) { settings.replicas = ["copy of \(name)"] }
            try await engine.setSettings(settings, of: name)
          }
        }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<Thoroughness.count(6, thorough: 20) {
            _ = try await engine.send(Self.batch(["a", "b"], 2))
          }
        }
      }
      try await group.waitForAll()
    }
    for name in ["a", "b"] {
      expectEqual(engine.recordCount(of: name), 2)
      #expect(try await engine.settings(of: name).replicas.isEmpty)
    }
  }
}
