package import InstantSearchAPI
package import InstantSearchJSON

/// An entry of the list of indices, with every member that the contract requires.
package struct ListedIndex: Sendable {
  private let name: String
  private let count: Int
  private let size: Int
  private let times: (created: String, updated: String)?
  private let settings: IndexSettings
  private let primary: IndexSettings?

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - count: The number of records.
  ///   - size: The size of the records, in bytes of JSON.
  ///   - times: When the index was created and changed, as ISO 8601 texts.
  ///   - primary: The settings of the primary index of a replica.
  package init(
    name: String, count: Int, size: Int, times: (created: String, updated: String)?,
    settings: IndexSettings, primary: IndexSettings?
  ) {
    self.name = name
    self.count = count
    self.size = size
    self.times = times
    self.settings = settings
    self.primary = primary
  }

  /// Writes the entry.
  package func write(
    to writer: inout JSONWriter, _ cancellation: CancellationCheck
  ) throws {
    writer.beginObject()
    writer.key("name")
    writer.string(name)
    writer.key("createdAt")
    // Empty without records, as on the hosted service.
    writer.string(count > 0 ? times?.created ?? "" : "")
    writer.key("updatedAt")
    writer.string(times?.updated ?? "")
    for (name, value) in [
      ("entries", count), ("dataSize", size), ("fileSize", size), ("lastBuildTimeS", 0),
      ("numberOfPendingTasks", 0),
    ] {
      writer.key(name)
      writer.int(value)
    }
    writer.key("pendingTask")
    writer.bool(false)
    if let primary = settings.primary {
      writer.key("primary")
      writer.string(primary)
      if self.primary?.hasVirtualReplica(name) ?? false {
        writer.key("virtual")
        writer.bool(true)
      }
    }
    let replicas = settings.replicaNames
    if !replicas.isEmpty {
      writer.key("replicas")
      writer.beginArray()
      for name in replicas {
        try cancellation.count(text: name, after: writer.count, .indices)
        writer.string(name)
      }
      writer.endArray()
    }
    writer.endObject()
  }
}

extension IndexSettings {
  /// Whether a replica is declared as `virtual(name)`.
  fileprivate func hasVirtualReplica(_ name: String) -> Bool {
    replicas.contains { $0 != name && Self.indexName(ofReplica: $0) == name }
  }
}
