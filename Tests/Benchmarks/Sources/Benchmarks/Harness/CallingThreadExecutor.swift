import AsyncInstantSearch
import Dispatch
import Synchronization

/// Runs the jobs of tasks on the thread that calls it, one after another, and counts them.
///
/// What is measured then takes no switches of threads, whose cost depends on what else the machine
/// does.
final class CallingThreadExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var count = 0
  }

  private let state = Mutex(State())
  private let hasJob = DispatchSemaphore(value: 0)

  /// How many jobs there were.
  var count: Int { state.withLock { $0.count } }

  /// Whether no job waits.
  var isIdle: Bool { state.withLock { $0.jobs.isEmpty } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { state in
      state.jobs.append(job)
      state.count += 1
    }
    hasJob.signal()
  }

  /// Runs an operation to its end. It may wait for other threads.
  func run(_ body: @escaping @Sendable () async throws -> Void) throws { try value(of: body) }

  /// Runs an operation to its end, and returns its value. It may wait for other threads.
  func value<Value: Sendable>(of body: @escaping @Sendable () async throws -> Value) throws -> Value
  {
    let outcome = Mutex<Result<Value, any Error>?>(nil)
    Task(executorPreference: self) {
      do {
        let value = try await body()
        outcome.withLock { $0 = .success(value) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
    }
    while true {
      if let outcome = outcome.withLock({ $0 }) { return try outcome.get() }
      hasJob.wait()
      runNext()
    }
  }

  /// Runs jobs until there are none.
  func runUntilIdle() {
    while hasJob.wait(timeout: .now()) == .success { runNext() }
  }

  private func runNext() {
    let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    // Safe: the unowned reference is to `self`, which outlives this call. Each job runs once.
    if let job { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
