import AsyncInstantSearch

/// The current snapshot of every index.
///
/// Readers take a snapshot and go on with it, whatever is written meanwhile. Writers prepare new
/// snapshots outside the lock and publish them together, or not at all when somebody else was first.
final class IndexStore: Sendable {
  /// A snapshot and the number of the publication that made it current.
  struct Entry: Sendable {
    var snapshot: Snapshot
    var stamp: UInt64
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var lastStamp: UInt64 = 0
    var lastTask: Int64 = 0
  }

  private let state = Lock(State())

  /// The current snapshots of all indices, taken at one moment.
  var entries: [String: Entry] { state.withLock { $0.entries } }

  /// The current snapshot of an index; throws when there is no such index.
  func snapshot(of name: String) throws(APIError) -> Snapshot {
    guard let entry = state.withLock({ $0.entries[name] }) else {
      throw APIError.indexNotFound(name)
    }
    return entry.snapshot
  }

  /// Publishes snapshots, `nil` for indices to be removed.
  ///
  /// - Parameter expected: The stamps of the entries that the changes were made from; `nil` where
  ///   there was none.
  /// - Returns: Whether nothing had changed meanwhile; otherwise nothing is published.
  func publish(_ changes: [String: Snapshot?], expecting expected: [String: UInt64?]) -> Bool {
    state.withLock { state in
      for (name, stamp) in expected where state.entries[name]?.stamp != stamp { return false }
      state.lastStamp += 1
      for (name, snapshot) in changes {
        state.entries[name] = snapshot.map { Entry(snapshot: $0, stamp: state.lastStamp) }
      }
      return true
    }
  }

  /// The number of the next write, from 1.
  func nextTask() -> Int64 {
    state.withLock { state in
      state.lastTask += 1
      return state.lastTask
    }
  }
}

/// What one write reads and changes; published as a whole.
struct WriteTransaction {
  private let entries: [String: IndexStore.Entry]
  /// The snapshots to be published, `nil` for indices to be removed.
  private(set) var changes: [String: Snapshot?] = [:]
  /// The stamps of the entries that were looked at.
  private(set) var expected: [String: UInt64?] = [:]

  /// Begins with the current entries.
  init(_ store: IndexStore) { entries = store.entries }

  /// The snapshot of an index as the write sees it; `nil` when there is no such index.
  mutating func snapshot(of name: String) -> Snapshot? {
    expected[name] = .some(entries[name]?.stamp)
    if let change = changes[name] { return change }
    return entries[name]?.snapshot
  }

  /// Sets the snapshot of an index.
  mutating func set(_ snapshot: Snapshot, of name: String) {
    expected[name] = .some(entries[name]?.stamp)
    changes[name] = .some(snapshot)
  }

  /// Removes an index.
  mutating func remove(_ name: String) {
    expected[name] = .some(entries[name]?.stamp)
    changes[name] = .some(nil)
  }
}

/// Runs the writes of one index one after the other; the work is done on its executor, not under a
/// lock.
actor IndexWriter {
  private let store: IndexStore

  /// Creates the writer of an index.
  init(store: IndexStore) { self.store = store }

  /// Runs a write until it can be published; when it returns, the next search sees it.
  ///
  /// - Parameter body: May be run again when another index's writer was in the way.
  func perform<Result: Sendable>(
    _ body: @Sendable (inout WriteTransaction) throws -> Result
  ) throws -> Result {
    while true {
      try Task.checkCancellation()
      var transaction = WriteTransaction(store)
      let result = try body(&transaction)
      if store.publish(transaction.changes, expecting: transaction.expected) { return result }
    }
  }
}
