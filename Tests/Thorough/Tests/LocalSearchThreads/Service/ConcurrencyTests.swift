@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

struct ConcurrencyTests {
  private static let index = EngineFixture.index

  /// Every write sets the same number in all records, so a search that mixes two states shows it.
  @Test func everySearchSeesOneSnapshot() async throws {
    func records(_ generation: Int64) -> [JSON] {
      (0..<20).map { ["objectID": .string("\($0)"), "generation": .int(generation)] }
    }
    let fixture = try await EngineFixture(records(0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for generation in 1...Thoroughness.count(6, thorough: 30) {
          try await fixture.engine.save(records(Int64(generation)), in: Self.index)
        }
      }
      for _ in 0..<3 {
        group.addTask {
          var last = 0
          for _ in 0..<Thoroughness.count(12, thorough: 60) {
            let hits = try await fixture.search(["hitsPerPage": 100])["hits"]?.arrayValue ?? []
            let generations = Set(hits.compactMap { $0["generation"]?.intValue })
            expectEqual(hits.count, 20)
            expectEqual(generations.count, 1)
            let generation = generations.first ?? -1
            #expect(generation >= last)
            last = generation
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func anAwaitedWriteIsVisibleToTheNextSearch() async throws {
    let fixture = try await EngineFixture()
    for number in 0..<Thoroughness.count(10, thorough: 50) {
      try await fixture.engine.save([["objectID": .string("\(number)")] as JSON], in: Self.index)
      try await expectEqual(fixture.search()["nbHits"]?.intValue, number + 1)
    }
  }

  @Test func concurrentWritesAreAllKept() async throws {
    let engine = LocalSearch()
    let count = Thoroughness.count(6, thorough: 20)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<count {
            let index = number.isMultiple(of: 2) ? "even" : "odd"
            try await engine.save(
              [["objectID": .string("\(writer)-\(number)")] as JSON], in: index)
          }
        }
      }
      try await group.waitForAll()
    }
    expectEqual(engine.recordCount(of: "even"), 4 * count)
    expectEqual(engine.recordCount(of: "odd"), 4 * count)
  }

  @Test func incrementsAreNeverLost() async throws {
    let fixture = try await EngineFixture([["objectID": "1", "n": 0]])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<10 {
            try await fixture.engine.partialUpdate(
              [["objectID": "1", "n": ["_operation": "Increment", "value": 1]] as JSON],
              in: Self.index)
          }
        }
      }
      try await group.waitForAll()
    }
    let record = try await fixture.engine.record(withID: "1", in: Self.index)
    expectEqual(record?["n"], 80)
  }

  @Test func aCancelledCallThrows() async throws {
    let fixture = try await EngineFixture([["objectID": "1"]])
    let task = Task {
      await untilCancelled()
      return try await fixture.search()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let write = Task {
      await untilCancelled()
      try await fixture.engine.save([["objectID": "2"] as JSON], in: Self.index)
    }
    write.cancel()
    await #expect {
      try await write.value
    } throws: { error in
      (error as? SearchError)?.code == .cancelled
    }
    expectEqual(fixture.engine.recordCount(of: Self.index), 1)
  }

  @Test func engineConformsToTheTransportContract() async throws {
    let fixture = try await EngineFixture([["objectID": "1", "name": "Ann"]])
    let findings = await TransportConformance(
      indexName: Self.index, scratchIndexName: "scratch"
    ).findings(for: fixture.engine)
    #expect(findings.isEmpty, "\(findings)")
  }
}
