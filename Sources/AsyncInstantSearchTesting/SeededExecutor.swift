/// Runs tasks on the calling thread, one step at a time, in an order determined by a seed.
///
/// The same seed gives the same order of steps. Many seeds try many orders:
///
///     for seed in UInt64(0)..<300 {
///       let executor = SeededExecutor(seed: seed)
///       let task = Task(executorPreference: executor) { … }
///       executor.runUntilIdle()
///     }
///
/// Tasks, task groups and actors stay on the executor. A plain `Task { }` created inside leaves it.
/// So do the tasks that objects of the libraries create, unless you pass the executor to them: to a
/// `SearchClient`, to the options of a searcher, to a list, to a transport around another one.
public final class SeededExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var generator: SeededGenerator
  }

  private let state: Lock<State>

  /// Creates an executor without work.
  public init(seed: UInt64) {
    state = Lock(State(generator: SeededGenerator(seed: seed)))
  }

  /// Stores a step until it runs.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
  }

  /// Runs steps until none remain, and returns their number.
  @discardableResult
  public func runUntilIdle() -> Int {
    var count = 0
    while let job = takeJob() {
      // Safe: the unowned reference is to `self`, which outlives this call. A job can only be run
      // this way. Each job was removed from the list, so it runs once.
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      count += 1
    }
    return count
  }

  private func takeJob() -> UnownedJob? {
    state.withLock { state in
      if state.jobs.isEmpty { return nil }
      let position = Int.random(in: state.jobs.indices, using: &state.generator)
      state.jobs.swapAt(position, state.jobs.count - 1)
      return state.jobs.popLast()
    }
  }
}

/// A random number generator with a reproducible sequence for each seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var base: SplitMix64

  /// Creates a generator.
  public init(seed: UInt64) {
    base = SplitMix64(seed: seed)
  }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    base.next()
  }
}
