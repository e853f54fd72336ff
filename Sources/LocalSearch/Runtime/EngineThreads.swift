import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
///
/// A long read pauses after each turn of half a millisecond if reads of other owners wait, and
/// after eight turns if only reads of its own owner wait. It keeps its thread. The owners of reads,
/// which are engines and the clients of a service, take turns. So do the waiting and the paused
/// reads of an owner. No read, however expensive, keeps another owner waiting for longer than a few
/// turns.
package final class EngineThreads: Sendable {
  /// The threads of all engines without a custom executor.
  package static let shared = EngineThreads(
    coreCount: ProcessInfo.processInfo.activeProcessorCount)

  /// The kind of a call.
  package enum Kind: Int, Sendable, Hashable, CaseIterable {
    case read, write
    /// Work that can take seconds: loading records, and opening, saving and closing files.
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

  /// A waiter for a place.
  private enum Waiting: Sendable {
    case work(Work, owner: CallOwner)
    /// The thread of a read that paused.
    case thread(DispatchSemaphore)
  }

  /// The remaining steps after the work of a call.
  private struct Completion {
    /// Passes the outcome to the caller.
    let deliver: () -> Void
    let leftovers: DeferredReleases
  }

  private enum CallStart: Sendable {
    case begin(Kind, Work, owner: CallOwner, thread: Int)
    case resume(DispatchSemaphore)
  }

  private struct State {
    /// The calls by the number of their kind.
    var calls: [CallQueue<Waiting>]
    /// The indices of the idle threads.
    var idle: [Int]

    subscript(kind: Kind) -> CallQueue<Waiting> {
      get { calls[kind.rawValue] }
      _modify { yield &calls[kind.rawValue] }
    }

    /// Starts calls while threads and limits allow, and returns them.
    mutating func starts() -> [CallStart] {
      var result: [CallStart] = []
      while let thread = idle.last, let (kind, waiting) = begin() {
        switch waiting {
        case .work(let work, let owner):
          idle.removeLast()
          result.append(.begin(kind, work, owner: owner, thread: thread))
        case .thread(let semaphore):
          result.append(.resume(semaphore))
        }
      }
      return result
    }

    private mutating func begin() -> (Kind, Waiting)? {
      for kind in Kind.allCases {
        if let waiting = self[kind].begin() { return (kind, waiting) }
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

  /// The length of a turn.
  private let turn: Duration

  /// The number of reads that one owner can have begun, for each core.
  private static let ownerLimit = 8

  /// The number of reads of all owners that can have begun. A paused one keeps its thread. Outside
  /// Apple platforms, Dispatch has 255 threads, which the calls that run need as well: without one,
  /// no paused read would ever go on.
  private static func begunLimit(coreCount: Int) -> Int {
    max(coreCount, min(24 * coreCount, 200 - 4 * coreCount))
  }

  /// Creates threads for a number of cores. None starts before there is work.
  ///
  /// - Parameter turn: The time after which a read pauses if others wait.
  package init(coreCount: Int, turn: Duration = .microseconds(500)) {
    self.turn = turn
    let coreCount = max(1, coreCount)
    let calls = Kind.allCases.map { kind in
      CallQueue<Waiting>(
        limit: coreCount, ownerLimit: kind == .read ? coreCount * Self.ownerLimit : .max,
        begunLimit: kind == .read ? Self.begunLimit(coreCount: coreCount) : .max)
    }
    // Twice the maximum number of calls, because a finished call may still release its memory.
    let count = 2 * coreCount * Kind.allCases.count + Self.begunLimit(coreCount: coreCount)
    threads = (0..<count).map {
      DispatchQueue(
        label: "LocalSearch.\($0)", qos: .userInitiated, autoreleaseFrequency: .workItem)
    }
    state = Lock(State(calls: calls, idle: Array(threads.indices)))
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
        for _ in 0..<count { state[.read].giveBack() }
        return state.starts()
      })
  }

  /// Runs the work of a call on one of the threads.
  ///
  /// Before the work starts, cancellation or the deadline ends the call at once. After that, the
  /// work's outcome is the call's outcome.
  ///
  /// - Parameters:
  ///   - owner: The engine and its client, which take turns with others.
  ///   - body: The work. Values kept in its argument are released after the caller has the outcome.
  /// - Throws: `CancellationError`, or `SearchError` with code `timedOut`, if the work did not
  ///   start. Otherwise the error of the work.
  package func run<Result: Sendable>(
    _ kind: Kind, of owner: CallOwner = CallOwner(), until deadline: Deadline?,
    _ body: @escaping @Sendable (DeferredReleases) throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    let outcome = Promise<Swift.Result<Result, any Error>>()
    // The body is released before the caller has the outcome, with the snapshots that it captures.
    let waiting = Lock<(@Sendable (DeferredReleases) throws -> Result)?>(body)
    let (number, waits) = append(
      kind, owner,
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
  private func append(
    _ kind: Kind, _ owner: CallOwner, _ work: Work
  ) -> (number: UInt64, waits: Bool) {
    let (number, starts) = state.withLock { state in
      (state[kind].append(.work(work, owner: owner), of: owner), state.starts())
    }
    start(starts)
    // A call waits only if no call of its kind can start, so no other call was started.
    return (number, starts.isEmpty)
  }

  private func start(_ starts: [CallStart]) {
    for start in starts {
      switch start {
      case .begin(let kind, let work, let owner, let thread):
        threads[thread].async { self.run(kind, work, owner, thread) }
      case .resume(let semaphore):
        semaphore.signal()
      }
    }
  }

  private func run(_ kind: Kind, _ work: Work, _ owner: CallOwner, _ thread: Int) {
    let completion = work.run()
    if completion.leftovers.isEmpty {
      // This thread takes the next call, because it already runs.
      end(kind, of: owner, freeing: thread)
      completion.deliver()
    } else {
      end(kind, of: owner, freeing: nil)
      completion.deliver()
      completion.leftovers.release()
      end(nil, of: owner, freeing: thread)
    }
  }

  private func end(_ kind: Kind?, of owner: CallOwner, freeing thread: Int?) {
    start(
      state.withLock { state in
        if let kind { state[kind].end(of: owner) }
        if let thread { state.idle.append(thread) }
        return state.starts()
      })
  }

  /// Ends a call that has not started.
  private func withdraw(_ kind: Kind, _ number: UInt64, _ error: any Error) {
    if case .work(let work, _) = state.withLock({ $0[kind].remove(number) }) { work.fail(error) }
  }
}

extension EngineThreads {
  /// Returns the turns of a thread that works for a read of an engine.
  package func turns(of owner: CallOwner) -> ReadTurns { ReadTurns(self, owner, turn) }

  /// Lets other reads run if some wait, on the thread of a read. Returns when it is its turn again.
  ///
  /// - Parameter forOwn: Whether reads of the same owner may run too.
  /// - Returns: Whether others ran.
  fileprivate func pauseRead(of owner: CallOwner, forOwn: Bool) -> Bool {
    let semaphore = DispatchSemaphore(value: 0)
    let starts: [CallStart]? = state.withLock { state in
      guard state[.read].pause(of: owner, forOwn: forOwn, .thread(semaphore)) else { return nil }
      return state.starts()
    }
    guard let starts else { return false }
    start(starts)
    semaphore.wait()
    return true
  }
}

/// The turns of one thread of a read.
package struct ReadTurns {
  private let threads: EngineThreads
  private let owner: CallOwner
  private let length: UInt64
  private var end: UInt64
  /// When reads of the same owner run too. Taking turns would make each of them slower, and none
  /// faster than in the order of arrival, unless one is very long.
  private var ownEnd: UInt64
  private static let ownLength: UInt64 = 8
  /// The length of the first turn, as a multiple of the others: most reads end in it.
  private static let firstLength: UInt64 = 4

  fileprivate init(_ threads: EngineThreads, _ owner: CallOwner, _ length: Duration) {
    self.threads = threads
    self.owner = owner
    let (seconds, attoseconds) = length.components
    self.length =
      UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
    let now = DispatchTime.now().uptimeNanoseconds
    end = now &+ self.length &* Self.firstLength
    ownEnd = now &+ self.length &* Self.ownLength
  }

  /// Lets other reads run if the turn is over. The next turn begins when this returns.
  mutating func pauseIfOver() {
    let now = DispatchTime.now().uptimeNanoseconds
    guard now >= end else { return }
    // The reads may occupy all cores. Without this, a thread that takes a response waits for the
    // end of the system's turn, which is longer.
    if now >= ownEnd { _ = sched_yield() }
    let hasPaused = threads.pauseRead(of: owner, forOwn: now >= ownEnd)
    let next = DispatchTime.now().uptimeNanoseconds
    end = next &+ length
    if hasPaused { ownEnd = next &+ length &* Self.ownLength }
  }

  /// Returns the turns of another thread that works for the same read. The first begins now.
  func ofOtherThread() -> ReadTurns { threads.turns(of: owner) }
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
