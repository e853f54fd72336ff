package import AsyncInstantSearch
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
/// All engines of a process share these threads. A thread exists while it has work, and ends soon
/// after. A thread that has done one call takes the next one itself: a call that waits has no
/// thread, and costs none a wake-up.
package final class EngineThreads: Sendable {
  /// The threads of all engines that have no executor of their own.
  package static let shared = EngineThreads(
    coreCount: ProcessInfo.processInfo.activeProcessorCount)

  /// The work of one call.
  private struct Work: Sendable {
    /// Does the work, and returns how the caller gets its outcome.
    let run: @Sendable () -> () -> Void
    /// Gives an error to the caller instead.
    let refuse: @Sendable (any Error) -> Void
  }

  private struct State {
    var calls: CallQueue<Work>
    /// The numbers of the threads without work.
    var idle: [Int]

    /// The calls that may begin, each with a thread.
    mutating func beginnings() -> [(CallQueue<Work>.Beginning, thread: Int)] {
      var result: [(CallQueue<Work>.Beginning, thread: Int)] = []
      // There is a thread for each call that may work.
      while let thread = idle.last, let beginning = calls.begin() {
        idle.removeLast()
        result.append((beginning, thread))
      }
      return result
    }
  }

  /// Serial queues, as each of these has a thread of its own, which is not one of the pool's. All
  /// have the same priority: a thread that a background load has woken runs searches next.
  private let threads: [DispatchQueue]
  private let state: Lock<State>

  /// Creates threads for so many cores; none of them starts before there is work.
  package init(coreCount: Int) {
    let calls = CallQueue<Work>(limit: coreCount)
    // One more for the read that works beside writes.
    threads = (0...calls.limit).map {
      DispatchQueue(
        label: "LocalSearch.\($0)", qos: .userInitiated, autoreleaseFrequency: .workItem)
    }
    state = Lock(State(calls: calls, idle: Array(threads.indices)))
  }

  /// How many calls work, each on a thread.
  package var workingCount: Int { state.withLock { $0.calls.workingCount } }

  /// How many calls wait, none of them on a thread.
  package var waitingCount: Int { state.withLock { $0.calls.waitingCount } }

  /// Runs the work of a call on one of the threads.
  ///
  /// Until the work begins, a cancellation or the deadline ends the call at once. Then its outcome
  /// is the outcome of the call.
  ///
  /// - Throws: `CancellationError` or `SearchError` of code `timedOut` when the work did not begin,
  ///   else what it throws.
  package func run<Result: Sendable>(
    _ kind: TransportRequest.CallType, until deadline: Deadline?,
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let outcome = Settlement<Swift.Result<Result, any Error>>()
    let (number, waits) = append(
      kind,
      Work(
        run: {
          let result = Swift.Result(catching: body)
          return { outcome.settle(result) }
        },
        refuse: { outcome.settle(.failure($0)) }))
    let timer = waits ? deadline : nil
    let timeout = timer.map { deadline in
      Task {
        if await deadline.passes() { withdraw(number, SearchError.deadlinePassed) }
      }
    }
    defer { timeout?.cancel() }
    return try await withTaskCancellationHandler {
      await outcome.outcome()
    } onCancel: {
      withdraw(number, CancellationError())
    }.get()
  }

  /// Adds a call; whether it waits.
  private func append(
    _ kind: TransportRequest.CallType, _ work: Work
  ) -> (number: UInt64, waits: Bool) {
    let (number, beginnings) = state.withLock { state in
      (state.calls.append(kind, work), state.beginnings())
    }
    start(beginnings)
    // A call waits only while its kind may not begin, so no other one began.
    return (number, beginnings.isEmpty)
  }

  private func start(_ beginnings: [(CallQueue<Work>.Beginning, thread: Int)]) {
    for (beginning, thread) in beginnings {
      threads[thread].async {
        let deliver = beginning.call.run()
        self.end(beginning.kind, on: thread)
        deliver()
      }
    }
  }

  private func end(_ kind: TransportRequest.CallType, on thread: Int) {
    start(
      state.withLock { state in
        state.calls.end(kind)
        // The next call is for this thread, which runs already.
        state.idle.append(thread)
        return state.beginnings()
      })
  }

  /// Ends a call that has not begun.
  private func withdraw(_ number: UInt64, _ error: any Error) {
    state.withLock { $0.calls.remove(number) }?.refuse(error)
  }
}
