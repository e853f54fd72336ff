/// Gives writes their turns, first come, first served.
///
/// A turn is for some indices, or for all of them. A write joins the queues of its indices at one
/// moment, and has its turn when it is the first in all of them. So two writes never wait for each
/// other, in whatever order they name their indices, and no write overtakes one that waits.
///
/// Coming and leaving take time in proportion to the number of indices, and to no more than a move
/// of memory for those who wait.
package final class WriteTurns: Sendable {
  /// A turn that a write waits for or has; it has to be given back.
  package struct Turn: Sendable {
    fileprivate let number: UInt64
    /// Brings the turn; `nil` when it came at once.
    fileprivate let waiter: Waiter<Void>?
    /// The indices that may be written; `nil` for all.
    let indexNames: Set<String>?

    /// Whether it has not come yet, or had not when it was joined.
    package var waits: Bool { waiter != nil }

    /// Whether an index may be written in this turn.
    func includes(_ indexName: String) -> Bool { indexNames?.contains(indexName) ?? true }
  }

  private let state = Lock(TurnState())

  /// Creates empty queues.
  package init() {}

  /// How many writes wait or have their turn.
  package var count: Int { state.withLock { $0.count } }

  /// Joins the queues of some indices.
  ///
  /// - Parameter indexNames: The indices to be written; `nil` for all, those included that do not
  ///   exist.
  package func join(_ indexNames: Set<String>?) -> Turn {
    let waiter = Waiter<Void>()
    let (number, isFirst) = state.withLock { $0.add(indexNames, waiter) }
    return Turn(number: number, waiter: isFirst ? nil : waiter, indexNames: indexNames)
  }

  /// Waits for the turn; called once.
  ///
  /// - Parameters:
  ///   - deadline: When the wait is to end.
  ///   - executor: Runs the task that waits for the deadline; the global one by default.
  /// - Throws: `CancellationError` as soon as the task is cancelled, `SearchError` of code
  ///   `timedOut` as soon as the deadline has passed. The turn has to be given back nevertheless.
  package func wait(
    for turn: Turn, until deadline: Deadline? = nil, executor: (any TaskExecutor)? = nil
  ) async throws {
    try await turn.waiter?.value(until: deadline, executor: executor)
  }

  /// Gives a turn back, whether it came or not.
  package func end(_ turn: Turn) {
    for waiter in state.withLock({ $0.remove(turn.number) }) { waiter.fulfill(with: .success(())) }
  }
}

/// The queues of the indices.
private struct TurnState {
  private struct Entry {
    /// The indices; `nil` for all.
    let indexNames: Set<String>?
    let waiter: Waiter<Void>
    /// The queues in which it stands.
    var queues: [String] = []
    /// In how many of them others stand before it.
    var blockCount = 0
  }

  private var lastNumber: UInt64 = 0
  private var entries: [UInt64: Entry] = [:]
  /// The numbers of those who wait for an index, ascending; the first one has it.
  private var queues: [String: [UInt64]] = [:]
  /// The one who waits for all indices or has them.
  private var exclusive: UInt64?
  /// Those who came after it, in no queue yet, ascending.
  private var later: [UInt64] = []

  var count: Int { entries.count }

  /// Adds one who comes; whether it has its turn at once.
  mutating func add(
    _ indexNames: Set<String>?, _ waiter: Waiter<Void>
  ) -> (number: UInt64, isFirst: Bool) {
    lastNumber += 1
    let number = lastNumber
    entries[number] = Entry(indexNames: indexNames, waiter: waiter)
    if exclusive != nil {
      later.append(number)
      return (number, false)
    }
    return (number, enqueue(number))
  }

  /// Removes one, whether it had its turn or not, and returns those whose turn it is now.
  mutating func remove(_ number: UInt64) -> [Waiter<Void>] {
    guard let entry = entries.removeValue(forKey: number) else { return [] }
    var next: [Waiter<Void>] = []
    for name in entry.queues {
      guard var queue = queues.removeValue(forKey: name) else { continue }
      let place = queue.partitionPoint { $0 < number }
      queue.remove(at: place)
      guard let first = queue.first else { continue }
      queues[name] = queue
      if place == 0, unblock(first), let entry = entries[first] { next.append(entry.waiter) }
    }
    if exclusive == number {
      exclusive = nil
      let waiting = later
      later = []
      for (place, number) in waiting.enumerated() {
        if enqueue(number), let entry = entries[number] { next.append(entry.waiter) }
        if exclusive != nil {
          later = Array(waiting[(place + 1)...])
          break
        }
      }
    } else {
      let place = later.partitionPoint { $0 < number }
      if place < later.count, later[place] == number { later.remove(at: place) }
    }
    return next
  }

  /// Puts one into its queues; whether it is the first in all of them.
  private mutating func enqueue(_ number: UInt64) -> Bool {
    guard let indexNames = entries[number]?.indexNames.map(Array.init) else {
      exclusive = number
      return join(Array(queues.keys), number)
    }
    return join(indexNames, number)
  }

  private mutating func join(_ names: [String], _ number: UInt64) -> Bool {
    var blockCount = 0
    for name in names {
      if queues[name] != nil { blockCount += 1 }
      queues[name, default: []].append(number)
    }
    entries[number]?.queues = names
    entries[number]?.blockCount = blockCount
    return blockCount == 0
  }

  /// Notes that one has become the first of a queue; whether it is now the first in all of them.
  private mutating func unblock(_ number: UInt64) -> Bool {
    guard var entry = entries[number] else { return false }
    entry.blockCount -= 1
    entries[number] = entry
    return entry.blockCount == 0
  }
}
