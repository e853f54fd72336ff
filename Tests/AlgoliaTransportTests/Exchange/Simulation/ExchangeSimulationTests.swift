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
  ///
  /// Then each seed is printed before it runs, because an error in memory ends the process.
  @Suite(.serialized, .timeLimit(.minutes(30))) struct ExchangeSimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seedCount =
      environment["ASYNC_INSTANTSEARCH_EXCHANGE_SEEDS"].flatMap { UInt64($0) }
    private static let firstSeed =
      environment["ASYNC_INSTANTSEARCH_EXCHANGE_FIRST_SEED"].flatMap { UInt64($0) }
    private static let prints = seedCount != nil || firstSeed != nil
    private static let seeds = (0..<(seedCount ?? 12)).map { (firstSeed ?? 1) &+ $0 }

    @Test(arguments: seeds)
    func everyCallEndsOnceAsPlanned(seed: UInt64) async throws {
      if Self.prints {
        try FileHandle.standardError.write(contentsOf: Data("Exchange simulation \(seed)\n".utf8))
      }
      let problems = try await SimulationRun.problems(in: SimulatedScenario(seed: seed))
      #expect(problems == [], "seed \(seed)")
    }
  }
#endif
