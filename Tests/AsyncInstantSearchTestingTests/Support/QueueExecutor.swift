import AsyncInstantSearch

/// Runs tasks on the calling thread in the order in which they became ready: the order in which
/// their continuations were resumed.
final class QueueExecutor: TaskExecutor {
  private let jobs = Lock<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs steps until there are none.
  func runUntilIdle() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      // Safe: the unowned reference is to `self`, and every job is taken out and run once.
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
