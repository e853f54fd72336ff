#if os(Linux)
  @testable import AsyncInstantSearch
  import Foundation
  import TestSupport
  import Testing

  /// Random calls of several exchanges at once, with names, proxies, faults, cancellations and time
  /// limits.
  ///
  /// The seed determines the calls, but not how the threads interleave.
  @Suite(.serialized, .timeLimit(.minutes(30))) struct ExchangeSimulationTests {
    @Test(arguments: Seed.all(100, quick: 12))
    func everyCallEndsOnceAsPlanned(seed: Seed) async throws {
      let problems = try await SimulationRun.problems(in: SimulatedScenario(seed: seed.value))
      expectEqual(problems, [], "seed \(seed)")
    }

    /// Runs in a separate process, whose descriptors are those of the simulations only.
    @Test func simulationsLeaveNoDescriptors() async {
      await #expect(processExitsWith: .success) {
        func openDescriptors() throws -> Int {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        func run(_ seeds: ClosedRange<UInt64>) async throws {
          for seed in seeds {
            let problems = try await SimulationRun.problems(in: SimulatedScenario(seed: seed))
            expectEqual(problems, [], "seed \(seed)")
          }
        }
        // What the process keeps open is open afterwards.
        try await run(1001...1002)
        let before = try openDescriptors()
        // A simulation has one to three exchanges, each with two descriptors of its own. The last
        // ones can be closed a little later.
        try await run(1003...1010)
        #expect(try openDescriptors() < before + 10)
      }
    }
  }
#endif
