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
  /// Which mistakes of a query are errors.
  let mistakePolicy: MistakePolicy
  /// The snapshots to be published, `nil` for indices to be removed.
  private(set) var changes: [String: Snapshot?] = [:]

  /// A write came upon an index that its turn is not for.
  struct OutOfTurn: Error {}

  /// Begins with the current snapshots.
  init(
    _ store: IndexStore, _ turn: WriteTurns.Turn, _ configuration: LocalSearch.Configuration,
    _ checkpoint: Checkpoint
  ) {
    mistakePolicy = configuration.mistakePolicy
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

extension WriteTransaction {
  /// Applies changes to the records of an index and of its replicas.
  ///
  /// - Parameter createsIndex: Whether a missing index is made; otherwise it is an error.
  mutating func apply(
    _ changes: [RecordChange], to indexName: String, createsIndex: Bool
  ) throws {
    try ParameterCheck.indexName(indexName)
    guard
      let current = try snapshot(of: indexName) ?? (createsIndex ? .empty(settings: .init()) : nil)
    else { throw APIError.indexNotFound(indexName) }
    if let primary = current.settings.primary {
      throw APIError("Index \(indexName) is a replica; write to its primary \(primary)")
    }
    set(
      try current.applying(changes, indexName: indexName, mistakePolicy, checkpoint), of: indexName)
    for name in current.settings.replicaNames {
      guard let replica = try snapshot(of: name) else { continue }
      do {
        set(try replica.applying(changes, indexName: name, mistakePolicy, checkpoint), of: name)
      } catch let error as APIError {
        throw error.at("replica \(name)")
      }
    }
  }

  /// Sets all settings of an index; a missing index is made, and so are missing replicas.
  mutating func apply(_ settings: IndexSettings, to indexName: String) throws {
    try ParameterCheck.indexName(indexName)
    var settings = settings
    let current = try snapshot(of: indexName) ?? .empty(settings: .init())
    settings.primary = current.settings.primary
    let wanted = settings.replicaNames
    let owned = current.settings.replicaNames
    let ownedNames = Set(owned)
    var seen: Set<String> = []
    for name in wanted where !seen.insert(name).inserted {
      throw APIError("Index \(name) is named twice in replicas")
    }
    for name in wanted where !ownedNames.contains(name) {
      try refuseReplica(name, of: indexName, primary: settings.primary)
    }
    let updated = try current.settingSettings(settings, checkpoint)
    set(updated, of: indexName)
    let wantedNames = Set(wanted)
    for name in owned where !wantedNames.contains(name) { try release(name) }
    for name in wanted where !ownedNames.contains(name) {
      var own = try snapshot(of: name)?.settings ?? settings
      own.replicas = []
      own.primary = indexName
      set(try updated.reindexed(with: own, checkpoint), of: name)
    }
  }

  /// Refuses a new replica when that would be one of two indices, or a replica of a replica.
  private func refuseReplica(_ name: String, of indexName: String, primary: String?) throws {
    if let primary {
      throw APIError(
        "Index \(indexName) is a replica of \(primary); it cannot have replicas of its own")
    }
    if name == indexName { throw APIError("Index \(name) cannot be a replica of itself") }
    guard let settings = try snapshot(of: name)?.settings else { return }
    if let other = settings.primary {
      throw APIError(
        "Index \(name) is a replica of \(other) already; take it from its replicas first")
    }
    if !settings.replicas.isEmpty {
      throw APIError("Index \(name) has replicas of its own; it cannot be a replica")
    }
  }

  /// Removes an index; its replicas become indices of their own.
  mutating func removeIndex(_ indexName: String) throws {
    guard let current = try snapshot(of: indexName) else { throw APIError.indexNotFound(indexName) }
    if let primary = current.settings.primary {
      throw APIError(
        "Index \(indexName) is a replica; take it from the replicas of \(primary) first")
    }
    for name in current.settings.replicaNames { try release(name) }
    remove(indexName)
  }

  private mutating func release(_ name: String) throws {
    guard let replica = try snapshot(of: name) else { return }
    var settings = replica.settings
    settings.primary = nil
    set(try replica.settingSettings(settings, checkpoint), of: name)
  }
}

extension Snapshot {
  /// The snapshot with other settings; records are only read again where that is needed.
  func settingSettings(
    _ settings: IndexSettings, _ checkpoint: Checkpoint
  ) throws -> Snapshot {
    try settings.isIndexed(like: self.settings)
      ? Snapshot(settings: settings, segments: segments, version: version &+ 1)
      : reindexed(with: settings, checkpoint)
  }
}
