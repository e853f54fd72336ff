import Dispatch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The threads of engines, separate from the pool of Swift concurrency.
///
/// The work of a call does not suspend. On the pool, as many calls as the machine has cores would
/// block every task of the process, including timers and cancellation.
///
/// All engines of a process share these threads. At most as many reads run at once as there are
/// cores, as many writes, and as much long work, so none waits for another kind. A thread ends soon
/// after its work. A thread that has finished a call takes the next one, so waiting calls have no
/// thread and starting one wakes none.
package final class EngineThreads: Sendable {
  /// The threads of all engines without a custom executor.
  package static let shared = EngineThreads(
    coreCount: ProcessInfo.processInfo.activeProcessorCount)

  /// The kind of a call.
  package enum Kind: Int, Sendable, Hashable, CaseIterable {
    case read, write
    /// What can take seconds: loading records, and opening, saving and closing files.
    case long
  }

  /// The kind of work for which no call waits.
  package enum BackgroundKind: Sendable, Hashable { case merging, checkpoint }

  private static func background(_ name: String) -> DispatchQueue {
    DispatchQueue(label: "LocalSearch.\(name)", qos: .utility, autoreleaseFrequency: .workItem)
  }

  /// The work of one call.
  private struct Work: Sendable {
    /// Runs the work.
    let run: @Sendable () -> Completion
    /// Fails the call with an error instead.
    let fail: @Sendable (any Error) -> Void
  }

  /// The remaining steps after the work of a call.
  private struct Completion {
    /// Passes the outcome to the caller.
    let deliver: () -> Void
    let leftovers: DeferredReleases
  }

  private struct CallStart: Sendable {
    let kind: Kind
    let work: Work
    let thread: Int
  }

  private struct State {
    /// The calls by the number of their kind.
    var calls: [CallQueue<Work>]
    /// The indices of the idle threads.
    var idle: [Int]

    subscript(kind: Kind) -> CallQueue<Work> {
      get { calls[kind.rawValue] }
      _modify { yield &calls[kind.rawValue] }
    }

    /// Starts calls while threads and limits allow, and returns them.
    mutating func starts() -> [CallStart] {
      var result: [CallStart] = []
      while let thread = idle.last, let (kind, work) = begin() {
        idle.removeLast()
        result.append(CallStart(kind: kind, work: work, thread: thread))
      }
      return result
    }

    private mutating func begin() -> (Kind, Work)? {
      for kind in Kind.allCases {
        if let work = self[kind].begin() { return (kind, work) }
      }
      return nil
    }
  }

  /// Serial queues, because each has a separate thread outside the pool. All have the same
  /// priority, because a thread that serves a background load may run a search next.
  private let threads: [DispatchQueue]
  /// One thread for all engines, so that merges take at most one core.
  private let merging = EngineThreads.background("merging")
  /// One thread for all engines, so that a long checkpoint of one delays no merge of another.
  private let checkpoints = EngineThreads.background("checkpoints")
  private let state: Lock<State>

  /// Creates threads for a number of cores. None starts before there is work.
  package init(coreCount: Int) {
    let calls = CallQueue<Work>(limit: coreCount)
    // Twice the maximum number of calls, because a finished call may still release its memory.
    threads = (0..<2 * Kind.allCases.count * calls.limit).map {
      DispatchQueue(
        label: "LocalSearch.\($0)", qos: .userInitiated, autoreleaseFrequency: .workItem)
    }
    state = Lock(
      State(calls: Kind.allCases.map { _ in calls }, idle: Array(threads.indices)))
  }

  /// The number of calls that run, each on a thread.
  package var workingCount: Int {
    state.withLock { $0.calls.reduce(0) { $0 + $1.workingCount } }
  }

  /// The number of waiting calls, which have no thread.
  package var waitingCount: Int {
    state.withLock { $0.calls.reduce(0) { $0 + $1.waitingCount } }
  }

  /// Takes places of reads that no call needs now, for other threads of a read that runs.
  ///
  /// - Returns: The number of places, at most `count`. Give them back with ``returnReads(_:)``.
  package func takeSpareReads(atMost count: Int) -> Int {
    state.withLock { $0[.read].take(atMost: count) }
  }

  /// Gives places of reads back.
  package func returnReads(_ count: Int) {
    start(
      state.withLock { state in
        for _ in 0..<count { state[.read].end() }
        return state.starts()
      })
  }

  /// Runs the work of a call on one of the threads.
  ///
  /// Before the work starts, cancellation or the deadline ends the call at once. After that, the
  /// work's outcome is the call's outcome.
  ///
  /// - Parameter body: The work. Values kept in its argument are released after the caller has the
  ///   outcome.
  /// - Throws: `CancellationError`, or `SearchError` with code `timedOut`, if the work did not
  ///   start. Otherwise the error of the work.
  package func run<Result: Sendable>(
    _ kind: Kind, until deadline: Deadline?,
    _ body: @escaping @Sendable (DeferredReleases) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let outcome = Promise<Swift.Result<Result, any Error>>()
    // The body is released before the caller has the outcome, with the snapshots that it captures.
    let waiting = Lock<(@Sendable (DeferredReleases) throws -> Result)?>(body)
    let (number, waits) = append(
      kind,
      Work(
        run: {
          let leftovers = DeferredReleases()
          let result = Swift.Result<Result, any Error> {
            guard let body = waiting.withLock({ $0.take() }) else { throw CancellationError() }
            return try body(leftovers)
          }
          return Completion(deliver: { outcome.fulfill(with: result) }, leftovers: leftovers)
        },
        fail: { outcome.fulfill(with: .failure($0)) }))
    return try await withDeadlineHandler(waits ? deadline : nil) {
      await withTaskCancellationHandler {
        await outcome.outcome()
      } onCancel: {
        withdraw(kind, number, CancellationError())
      }
    } onPassed: {
      self.withdraw(kind, number, SearchError.deadlinePassed)
    }.get()
  }

  /// Runs work for which no call waits, on a thread for such work only.
  package func runInBackground<Result: Sendable>(
    _ kind: BackgroundKind, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    let outcome = Promise<Swift.Result<Result, any Error>>()
    (kind == .merging ? merging : checkpoints).async {
      outcome.fulfill(with: Swift.Result(catching: body))
    }
    return try await outcome.outcome().get()
  }

  /// Adds a call, and returns whether it waits.
  private func append(_ kind: Kind, _ work: Work) -> (number: UInt64, waits: Bool) {
    let (number, starts) = state.withLock { state in
      (state[kind].append(work), state.starts())
    }
    start(starts)
    // A call waits only if no call of its kind can start, so no other call was started.
    return (number, starts.isEmpty)
  }

  private func start(_ starts: [CallStart]) {
    for start in starts {
      threads[start.thread].async { self.run(start) }
    }
  }

  private func run(_ start: CallStart) {
    let completion = start.work.run()
    if completion.leftovers.isEmpty {
      // This thread takes the next call, because it already runs.
      end(start.kind, freeing: start.thread)
      completion.deliver()
    } else {
      end(start.kind, freeing: nil)
      completion.deliver()
      completion.leftovers.release()
      end(nil, freeing: start.thread)
    }
  }

  private func end(_ kind: Kind?, freeing thread: Int?) {
    start(
      state.withLock { state in
        if let kind { state[kind].end() }
        if let thread { state.idle.append(thread) }
        return state.starts()
      })
  }

  /// Ends a call that has not started.
  private func withdraw(_ kind: Kind, _ number: UInt64, _ error: any Error) {
    state.withLock { $0[kind].remove(number) }?.fail(error)
  }
}

/// Values that take long to release. They are released after the caller has the outcome.
package final class DeferredReleases {
  private var values: [Any] = []

  package init() {}

  var isEmpty: Bool { values.isEmpty }

  /// Keeps a value until the caller has the outcome.
  package func keep(_ value: Any) { values.append(value) }

  func release() { values = [] }
}

/// Limits how many calls run at once, in the order of arrival.
///
/// A waiting call can be removed at any time. All operations take constant time on average.
package struct CallQueue<Call> {
  /// The maximum number of calls that run at once.
  package let limit: Int
  /// The number of calls that run.
  package private(set) var workingCount = 0
  private var lastNumber: UInt64 = 0
  /// The waiting calls, by number.
  private var waiting: [UInt64: Call] = [:]
  /// The numbers of the waiting calls in the order of arrival, and those of some removed calls.
  private var order = Queue<UInt64>()

  /// Creates an empty queue with a limit of at least one.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// The number of waiting calls.
  package var waitingCount: Int { waiting.count }

  /// The number of queue entries, including those of removed calls.
  package var keptCount: Int { order.count }

  /// Adds a call, and returns the number to remove it by.
  package mutating func append(_ call: Call) -> UInt64 {
    lastNumber += 1
    waiting[lastNumber] = call
    order.append(lastNumber)
    return lastNumber
  }

  /// Removes a waiting call. Returns `nil` if it has started.
  package mutating func remove(_ number: UInt64) -> Call? {
    guard let call = waiting.removeValue(forKey: number) else { return nil }
    // Removed numbers are dropped when they outnumber the waiting ones.
    if order.count > 2 * waiting.count + 16 {
      var rest = Queue<UInt64>()
      for number in waiting.keys.sorted() { rest.append(number) }
      order = rest
    }
    return call
  }

  /// Starts the call that has waited longest, if the limit allows. Report its end with ``end()``.
  package mutating func begin() -> Call? {
    guard workingCount < limit else { return nil }
    while let number = order.popFirst() {
      guard let call = waiting.removeValue(forKey: number) else { continue }
      workingCount += 1
      return call
    }
    return nil
  }

  /// Starts calls that are not in the queue, at most as many as would leave places for those that
  /// are. Report the end of each with ``end()``.
  package mutating func take(atMost count: Int) -> Int {
    let taken = max(0, min(count, limit - workingCount - waiting.count))
    workingCount += taken
    return taken
  }

  /// Ends a call that was started.
  package mutating func end() { workingCount -= 1 }
}

extension CallQueue: Sendable where Call: Sendable {}
