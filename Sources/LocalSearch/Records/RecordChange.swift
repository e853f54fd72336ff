import InstantSearchJSON

/// One change of the records of an index, as a call asks for it.
enum RecordChange: Sendable {
  /// Adds a record or replaces the one with its ID.
  case put(RecordText)
  /// Changes attributes; makes the record when it is missing and that is wanted.
  case update(PartialUpdate, createsIfMissing: Bool)
  /// Removes a record.
  case delete(objectID: String)
  /// Removes the records that a query finds.
  case deleteMatching(SearchQuery)
  /// Removes all records.
  case clear

  /// The ID of the record that the change is about.
  var objectID: String? {
    switch self {
    case .put(let record): record.objectID
    case .update(let update, _): update.objectID
    case .delete(let objectID): objectID
    case .deleteMatching, .clear: nil
    }
  }
}

extension Snapshot {
  /// The snapshot after changes, applied in order.
  func applying(
    _ changes: [RecordChange], indexName: String, _ mistakePolicy: MistakePolicy,
    _ checkpoint: Checkpoint
  ) throws -> Snapshot {
    var state = self
    var pending = PendingWrites(for: changes)
    for change in changes {
      try checkpoint.count()
      switch change {
      case .put(let record): try pending.put(record, checkpoint)
      case .delete(let objectID): try pending.delete(objectID, checkpoint)
      case .clear: pending.clear()
      case .update(let update, let createsIfMissing):
        let old = pending.record(update.objectID, in: state)
        guard old != nil || createsIfMissing else { continue }
        let node = try old.map { record in
          try checkpoint.count(bytes: 4 * record.count)
          return try checkpoint.stored(record[...])
        }
        if let record = try update.applied(to: node, checkpoint) {
          try pending.put(record, checkpoint)
        }
      case .deleteMatching(let query):
        // The search must see what was written before it.
        state = try pending.flush(into: state, checkpoint)
        let found = try state.objectIDs(
          matching: query, indexName: indexName, mistakePolicy, checkpoint)
        for objectID in found {
          try checkpoint.count()
          try pending.delete(objectID, checkpoint)
        }
      }
    }
    return try pending.flush(into: state, checkpoint)
  }

  /// The IDs of the records that a query finds.
  private func objectIDs(
    matching query: SearchQuery, indexName: String, _ mistakePolicy: MistakePolicy,
    _ checkpoint: Checkpoint
  ) throws -> [String] {
    let search = try ResolvedSearch(query, indexName: indexName, settings: settings, checkpoint)
    guard !search.filters.required.isEmpty || search.geo != nil else {
      throw APIError("deleteByQuery needs a filter")
    }
    try mistakePolicy.refuseMistakes(of: search, in: self, checkpoint)
    let matching = try SearchRun(
      snapshot: self, search: search, checkpoint: checkpoint
    ).matchingDocuments()
    var result: [String] = []
    for (view, documents) in zip(segments, matching) {
      try documents.forEach { document in
        try checkpoint.count()
        result.append(view.segment.records.objectID(of: document))
      }
    }
    return result
  }
}

/// Writes that were not applied to a snapshot yet.
private struct PendingWrites {
  private var operations: [WriteOperation] = []
  /// The records written, `nil` for those removed; only where an update may ask for them.
  private var records = PartitionedDictionary<ByteString, [UInt8]?>()
  private let hasUpdates: Bool
  private var isCleared = false

  init(for changes: [RecordChange]) {
    hasUpdates = changes.contains { if case .update = $0 { true } else { false } }
  }

  mutating func put(_ record: RecordText, _ checkpoint: Checkpoint) throws {
    operations.append(.put(objectID: record.objectID, record: record.bytes))
    guard hasUpdates else { return }
    try records.set(record.bytes, for: ByteString(record.objectID), checkpoint)
  }

  mutating func delete(_ objectID: String, _ checkpoint: Checkpoint) throws {
    operations.append(.delete(objectID: objectID))
    guard hasUpdates else { return }
    try records.set(nil, for: ByteString(objectID), checkpoint)
  }

  mutating func clear() {
    operations = [.clear]
    records = PartitionedDictionary()
    isCleared = true
  }

  /// The record as it will be.
  func record(_ objectID: String, in snapshot: Snapshot) -> [UInt8]? {
    if let record = records[ByteString(objectID)] { return record }
    guard !isCleared, let place = snapshot.locate(objectID: objectID) else { return nil }
    return Array(snapshot.segments[place.segment].segment.records.bytes(of: place.document))
  }

  /// Applies the writes.
  mutating func flush(into snapshot: Snapshot, _ checkpoint: Checkpoint) throws -> Snapshot {
    defer {
      checkpoint.releaseLater((operations, records), partCount: operations.count)
      operations = []
      records = PartitionedDictionary()
      isCleared = false
    }
    return operations.isEmpty ? snapshot : try snapshot.applying(operations, checkpoint)
  }
}
