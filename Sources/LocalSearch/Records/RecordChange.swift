import InstantSearchJSON

/// One change of the records of an index, as a call requests it.
enum RecordChange: Sendable {
  /// Adds a record or replaces the one with its ID.
  case put(EncodedRecord)
  /// Changes attributes. Creates a missing record if requested.
  case update(PartialUpdate, createsIfMissing: Bool)
  /// Removes a record.
  case delete(objectID: String)
  /// Removes the records that match a query.
  case deleteMatching(SearchQuery)
  /// Removes all records.
  case clear

  /// The ID of the changed record, if the change has one.
  var objectID: String? {
    switch self {
    case .put(let record): record.objectID
    case .update(let update, _): update.objectID
    case .delete(let objectID): objectID
    case .deleteMatching, .clear: nil
    }
  }
}

extension IndexSnapshot {
  /// Returns the snapshot after changes, applied in order.
  ///
  /// - Parameter recorder: Receives the writes, or `nil`.
  func applying(
    _ changes: [RecordChange], indexName: String, _ mistakePolicy: MistakePolicy,
    _ recorder: WriteRecorder? = nil, _ cancellation: CancellationCheck
  ) throws -> IndexSnapshot {
    var state = self
    var pending = PendingWrites(for: changes, recorder)
    for change in changes {
      try cancellation.count()
      switch change {
      case .put(let record): try pending.put(record, cancellation)
      case .delete(let objectID): try pending.delete(objectID, cancellation)
      case .clear: pending.clear()
      case .update(let update, let createsIfMissing):
        let old = pending.record(update.objectID, in: state)
        guard old != nil || createsIfMissing else { continue }
        let node = try old.map { record in
          try cancellation.count(bytes: 4 * record.count)
          return try cancellation.stored(record[...])
        }
        if let record = try update.applied(to: node, cancellation) {
          try pending.put(record, cancellation)
        }
      case .deleteMatching(let query):
        // The search must see the earlier changes.
        state = try pending.flush(into: state, cancellation)
        let found = try state.objectIDs(
          matching: query, indexName: indexName, mistakePolicy, cancellation)
        for objectID in found {
          try cancellation.count()
          try pending.delete(objectID, cancellation)
        }
      }
    }
    return try pending.flush(into: state, cancellation)
  }

  /// Returns the IDs of the records that match a query.
  private func objectIDs(
    matching query: SearchQuery, indexName: String, _ mistakePolicy: MistakePolicy,
    _ cancellation: CancellationCheck
  ) throws -> [String] {
    let search = try ResolvedSearch(query, indexName: indexName, settings: settings, cancellation)
    guard !search.filters.required.isEmpty || search.geo != nil else {
      throw APIError("deleteByQuery needs a filter")
    }
    try mistakePolicy.rejectMistakes(of: search, in: self, cancellation)
    let matching = try SearchExecution(
      snapshot: self, search: search, cancellation: cancellation
    ).matchingDocuments()
    var result: [String] = []
    for (view, documents) in zip(segments, matching) {
      try documents.forEach { document in
        try cancellation.count()
        result.append(view.segment.records.objectID(of: document))
      }
    }
    return result
  }
}

/// Collects the operations of a write on the records of an index.
final class WriteRecorder {
  fileprivate(set) var operations: [WriteOperation] = []
}

/// Writes that are not applied to a snapshot yet.
private struct PendingWrites {
  private var operations: [WriteOperation] = []
  /// The written records, `nil` for removed ones. Only if updates may need them.
  private var records = PartitionedDictionary<ByteString, [UInt8]?>()
  private let hasUpdates: Bool
  private var isCleared = false
  private let recorder: WriteRecorder?

  init(for changes: [RecordChange], _ recorder: WriteRecorder?) {
    self.recorder = recorder
    hasUpdates = changes.contains { if case .update = $0 { true } else { false } }
  }

  mutating func put(_ record: EncodedRecord, _ cancellation: CancellationCheck) throws {
    operations.append(.put(objectID: record.objectID, record: record.bytes))
    guard hasUpdates else { return }
    try records.set(record.bytes, for: ByteString(record.objectID), cancellation)
  }

  mutating func delete(_ objectID: String, _ cancellation: CancellationCheck) throws {
    operations.append(.delete(objectID: objectID))
    guard hasUpdates else { return }
    try records.set(nil, for: ByteString(objectID), cancellation)
  }

  mutating func clear() {
    operations = [.clear]
    records = PartitionedDictionary()
    isCleared = true
  }

  /// Returns the record after the pending writes.
  func record(_ objectID: String, in snapshot: IndexSnapshot) -> [UInt8]? {
    if let record = records[ByteString(objectID)] { return record }
    guard !isCleared, let location = snapshot.locate(objectID: objectID) else { return nil }
    return Array(snapshot.segments[location.segment].segment.records.bytes(of: location.document))
  }

  /// Applies the writes.
  mutating func flush(into snapshot: IndexSnapshot, _ cancellation: CancellationCheck) throws
    -> IndexSnapshot
  {
    defer {
      cancellation.releaseLater((operations, records), partCount: operations.count)
      operations = []
      records = PartitionedDictionary()
      isCleared = false
    }
    recorder?.operations += operations
    return operations.isEmpty ? snapshot : try snapshot.applying(operations, cancellation)
  }
}
