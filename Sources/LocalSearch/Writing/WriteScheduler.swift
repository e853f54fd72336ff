/// Admits writes in the order of their requests.
///
/// A permit is for some indices, or for all of them. A request is added to the queues of its
/// indices at once, and is granted when it is the first in all of them. So two writes never wait
/// for each other, regardless of the order of their indices, and no write overtakes a waiting one.
///
/// Requesting and releasing take time in proportion to the number of indices, and may move the
/// memory of the waiting requests.
package final class WriteScheduler: Sendable {
  /// A permit to write, pending or granted. It must be released.
  package struct Permit: Sendable {
    fileprivate let number: UInt64
    /// The waiter for the permit, or `nil` if it was granted at once.
    fileprivate let waiter: Waiter<Void>?
    /// The indices that can be written, or `nil` for all.
    let indexNames: Set<String>?

    /// Whether the permit was not granted at once.
    package var isPending: Bool { waiter != nil }

    /// Whether the permit includes an index.
    func includes(_ indexName: String) -> Bool { indexNames?.contains(indexName) ?? true }
  }

  private let state = Lock(SchedulerState())

  /// Creates empty queues.
  package init() {}

  /// The number of pending and granted permits.
  package var count: Int { state.withLock { $0.count } }

  /// Requests a permit for some indices.
  ///
  /// - Parameter indexNames: The indices to write, or `nil` for all, including missing ones.
  package func request(_ indexNames: Set<String>?) -> Permit {
    let waiter = Waiter<Void>()
    let (number, isFirst) = state.withLock { $0.add(indexNames, waiter) }
    return Permit(number: number, waiter: isFirst ? nil : waiter, indexNames: indexNames)
  }

  /// Waits until a permit is granted. Call it once.
  ///
  /// - Parameters:
  ///   - deadline: The deadline of the wait.
  ///   - executor: The executor of the task that waits for the deadline. Defaults to the global
  ///     one.
  /// - Throws: `CancellationError` as soon as the task is cancelled, or `SearchError` with code
  ///   `timedOut` as soon as the deadline passes. The permit must still be released.
  package func wait(
    for permit: Permit, until deadline: Deadline? = nil, executor: (any TaskExecutor)? = nil
  ) async throws {
    try await permit.waiter?.value(until: deadline, executor: executor)
  }

  /// Releases a permit, granted or pending.
  package func release(_ permit: Permit) {
    for waiter in state.withLock({ $0.remove(permit.number) }) {
      waiter.fulfill(with: .success(()))
    }
  }
}

/// The queues of the indices.
private struct SchedulerState {
  private struct Entry {
    /// The indices, or `nil` for all.
    let indexNames: Set<String>?
    let waiter: Waiter<Void>
    /// The queues that contain the entry.
    var queues: [String] = []
    /// The number of queues in which other entries are before it.
    var blockCount = 0
  }

  private var lastNumber: UInt64 = 0
  private var entries: [UInt64: Entry] = [:]
  /// The numbers of the entries for an index, in ascending order. The first one has the permit.
  private var queues: [String: [UInt64]] = [:]
  /// The entry for all indices, pending or granted.
  private var exclusive: UInt64?
  /// The later entries, which are in no queue yet, in ascending order.
  private var later: [UInt64] = []

  var count: Int { entries.count }

  /// Adds an entry, and returns whether it is granted at once.
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

  /// Removes an entry, granted or pending, and returns the waiters that are granted now.
  mutating func remove(_ number: UInt64) -> [Waiter<Void>] {
    guard let entry = entries.removeValue(forKey: number) else { return [] }
    var next: [Waiter<Void>] = []
    for name in entry.queues {
      guard var queue = queues.removeValue(forKey: name) else { continue }
      let index = queue.partitionPoint { $0 < number }
      queue.remove(at: index)
      guard let first = queue.first else { continue }
      queues[name] = queue
      if index == 0, unblock(first), let entry = entries[first] { next.append(entry.waiter) }
    }
    if exclusive == number {
      exclusive = nil
      let waiting = later
      later = []
      for (index, number) in waiting.enumerated() {
        if enqueue(number), let entry = entries[number] { next.append(entry.waiter) }
        if exclusive != nil {
          later = Array(waiting[(index + 1)...])
          break
        }
      }
    } else {
      let index = later.partitionPoint { $0 < number }
      if index < later.count, later[index] == number { later.remove(at: index) }
    }
    return next
  }

  /// Adds an entry to its queues, and returns whether it is the first in all of them.
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

  /// Records that an entry is now the first of a queue, and returns whether it is the first in all
  /// of them.
  private mutating func unblock(_ number: UInt64) -> Bool {
    guard var entry = entries[number] else { return false }
    entry.blockCount -= 1
    entries[number] = entry
    return entry.blockCount == 0
  }
}
