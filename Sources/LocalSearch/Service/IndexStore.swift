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
  /// - Throws: ``OutOfTurn`` when another write may be under way there.
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
