import AsyncInstantSearch
import Dispatch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The threads on which engines work, apart from the pool of Swift's concurrency.
///
/// The work of a call has no suspension points. On the pool, as many calls as the machine has cores
/// would stop every task of the process, timers and cancellations included.
///
/// All engines of a process share these threads. A thread exists while it has jobs, and ends soon
/// after. Jobs begin in the order in which they came, whatever their priority.
package final class EngineThreads: TaskExecutor {
  /// The threads of all engines that have no executor of their own.
  package static let shared = EngineThreads(
    coreCount: ProcessInfo.processInfo.activeProcessorCount)

  private struct State {
    /// The jobs that wait.
    var jobs = Queue<UnownedJob>()
    /// The numbers of the queues that have no jobs.
    var idle: [Int]
  }

  /// Which calls may work now.
  package let places: WorkPlaces
  /// Serial queues, as each of these has a thread of its own, which is not one of the pool's. All
  /// have the same priority: a thread that a background load has woken runs searches next.
  private let queues: [DispatchQueue]
  private let state: Lock<State>

  /// Creates threads for so many cores; none of them starts before there is a job.
  package init(coreCount: Int) {
    places = WorkPlaces(limit: coreCount)
    queues = (0..<places.limit + 1).map {
      DispatchQueue(label: "LocalSearch.\($0)", qos: .userInitiated)
    }
    state = Lock(State(idle: Array(queues.indices)))
  }

  /// How many threads have jobs now.
  package var busyCount: Int { queues.count - state.withLock { $0.idle.count } }

  /// Runs a job on one of the threads, after those that came before.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let idle = state.withLock { state in
      state.jobs.append(job)
      return state.idle.popLast()
    }
    if let idle { queues[idle].async { self.runJobs(on: idle) } }
  }

  private func runJobs(on queue: Int) {
    while let job = nextJob(for: queue) {
      // Safe: the unowned reference is to `self`, which outlives this call, and there is no other
      // way to run a job. Every job was taken out of the list, so it is run exactly once.
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// The next job; without one the queue becomes idle.
  private func nextJob(for queue: Int) -> UnownedJob? {
    state.withLock { state in
      let job = state.jobs.popFirst()
      if job == nil { state.idle.append(queue) }
      return job
    }
  }
}
