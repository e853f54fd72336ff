import AsyncInstantSearch

/// The current snapshot of every index.
///
/// Readers take a snapshot and go on with it, whatever is written meanwhile. A writer has a turn
/// for the indices it writes, prepares new snapshots outside the lock and publishes them together.
final class IndexStore: Sendable {
  private struct State {
    var snapshots: [String: Snapshot] = [:]
    var lastTask: Int64 = 0
  }

  private let state = Lock(State())

  /// The current snapshots of all indices, taken at one moment.
  var snapshots: [String: Snapshot] { state.withLock { $0.snapshots } }

  /// The current snapshot of an index; throws when there is no such index.
  func snapshot(of name: String) throws(APIError) -> Snapshot {
    guard let snapshot = state.withLock({ $0.snapshots[name] }) else {
      throw APIError.indexNotFound(name)
    }
    return snapshot
  }

  /// Publishes snapshots, `nil` for indices to be removed.
  func publish(_ changes: [String: Snapshot?]) {
    // What is replaced may be the last of its kind, and is freed outside the lock.
    let replaced = state.withLock { state in
      var replaced: [Snapshot] = []
      for (name, snapshot) in changes {
        if let old = state.snapshots[name] { replaced.append(old) }
        state.snapshots[name] = snapshot
      }
      return replaced
    }
    withExtendedLifetime(replaced) {}
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
  private let snapshots: [String: Snapshot]
  private let turn: WriteTurns.Turn
  /// Asked between the steps of the write.
  let checkpoint: Checkpoint
  /// What the engine takes from outside.
  let configuration: LocalSearch.Configuration
  /// The snapshots to be published, `nil` for indices to be removed.
  private(set) var changes: [String: Snapshot?] = [:]

  /// A write came upon an index that its turn is not for.
  struct OutOfTurn: Error {}

  /// Begins with the current snapshots.
  init(
    _ store: IndexStore, _ turn: WriteTurns.Turn, _ configuration: LocalSearch.Configuration,
    _ checkpoint: Checkpoint
  ) {
    self.configuration = configuration
    snapshots = store.snapshots
    self.turn = turn
    self.checkpoint = checkpoint
  }

  /// The snapshot of an index as the write sees it; `nil` when there is no such index.
  ///
  /// - Throws: ``OutOfTurn`` when somebody else may be writing it.
  func snapshot(of name: String) throws -> Snapshot? {
    guard turn.includes(name) else { throw OutOfTurn() }
    if let change = changes[name] { return change }
    return snapshots[name]
  }

  /// Sets the snapshot of an index that was read before.
  mutating func set(_ snapshot: Snapshot, of name: String) { changes[name] = .some(snapshot) }

  /// Removes an index that was read before.
  mutating func remove(_ name: String) { changes[name] = .some(nil) }
}

extension LocalSearch {
  /// Runs a write and publishes what it made; when it returns, the next search sees it.
  ///
  /// The write waits until it is its turn. Until it is published it can be cancelled, and its
  /// deadline can pass, and then nothing of it is left; afterwards it has succeeded.
  ///
  /// - Parameters:
  ///   - indexNames: The indices that are written.
  ///   - replicaNames: Further ones that will be replicas of theirs.
  ///   - body: Makes the changes. It is run again, once, when the indices turned out to have other
  ///     replicas than when the write began to wait; then no other write is under way.
  func perform<Result>(
    on indexNames: some Sequence<String>, replicaNames: [String] = [], _ checkpoint: Checkpoint,
    _ body: (inout WriteTransaction) throws -> Result
  ) async throws -> Result {
    var names = Set(indexNames)
    let snapshots = store.snapshots
    for name in names { names.formUnion(snapshots[name]?.settings.replicaNames ?? []) }
    names.formUnion(replicaNames)
    do {
      return try await perform(inTurnFor: names, checkpoint, body)
    } catch is WriteTransaction.OutOfTurn {
      return try await perform(inTurnFor: nil, checkpoint, body)
    }
  }

  private func perform<Result>(
    inTurnFor names: Set<String>?, _ checkpoint: Checkpoint,
    _ body: (inout WriteTransaction) throws -> Result
  ) async throws -> Result {
    try checkpoint.check()
    let turn = turns.join(names)
    defer { turns.end(turn) }
    try await turns.wait(for: turn, until: checkpoint.deadline)
    var transaction = WriteTransaction(store, turn, configuration, checkpoint)
    let result = try body(&transaction)
    try checkpoint.check()
    store.publish(transaction.changes)
    return result
  }
}
