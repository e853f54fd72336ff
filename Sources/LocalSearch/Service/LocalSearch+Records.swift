import InstantSearchJSON

extension LocalSearch {
  /// Adds records to an index; a record with the ID of an older one replaces it.
  ///
  /// A record is any value that is encoded as an object. Its ID is the member `objectID`, a string
  /// or an integer; a record without one gets a new ID. A missing index is made. The records become
  /// visible together.
  ///
  /// The write can be ended within a long record too, except while the record's own `encode(to:)`
  /// works without encoding anything, or goes on in spite of an error of its containers. Records
  /// are encoded on a thread of the engine: an `encode(to:)` that blocks it until another call of
  /// an engine ends can stop all engines of the process.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - indexName: The index; any name but the empty one and `*`.
  ///   - deadline: When the write must be done; none by default.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` of code `invalidRequest`, with nothing written, when a record cannot
  ///   be encoded, is not an object or is nested too deeply; the message names the record by its
  ///   number, from 0. `timedOut` or `cancelled`, with nothing written, when the deadline passes or
  ///   the task is cancelled before the records are visible.
  @concurrent @discardableResult
  public func save<Record: Encodable & Sendable>(
    _ records: [Record], in indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await writing(indexName, deadline) { [self] checkpoint in
      try putting(
        Self.nodes(records, checkpoint), in: indexName, clearsFirst: false, checkpoint)
    }
  }

  /// Replaces all records of an index by others, in one step: no search sees it empty.
  ///
  /// Settings stay as they are. A missing index is made.
  ///
  /// - Returns: The IDs in the order of the records.
  @concurrent @discardableResult
  public func replaceAll<Record: Encodable & Sendable>(
    with records: [Record], in indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await writing(indexName, deadline) { [self] checkpoint in
      try putting(Self.nodes(records, checkpoint), in: indexName, clearsFirst: true, checkpoint)
    }
  }

  /// Changes some attributes of records and leaves the others as they are.
  ///
  /// Each update is encoded as an object with the `objectID` of its record. A value may be one of
  /// the built-in operations on an attribute of the first level:
  ///
  /// ```swift
  /// try await engine.partialUpdate(
  ///   [["objectID": "1", "views": ["_operation": "Increment", "value": 1]] as JSON], in: "films")
  /// ```
  ///
  /// `Increment` and `Decrement` change a number, absent ones from 0; integers are added exactly,
  /// and a sum that a record cannot hold is an error. `Add`, `AddUnique` and `Remove` change an
  /// array. `IncrementFrom` adds 1 when the attribute has the given value, `IncrementSet` sets a
  /// greater value; otherwise both leave the whole record as it is.
  ///
  /// - Parameters:
  ///   - updates: The changes, one object per record.
  ///   - indexName: The index.
  ///   - createsIfMissing: Whether a missing record is made from the update; otherwise the update
  ///     is skipped. `true` by default.
  ///   - deadline: When the write must be done; none by default.
  /// - Throws: `SearchError` of code `invalidRequest`, with nothing written, when an update has no
  ///   `objectID` or an operation does not fit; the message names the update by its number, from 0.
  @concurrent
  public func partialUpdate<Update: Encodable & Sendable>(
    _ updates: [Update], in indexName: String, createsIfMissing: Bool = true,
    deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await writing(indexName, deadline) { checkpoint in
      let changes = try Self.nodes(updates, checkpoint).enumerated().map { number, node in
        try checkpoint.count()
        do {
          return RecordChange.update(
            try PartialUpdate(node, place: "record \(number)", checkpoint),
            createsIfMissing: createsIfMissing)
        } catch let error as APIError {
          throw error.at("record \(number)")
        }
      }
      return PreparedWrite(changes, to: indexName, createsIndex: createsIfMissing) {}
    }
  }

  /// Removes the records with some IDs; IDs without a record are skipped.
  ///
  /// - Throws: `SearchError` of code `indexNotFound` when there is no such index.
  @concurrent
  public func delete(
    objectIDs: [String], from indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await writing(indexName, deadline) { checkpoint in
      let changes = try checkpoint.map(objectIDs) { RecordChange.delete(objectID: $0) }
      return PreparedWrite(changes, to: indexName, createsIndex: false) {}
    }
  }

  /// Removes the records that a query finds; the query must have a filter or name a place.
  ///
  /// - Throws: `SearchError` of code `invalidRequest`, with nothing removed, when the query has no
  ///   filter or a wrong value; under ``Configuration/rejectsMistakes`` also when a filter or a
  ///   name in it can have no effect. `indexNotFound` when there is no such index.
  @concurrent
  public func delete(
    matching query: SearchQuery, from indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await writing(indexName, deadline) { _ in
      PreparedWrite([.deleteMatching(query)], to: indexName, createsIndex: false) {}
    }
  }

  /// Removes all records of an index; settings stay.
  @concurrent
  public func clear(
    _ indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await writing(indexName, deadline) { _ in
      PreparedWrite([.clear], to: indexName, createsIndex: false) {}
    }
  }

  /// The record with an ID; `nil` when there is none. Attributes that are unretrievable are
  /// missing.
  ///
  /// The record is decoded on a thread of the engine, which `init(from:)` must not block until
  /// another call of an engine ends.
  ///
  /// - Throws: `SearchError` of code `indexNotFound` when there is no such index, `decoding` when
  ///   the record does not fit the type.
  @concurrent
  public func record<Record: Decodable & Sendable>(
    withID objectID: String, in indexName: String, as type: Record.Type = JSON.self
  ) async throws(SearchError) -> Record? {
    do {
      return try await working(.read, until: nil) { [self] checkpoint in
        guard
          let bytes = try indexStore.snapshot(of: indexName)
            .record(objectID, attributes: ["*"], checkpoint)
        else { return nil }
        let node = try checkpoint.stored(bytes[...])
        // Long records of this type are read step by step.
        if type == JSON.self, let record = try checkpoint.json(node) as? Record { return record }
        do {
          return try JSONValueDecoder().decode(type, from: node)
        } catch {
          var failure = SearchError(decodingFailure: error, indexName: indexName)
          failure.message = "record \(objectID): " + failure.message
          throw failure
        }
      }
    } catch {
      throw SearchError(engine: error, indexName: indexName)
    }
  }

  /// Runs a public call that writes, and turns its errors into `SearchError`.
  ///
  /// - Parameter prepare: Reads and checks what is to be written.
  func writing<Result: Sendable>(
    _ indexName: String, _ deadline: Deadline?,
    _ prepare: @escaping @Sendable (Checkpoint) throws -> PreparedWrite<Result>
  ) async throws(SearchError) -> Result {
    do {
      return try await perform(until: deadline, prepare)
    } catch {
      throw SearchError(engine: error, indexName: indexName)
    }
  }

  /// The write that stores records, in place of all others where that is wanted.
  ///
  /// - Parameter place: Names a record by its number in messages; `record 3` by default.
  /// - Returns: The write, whose result are the IDs.
  func putting(
    _ nodes: [JSONNode], in indexName: String, clearsFirst: Bool, _ checkpoint: Checkpoint,
    place: (Int) -> String = { "record \($0)" }
  ) throws -> PreparedWrite<[String]> {
    let records = try records(nodes, for: indexName, checkpoint, place: place)
    var changes: [RecordChange] = []
    changes.reserveCapacity(records.count + 1)
    if clearsFirst { changes.append(.clear) }
    try checkpoint.forEach(records) { changes.append(.put($0)) }
    let ids = try checkpoint.map(records) { $0.objectID }
    return PreparedWrite(changes, to: indexName, createsIndex: true) { ids }
  }

  /// Encodes records.
  private static func nodes<Record: Encodable>(
    _ records: [Record], _ checkpoint: Checkpoint
  ) throws -> [JSONNode] {
    let encoder = JSONValueEncoder()
    var nodes: [JSONNode] = []
    nodes.reserveCapacity(records.count)
    for (index, record) in records.enumerated() {
      try checkpoint.count()
      do {
        let bytes = try encoder.encode(record) { try checkpoint.count(Checkpoint.stepsOfCheck) }
        nodes.append(try checkpoint.document(bytes[...]).root)
      } catch {
        // It may be what ended the work.
        try checkpoint.check()
        var failure = SearchError(encodingFailure: error)
        failure.message = "record \(index): " + failure.message
        throw failure
      }
    }
    return nodes
  }
}
