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
/// All engines of a process share these threads. At most as many reads work at once as there are
/// cores, and as many writes besides, so neither waits for the other. A thread exists while it has
/// work, and ends soon after. A thread that has done one call takes the next one itself: a call
/// that waits has no thread, and starting it wakes none.
package final class EngineThreads: Sendable {
  /// The threads of all engines that have no executor of their own.
  package static let shared = EngineThreads(
    coreCount: ProcessInfo.processInfo.activeProcessorCount)

  package typealias Kind = TransportRequest.CallType

  /// The work of one call.
  private struct Work: Sendable {
    /// Does the work.
    let run: @Sendable () -> Completion
    /// Gives an error to the caller instead.
    let refuse: @Sendable (any Error) -> Void
  }

  /// What is left to do after the work of a call.
  private struct Completion {
    /// Gives the outcome to the caller.
    let deliver: () -> Void
    let leftovers: Leftovers
  }

  private struct Beginning: Sendable {
    let kind: Kind
    let work: Work
    let thread: Int
  }

  private struct State {
    var reads: CallQueue<Work>
    var writes: CallQueue<Work>
    /// The numbers of the threads without work.
    var idle: [Int]

    mutating func append(_ kind: Kind, _ work: Work) -> UInt64 {
      kind == .read ? reads.append(work) : writes.append(work)
    }

    mutating func remove(_ kind: Kind, _ number: UInt64) -> Work? {
      kind == .read ? reads.remove(number) : writes.remove(number)
    }

    mutating func end(_ kind: Kind) {
      if kind == .read { reads.end() } else { writes.end() }
    }

    /// The calls that may begin.
    mutating func beginnings() -> [Beginning] {
      var result: [Beginning] = []
      while let thread = idle.last, let (kind, work) = begin() {
        idle.removeLast()
        result.append(Beginning(kind: kind, work: work, thread: thread))
      }
      return result
    }

    private mutating func begin() -> (Kind, Work)? {
      if let read = reads.begin() { return (.read, read) }
      return writes.begin().map { (.write, $0) }
    }
  }

  /// Serial queues, as each of these has a thread of its own, which is not one of the pool's. All
  /// have the same priority: a thread that a background load has woken runs searches next.
  private let threads: [DispatchQueue]
  private let state: Lock<State>

  /// Creates threads for so many cores; none of them starts before there is work.
  package init(coreCount: Int) {
    let calls = CallQueue<Work>(limit: coreCount)
    // Twice as many as calls may work: a call that has ended may still release its memory.
    threads = (0..<4 * calls.limit).map {
      DispatchQueue(
        label: "LocalSearch.\($0)", qos: .userInitiated, autoreleaseFrequency: .workItem)
    }
    state = Lock(State(reads: calls, writes: calls, idle: Array(threads.indices)))
  }

  /// How many calls work, each on a thread.
  package var workingCount: Int {
    state.withLock { $0.reads.workingCount + $0.writes.workingCount }
  }

  /// How many calls wait, none of them on a thread.
  package var waitingCount: Int {
    state.withLock { $0.reads.waitingCount + $0.writes.waitingCount }
  }

  /// Runs the work of a call on one of the threads.
  ///
  /// Until the work begins, a cancellation or the deadline ends the call at once. Then its outcome
  /// is the outcome of the call.
  ///
  /// - Parameter body: The work. What it leaves in its argument is released after the caller has
  ///   the outcome.
  /// - Throws: `CancellationError` or `SearchError` of code `timedOut` when the work did not begin,
  ///   else what it throws.
  package func run<Result: Sendable>(
    _ kind: Kind, until deadline: Deadline?,
    _ body: @escaping @Sendable (Leftovers) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let outcome = Promise<Swift.Result<Result, any Error>>()
    let (number, waits) = append(
      kind,
      Work(
        run: {
          let leftovers = Leftovers()
          let result = Swift.Result { try body(leftovers) }
          return Completion(deliver: { outcome.fulfill(with: result) }, leftovers: leftovers)
        },
        refuse: { outcome.fulfill(with: .failure($0)) }))
    let timeout = (waits ? deadline : nil).map { deadline in
      Task {
        if await deadline.waitUntilPassed() { withdraw(kind, number, SearchError.deadlinePassed) }
      }
    }
    defer { timeout?.cancel() }
    return try await withTaskCancellationHandler {
      await outcome.outcome()
    } onCancel: {
      withdraw(kind, number, CancellationError())
    }.get()
  }

  /// Adds a call; whether it waits.
  private func append(_ kind: Kind, _ work: Work) -> (number: UInt64, waits: Bool) {
    let (number, beginnings) = state.withLock { state in
      (state.append(kind, work), state.beginnings())
    }
    start(beginnings)
    // A call waits only while none of its kind may begin, so no other one began.
    return (number, beginnings.isEmpty)
  }

  private func start(_ beginnings: [Beginning]) {
    for beginning in beginnings {
      threads[beginning.thread].async { self.run(beginning) }
    }
  }

  private func run(_ beginning: Beginning) {
    let completion = beginning.work.run()
    if completion.leftovers.isEmpty {
      // The next call is for this thread, which runs already.
      end(beginning.kind, freeing: beginning.thread)
      completion.deliver()
    } else {
      end(beginning.kind, freeing: nil)
      completion.deliver()
      completion.leftovers.release()
      end(nil, freeing: beginning.thread)
    }
  }

  private func end(_ kind: Kind?, freeing thread: Int?) {
    start(
      state.withLock { state in
        if let kind { state.end(kind) }
        if let thread { state.idle.append(thread) }
        return state.beginnings()
      })
  }

  /// Ends a call that has not begun.
  private func withdraw(_ kind: Kind, _ number: UInt64, _ error: any Error) {
    state.withLock { $0.remove(kind, number) }?.refuse(error)
  }
}

/// What the work of a call needs no more, and what takes long to release: the outcome of the call
/// does not wait for it.
package final class Leftovers {
  private var values: [Any] = []

  package init() {}

  var isEmpty: Bool { values.isEmpty }

  /// Keeps a value until the caller has the outcome.
  package func keep(_ value: Any) { values.append(value) }

  func release() { values = [] }
}

/// Decides which calls may work at once, first come, first served.
///
/// A call that waits can be removed at any time. All takes constant time on average.
package struct CallQueue<Call> {
  /// How many calls may work at once.
  package let limit: Int
  /// How many calls work.
  package private(set) var workingCount = 0
  private var lastNumber: UInt64 = 0
  /// The calls that wait, by number.
  private var waiting: [UInt64: Call] = [:]
  /// Their numbers in the order in which they came, and those of some that were removed.
  private var order = Queue<UInt64>()

  /// Creates an empty queue whose limit is at least one.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// How many calls wait.
  package var waitingCount: Int { waiting.count }

  /// How many places it takes to keep them, those of removed calls counted.
  package var keptCount: Int { order.count }

  /// Adds a call, and returns a number to remove it by.
  package mutating func append(_ call: Call) -> UInt64 {
    lastNumber += 1
    waiting[lastNumber] = call
    order.append(lastNumber)
    return lastNumber
  }

  /// Removes a call that waits; `nil` if it has begun.
  package mutating func remove(_ number: UInt64) -> Call? {
    guard let call = waiting.removeValue(forKey: number) else { return nil }
    // Removed numbers are forgotten when they are more than those that wait.
    if order.count > 2 * waiting.count + 16 {
      var rest = Queue<UInt64>()
      for number in waiting.keys.sorted() { rest.append(number) }
      order = rest
    }
    return call
  }

  /// Lets the call begin that waits longest, if one more may work; its end has to be reported with
  /// ``end()``.
  package mutating func begin() -> Call? {
    guard workingCount < limit else { return nil }
    while let number = order.popFirst() {
      guard let call = waiting.removeValue(forKey: number) else { continue }
      workingCount += 1
      return call
    }
    return nil
  }

  /// Ends a call that has begun.
  package mutating func end() { workingCount -= 1 }
}

extension CallQueue: Sendable where Call: Sendable {}
