/// The snapshots that one write reads and changes, which are published together.
struct WriteTransaction {
  private let snapshots: [String: IndexSnapshot]
  private let oldDictionaries: Dictionaries
  private let permit: WriteScheduler.Permit
  private let segmenter: (any WordSegmenter)?
  /// Counts the steps of the write.
  let cancellation: CancellationCheck
  /// The mistakes of a query that are errors.
  let mistakePolicy: MistakePolicy
  /// The time of the write.
  private let time: String
  /// The snapshots to publish, with `nil` for indices to remove.
  private(set) var changes: [String: IndexSnapshot?] = [:]
  /// The dictionaries to publish, or `nil` if they stay.
  private(set) var dictionaries: Dictionaries?
  /// The changes of the write, for the journal. Empty if the engine has no journal.
  private(set) var log: [JournalChange] = []
  private let isLogged: Bool

  /// An error for a write to an index that its permit does not include.
  struct NotPermitted: Error {}

  /// Creates a transaction on the current snapshots.
  init(
    _ store: IndexStore, _ permit: WriteScheduler.Permit,
    _ configuration: EngineConfiguration, time: String, isLogged: Bool,
    _ cancellation: CancellationCheck
  ) {
    self.time = time
    self.isLogged = isLogged
    mistakePolicy = configuration.mistakePolicy
    segmenter = configuration.segmenter
    (snapshots, oldDictionaries, _) = store.current
    self.permit = permit
    self.cancellation = cancellation
  }

  /// Returns the snapshot of an index as the write sees it, or `nil` if it does not exist.
  ///
  /// - Throws: ``NotPermitted`` if another write may be in progress there.
  func snapshot(of name: String) throws -> IndexSnapshot? {
    guard permit.includes(name) else { throw NotPermitted() }
    guard var snapshot = changes[name] ?? snapshots[name] else { return nil }
    snapshot.segmenter = segmenter
    return snapshot
  }

  /// Returns an index without records.
  func emptySnapshot(_ settings: IndexSettings = IndexSettings()) -> IndexSnapshot {
    var snapshot = IndexSnapshot.empty(settings: settings)
    snapshot.segmenter = segmenter
    return snapshot
  }

  /// Adds a change to the log, if there is one.
  mutating func note(_ change: @autoclosure () -> JournalChange) {
    if isLogged { log.append(change()) }
  }

  /// Sets the snapshot of an index that was read before.
  mutating func set(_ snapshot: IndexSnapshot, of name: String) {
    let current = changes[name] ?? snapshots[name]
    var snapshot = snapshot
    snapshot.times = IndexTimes(created: current?.times?.created ?? time, updated: time)
    changes[name] = .some(snapshot)
  }

  /// Sets the dictionaries.
  mutating func setDictionaries(
    _ change: (Dictionaries, CancellationCheck) throws -> Dictionaries
  ) throws {
    guard permit.includes(Self.dictionariesPermit) else { throw NotPermitted() }
    dictionaries = try change(dictionaries ?? oldDictionaries, cancellation)
  }

  /// Removes an index that was read before.
  mutating func remove(_ name: String) { changes[name] = .some(nil) }
}

extension WriteTransaction {
  /// Applies changes to the records of an index and of its replicas.
  ///
  /// - Parameter createsIndex: Whether a missing index is created. Otherwise nothing happens.
  mutating func apply(_ changes: [RecordChange], to indexName: String, createsIndex: Bool) throws {
    try apply(to: indexName, createsIndex: createsIndex) { snapshot, name, transaction in
      let recorder = transaction.isLogged ? WriteRecorder() : nil
      let changed = try snapshot.applying(
        changes, indexName: name, transaction.mistakePolicy, recorder, transaction.cancellation)
      if let recorder {
        transaction.note(.records(indexName: name, recorder.operations))
      }
      return changed
    }
  }

  /// Adds records that are indexed already to an index and its replicas. A missing index is
  /// created.
  mutating func add(_ records: LoadedRecords, to indexName: String) throws {
    var names: [String] = []
    try apply(to: indexName, createsIndex: true) { snapshot, name, transaction in
      names.append(name)
      return try snapshot.adding(
        records.view(with: snapshot.form, transaction.cancellation), transaction.cancellation)
    }
    note(.load(indexNames: names, records.view))
  }

  /// Applies a change of the journal.
  mutating func apply(_ change: JournalChange) throws {
    switch change {
    case .records(let name, let operations):
      let current = try snapshot(of: name) ?? emptySnapshot()
      set(try current.applying(operations, cancellation), of: name)
    case .load(let names, let view):
      for name in names {
        let current = try snapshot(of: name) ?? emptySnapshot()
        set(try current.adding(view, cancellation), of: name)
      }
    case .settings(let name, let settings): try apply(settings, to: name)
    case .removeIndex(let name): try removeIndex(name)
    case .operation(let operation): try apply(operation)
    case .entries(let name, let kind, let change): try apply(change, to: kind, of: name)
    case .dictionaries(let change): try apply(change)
    }
  }

  /// Changes the records of an index and of its replicas.
  private mutating func apply(
    to indexName: String, createsIndex: Bool,
    _ change: (IndexSnapshot, String, inout WriteTransaction) throws -> IndexSnapshot
  ) throws {
    try ParameterCheck.indexName(indexName)
    let created: IndexSnapshot? = createsIndex ? emptySnapshot() : nil
    guard let current = try snapshot(of: indexName) ?? created else { return }
    if let primary = current.settings.primary {
      throw APIError(
        status: 403,
        "cannot apply the batch operation on a replica index: \(indexName) is one, write to its"
          + " primary \(primary)")
    }
    set(try change(current, indexName, &self), of: indexName)
    for name in current.settings.replicaNames {
      guard let replica = try snapshot(of: name) else { continue }
      do {
        set(try change(replica, name, &self), of: name)
      } catch let error as APIError {
        throw error.at(location: "replica \(name)")
      }
    }
  }

  /// Replaces all settings of an index. A missing index and missing replicas are created.
  mutating func apply(_ settings: IndexSettings, to indexName: String) throws {
    try ParameterCheck.indexName(indexName)
    note(.settings(indexName: indexName, settings))
    var settings = settings
    let current = try snapshot(of: indexName) ?? emptySnapshot()
    settings.primary = current.settings.primary
    settings.additionalSettings[IndexSettings.formerPrimarySetting] = nil
    let wanted = settings.replicaNames
    let owned = current.settings.replicaNames
    let ownedNames = Set(owned)
    var seen: Set<String> = []
    for name in wanted where !seen.insert(name).inserted {
      throw APIError("Index \(name) is named twice in replicas")
    }
    for name in wanted where !ownedNames.contains(name) {
      try rejectReplica(name, of: indexName, primary: settings.primary)
    }
    let updated = try current.replacingSettings(with: settings, cancellation)
    set(updated, of: indexName)
    let wantedNames = Set(wanted)
    for name in owned where !wantedNames.contains(name) { try release(name) }
    for name in wanted where !ownedNames.contains(name) {
      var own = try snapshot(of: name)?.settings ?? settings
      own.replicas = []
      own.primary = indexName
      var replica = updated
      // An index that exists keeps its synonyms and rules, as its settings.
      if let entries = try snapshot(of: name)?.entries { replica.entries = entries }
      set(try replica.reindexed(with: own, cancellation), of: name)
    }
  }

  /// Rejects a new replica that has another primary, or that would be a replica of a replica.
  private func rejectReplica(_ name: String, of indexName: String, primary: String?) throws {
    if let primary {
      throw APIError(
        "Index \(indexName) is a replica of \(primary); it cannot have replicas")
    }
    if name == indexName { throw APIError("Index \(name) cannot be a replica of itself") }
    guard let settings = try snapshot(of: name)?.settings else { return }
    if let other = settings.primary {
      throw APIError(
        "Index \(name) is a replica of \(other) already; remove it from its replicas first")
    }
    if !settings.replicas.isEmpty {
      throw APIError("Index \(name) has replicas; it cannot be a replica")
    }
  }

  /// Removes an index, if it exists. Its replicas become independent indices.
  mutating func removeIndex(_ indexName: String) throws {
    guard let current = try snapshot(of: indexName) else { return }
    if let primary = current.settings.primary {
      throw APIError(
        status: 403,
        "cannot apply a delete request on a replica index: remove \(indexName) from the replicas of"
          + " \(primary) first")
    }
    note(.removeIndex(indexName))
    for name in current.settings.replicaNames { try release(name) }
    remove(indexName)
  }

  private mutating func release(_ name: String) throws {
    guard let replica = try snapshot(of: name) else { return }
    var settings = replica.settings
    settings.primary = nil
    set(try replica.replacingSettings(with: settings, cancellation), of: name)
  }
}

extension IndexSnapshot {
  /// Returns the snapshot with other settings. Records are indexed again only if needed.
  func replacingSettings(
    with settings: IndexSettings, _ cancellation: CancellationCheck
  ) throws -> IndexSnapshot {
    guard settings.hasSameIndexing(as: self.settings) else {
      return try reindexed(with: settings, cancellation)
    }
    return with(segments, settings)
  }
}

extension WriteTransaction {
  /// The name in permits of writes to the dictionaries. No index has it.
  static let dictionariesPermit = ""

  /// Changes the dictionaries.
  mutating func apply(_ change: DictionaryEntries.Change) throws {
    try setDictionaries { try $0.applying(change, $1) }
    note(.dictionaries(change))
  }
}
