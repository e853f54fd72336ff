#if os(Linux)
  import AsyncInstantSearch
  import Foundation
  import Testing

  /// Random calls of several exchanges at once, with names, proxies, faults, cancellations and time
  /// limits.
  ///
  /// The seed determines the calls, but not how the threads interleave. To repeat a seed, or to run
  /// more of them, set these variables of the environment:
  ///
  /// - `ASYNC_INSTANTSEARCH_EXCHANGE_SEEDS`: how many seeds
  /// - `ASYNC_INSTANTSEARCH_EXCHANGE_FIRST_SEED`: the first one
  @Suite(.serialized, .timeLimit(.minutes(30))) struct ExchangeSimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seedCount =
      environment["ASYNC_INSTANTSEARCH_EXCHANGE_SEEDS"].flatMap { UInt64($0) }
    private static let firstSeed =
      environment["ASYNC_INSTANTSEARCH_EXCHANGE_FIRST_SEED"].flatMap { UInt64($0) }
    private static let seeds = (0..<(seedCount ?? 12)).map { (firstSeed ?? 1) &+ $0 }

    @Test(arguments: seeds)
    func everyCallEndsOnceAsPlanned(seed: UInt64) async throws {
      let problems = try await SimulationRun.problems(in: SimulatedScenario(seed: seed))
      #expect(problems == [], "seed \(seed)")
    }

    /// Runs in a separate process, whose descriptors are those of the simulations only.
    @Test func simulationsLeaveNoDescriptors() async {
      await #expect(processExitsWith: .success) {
        func openDescriptors() throws -> Int {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        func run(_ seeds: ClosedRange<UInt64>) async throws {
          for seed in seeds {
            #expect(try await SimulationRun.problems(in: SimulatedScenario(seed: seed)) == [])
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
