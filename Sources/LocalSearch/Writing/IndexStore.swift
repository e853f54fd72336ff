/// The current snapshot of every index.
///
/// Readers keep a snapshot, regardless of later writes. A writer has a permit for its indices,
/// prepares new snapshots outside the lock and publishes them together.
final class IndexStore: Sendable {
  private struct State {
    var snapshots: [String: IndexSnapshot] = [:]
    var dictionaries: Dictionaries
    var lastTask: Int64 = 0
    /// The version of the latest snapshot of any index, so that no two have the same.
    var lastVersion: UInt64 = 0
  }

  private let state: Lock<State>

  /// Creates a store without indices.
  init(_ dictionaries: Dictionaries) { state = Lock(State(dictionaries: dictionaries)) }

  /// The current dictionaries.
  var dictionaries: Dictionaries { state.withLock { $0.dictionaries } }

  /// The current snapshots of all indices, at one moment.
  var snapshots: [String: IndexSnapshot] { state.withLock { $0.snapshots } }

  /// Returns the current snapshot of an index, or throws if it does not exist.
  func snapshot(of name: String) throws(APIError) -> IndexSnapshot {
    guard let snapshot = state.withLock({ $0.snapshots[name] }) else {
      throw APIError.indexNotFound(name)
    }
    return snapshot
  }

  /// Publishes snapshots, with `nil` for indices to remove, and dictionaries if they changed.
  func publish(_ changes: [String: IndexSnapshot?], _ dictionaries: Dictionaries? = nil) {
    // Replaced snapshots may be the last references, and are released outside the lock.
    let replaced = state.withLock { state in
      if let dictionaries { state.dictionaries = dictionaries }
      var replaced: [IndexSnapshot] = []
      for (name, snapshot) in changes {
        if let old = state.snapshots[name] { replaced.append(old) }
        var snapshot = snapshot
        state.lastVersion = max(state.lastVersion, snapshot?.version ?? 0) &+ 1
        snapshot?.version = state.lastVersion
        state.snapshots[name] = snapshot
      }
      return replaced
    }
    withExtendedLifetime(replaced) {}
  }

  /// Replaces the snapshot of an index by one with the same records.
  func replace(_ snapshot: IndexSnapshot, of name: String) {
    let replaced = state.withLock { $0.snapshots.updateValue(snapshot, forKey: name) }
    withExtendedLifetime(replaced) {}
  }

  /// The current snapshots and dictionaries, and the number of the latest write, which is 0 before
  /// the first.
  var current: (snapshots: [String: IndexSnapshot], dictionaries: Dictionaries, lastTaskID: Int64) {
    state.withLock { ($0.snapshots, $0.dictionaries, $0.lastTask) }
  }

  /// Sets the number of the latest write.
  func setLastTask(_ number: Int64) { state.withLock { $0.lastTask = number } }

  /// Returns the number of the next write, from 1.
  func nextTaskID() -> Int64 {
    state.withLock { state in
      state.lastTask += 1
      return state.lastTask
    }
  }
}

/// The state that all calls of an engine share: its configuration, its indices, and its ID
/// generator.
final class EngineState: Sendable {
  let configuration: EngineConfiguration
  /// The indices.
  let indexStore: IndexStore
  /// Generates the IDs of records without one.
  let objectIDGenerator: ObjectIDGenerator

  init(_ configuration: EngineConfiguration) {
    self.configuration = configuration
    let entries = configuration.dictionaryEntries
    indexStore = IndexStore(entries.isEmpty ? .standard : Dictionaries(configured: entries))
    objectIDGenerator = ObjectIDGenerator(custom: configuration.makeObjectID)
  }
}
