@testable import InstantSearchAPI

/// Runs tasks on the calling thread, and calls a probe whenever a job is enqueued.
///
/// A probe that takes a lock detects a continuation resumed while the lock is held.
final class ProbingExecutor: TaskExecutor {
  private let jobs = Lock<[UnownedJob]>([])
  private let probe: @Sendable () -> Void

  init(probe: @escaping @Sendable () -> Void) {
    self.probe = probe
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    probe()
  }

  func runUntilIdle() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      // Safe: the unowned reference is to `self`, which outlives this call; each job runs once.
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
