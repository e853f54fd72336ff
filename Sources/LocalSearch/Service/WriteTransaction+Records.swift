import AsyncInstantSearch

extension WriteTransaction {
  /// The setting in which a replica names the index whose writes it receives.
  static let primarySetting = "primary"

  /// Applies changes to the records of an index and of its replicas.
  ///
  /// - Parameter createsIndex: Whether a missing index is made; otherwise it is an error.
  mutating func apply(
    _ changes: [RecordChange], to indexName: String, createsIndex: Bool
  ) throws {
    try ParameterCheck.indexName(indexName)
    guard let current = snapshot(of: indexName) ?? (createsIndex ? .empty(settings: .init()) : nil)
    else { throw APIError.indexNotFound(indexName) }
    if let primary = current.settings.primary {
      throw APIError("Index \(indexName) is a replica; write to its primary \(primary)")
    }
    set(try current.applying(changes, indexName: indexName), of: indexName)
    for name in current.settings.replicaNames {
      guard let replica = snapshot(of: name) else { continue }
      set(try replica.applying(changes, indexName: name), of: name)
    }
  }

  /// Sets all settings of an index; a missing index is made, and so are missing replicas.
  mutating func apply(_ settings: IndexSettings, to indexName: String) throws {
    try ParameterCheck.indexName(indexName)
    var settings = settings
    let current = snapshot(of: indexName) ?? .empty(settings: .init())
    settings.primary = current.settings.primary
    if settings.primary != nil { settings.replicas = [] }
    let updated = current.settingSettings(settings)
    set(updated, of: indexName)
    let wanted = settings.replicaNames.filter { $0 != indexName }
    for name in current.settings.replicaNames where !wanted.contains(name) {
      release(name)
    }
    for name in wanted where !current.settings.replicaNames.contains(name) {
      var own = snapshot(of: name)?.settings ?? settings
      own.replicas = []
      own.primary = indexName
      set(updated.reindexed(with: own), of: name)
    }
  }

  /// Removes an index; its replicas become indices of their own.
  mutating func removeIndex(_ indexName: String) throws {
    guard let current = snapshot(of: indexName) else { throw APIError.indexNotFound(indexName) }
    if let primary = current.settings.primary {
      throw APIError(
        "Index \(indexName) is a replica; take it from the replicas of \(primary) first")
    }
    for name in current.settings.replicaNames { release(name) }
    remove(indexName)
  }

  private mutating func release(_ name: String) {
    guard let replica = snapshot(of: name) else { return }
    var settings = replica.settings
    settings.primary = nil
    set(replica.settingSettings(settings), of: name)
  }
}

extension IndexSettings {
  /// The index whose writes this one receives; `nil` when it is no replica.
  var primary: String? {
    get { additionalSettings[WriteTransaction.primarySetting]?.stringValue }
    set { additionalSettings[WriteTransaction.primarySetting] = newValue.map { .string($0) } }
  }

  /// The names of the replicas, a virtual one like any other.
  var replicaNames: [String] {
    replicas.map { text in
      Substring(text.trimmingSpaces()).argument(of: ["virtual"]).map { String($0.argument) } ?? text
    }
  }

  /// What segments are built by; when it changes, records must be read again.
  private var indexingPart: [[String]] {
    [
      searchableAttributes, attributesForFaceting, customRanking,
      ranking.filter { SortCriterion($0) != nil },
      attributeForDistinct.map { [$0] } ?? [],
      numericAttributesForFiltering ?? [], [separatorsToIndex], [keepDiacriticsOnCharacters],
    ]
  }

  /// Whether segments built by other settings can be kept.
  func isIndexed(like other: IndexSettings) -> Bool { indexingPart == other.indexingPart }
}

extension Snapshot {
  /// The snapshot with other settings; records are only read again where that is needed.
  func settingSettings(_ settings: IndexSettings) -> Snapshot {
    settings.isIndexed(like: self.settings)
      ? Snapshot(settings: settings, segments: segments, version: version &+ 1)
      : reindexed(with: settings)
  }
}
