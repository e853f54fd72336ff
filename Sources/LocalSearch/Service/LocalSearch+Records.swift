import InstantSearchJSON

extension LocalSearch {
  /// Adds records to an index. A record replaces an older one with the same ID.
  ///
  /// A record is any value that encodes as an object. Its ID is the member `objectID`, a string or
  /// an integer. A record without one gets a new ID. A missing index is created. The records become
  /// visible together.
  ///
  /// Cancellation and the deadline also end the write within a long record, except while its
  /// `encode(to:)` works without encoding anything, or continues after an error of its containers.
  /// Records are encoded on a thread of the engine. An `encode(to:)` that waits for another call of
  /// an engine can block all engines of the process.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - indexName: The index. The name must not be empty or `*`.
  ///   - deadline: The deadline of the write. Defaults to none.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` with code `invalidRequest`, without changes, if a record cannot be
  ///   encoded, is not an object or is nested too deeply. The message has the record's number, from
  ///   0. `storage`, without changes, if the engine is kept in a file and the disk refuses the
  ///   write. `timedOut` or `cancelled`, without changes, if the deadline passes or the task is
  ///   cancelled before the records are visible. The other writes throw these three too.
  @concurrent @discardableResult
  public func save<Record: Encodable & Sendable>(
    _ records: [Record], in indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await writing(indexName, deadline) { [self] cancellation in
      try putting(
        nodes(records, cancellation), in: indexName, clearsFirst: false, cancellation)
    }
  }

  /// Replaces all records of an index in one step, so no search sees it empty.
  ///
  /// Settings do not change. A missing index is created.
  ///
  /// - Returns: The IDs in the order of the records.
  @concurrent @discardableResult
  public func replaceAll<Record: Encodable & Sendable>(
    with records: [Record], in indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await writing(indexName, deadline) { [self] cancellation in
      try putting(nodes(records, cancellation), in: indexName, clearsFirst: true, cancellation)
    }
  }

  /// Changes some attributes of records, and keeps the others.
  ///
  /// Each update encodes as an object with the `objectID` of its record. A value can be one of the
  /// built-in operations on a top-level attribute:
  ///
  /// ```swift
  /// try await engine.partialUpdate(
  ///   [["objectID": "1", "views": ["_operation": "Increment", "value": 1]] as JSON], in: "films")
  /// ```
  ///
  /// `Increment` and `Decrement` change a number, starting from 0 if it is absent. Integers are
  /// added exactly, and a sum that a record cannot hold is an error. `Add`, `AddUnique` and
  /// `Remove` change an array. `IncrementFrom` adds 1 if the attribute has the given value, and
  /// `IncrementSet` sets a greater value. Otherwise both leave the whole record unchanged.
  ///
  /// - Parameters:
  ///   - updates: The changes, one object per record.
  ///   - indexName: The index.
  ///   - createsIfMissing: Whether a missing record is created from the update. Otherwise the
  ///     update is skipped. Defaults to `true`.
  ///   - deadline: The deadline of the write. Defaults to none.
  /// - Throws: `SearchError` with code `invalidRequest`, without changes, if an update has no
  ///   `objectID` or an operation does not fit. The message has the update's number, from 0.
  @concurrent
  public func partialUpdate<Update: Encodable & Sendable>(
    _ updates: [Update], in indexName: String, createsIfMissing: Bool = true,
    deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await writing(indexName, deadline) { [self] cancellation in
      let changes = try nodes(updates, cancellation).enumerated().map { number, node in
        try cancellation.count()
        do {
          return RecordChange.update(
            try PartialUpdate(node, location: .record(number), cancellation),
            createsIfMissing: createsIfMissing)
        } catch let error as APIError {
          throw error.at(location: "record \(number)")
        }
      }
      return PreparedWrite(changes, to: indexName, createsIndex: createsIfMissing) { _ in }
    }
  }

  /// Removes the records with some IDs. IDs without a record are skipped, as is a missing index.
  @concurrent
  public func delete(
    objectIDs: [String], from indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await writing(indexName, deadline) { cancellation in
      let changes = try cancellation.map(objectIDs) { RecordChange.delete(objectID: $0) }
      return PreparedWrite(changes, to: indexName, createsIndex: false) { _ in }
    }
  }

  /// Removes the records that match a query, which must have a filter or a geographic condition.
  ///
  /// - Throws: `SearchError` with code `invalidRequest`, without changes, if the query has no
  ///   filter or an invalid value. If ``Configuration/rejectsMistakes`` is set, also if a filter or
  ///   a name in it has no effect.
  @concurrent
  public func delete(
    matching query: SearchQuery, from indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await writing(indexName, deadline) { _ in
      PreparedWrite([.deleteMatching(query)], to: indexName, createsIndex: false) { _ in }
    }
  }

  /// Removes all records of an index, and keeps its settings.
  @concurrent
  public func clear(
    _ indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await writing(indexName, deadline) { _ in
      PreparedWrite([.clear], to: indexName, createsIndex: false) { _ in }
    }
  }

  /// Returns the record with an ID, or `nil`. Unretrievable attributes are missing.
  ///
  /// The record is decoded on a thread of the engine. Its `init(from:)` must not wait for another
  /// call of an engine.
  ///
  /// - Throws: `SearchError` with code `indexNotFound` if the index does not exist, or `decoding`
  ///   if the record does not fit the type.
  @concurrent
  public func record<Record: Decodable & Sendable>(
    withID objectID: String, in indexName: String, as type: Record.Type = JSON.self
  ) async throws(SearchError) -> Record? {
    do {
      return try await working(.read, until: nil) { [self] cancellation in
        guard
          let bytes = try indexStore.snapshot(of: indexName)
            .record(objectID, attributes: ["*"], cancellation)
        else { return nil }
        let node = try cancellation.stored(bytes[...])
        // Long records of this type are decoded in steps.
        if type == JSON.self, let record = try cancellation.json(node) as? Record { return record }
        do {
          return try JSONValueDecoder(options: configuration.decoding.options)
            .decode(type, from: node)
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

  /// Performs a public call that writes, and converts its errors to `SearchError`.
  ///
  /// - Parameter prepare: Reads and checks the write.
  func writing<Result: Sendable>(
    _ indexName: String, _ deadline: Deadline?, _ kind: EngineThreads.Kind = .write,
    _ prepare: @escaping @Sendable (CancellationCheck) throws -> PreparedWrite<Result>
  ) async throws(SearchError) -> Result {
    do {
      return try await perform(kind, until: deadline, prepare)
    } catch {
      throw SearchError(engine: error, indexName: indexName)
    }
  }

  /// Returns the write that stores records, possibly replacing all others.
  ///
  /// - Parameter location: Returns the location of a record by its number, for messages. Defaults
  ///   to `record 3`.
  /// - Returns: The write, which results in the IDs.
  func putting(
    _ nodes: [JSONNode], in indexName: String, clearsFirst: Bool, _ cancellation: CancellationCheck,
    location: (Int) -> String = { "record \($0)" }
  ) throws -> PreparedWrite<[String]> {
    let records = try records(nodes, for: indexName, cancellation, location: location)
    var changes: [RecordChange] = []
    changes.reserveCapacity(records.count + 1)
    if clearsFirst { changes.append(.clear) }
    try cancellation.forEach(records) { changes.append(.put($0)) }
    let ids = try cancellation.map(records) { $0.objectID }
    return PreparedWrite(changes, to: indexName, createsIndex: true) { _ in ids }
  }

  /// Encodes records.
  private func nodes<Record: Encodable>(
    _ records: [Record], _ cancellation: CancellationCheck
  ) throws -> [JSONNode] {
    let (encoding, decoding) = (configuration.encoding, configuration.decoding)
    guard let encoding = encoding ?? RecordEncoding(writing: decoding) else {
      throw SearchError(
        .invalidRequest,
        "The engine reads dates in a custom form. Set the encoding of its configuration, so that it"
          + " can write them.")
    }
    let encoder = JSONValueEncoder(options: encoding.options)
    var nodes: [JSONNode] = []
    nodes.reserveCapacity(records.count)
    for (index, record) in records.enumerated() {
      try cancellation.count()
      do {
        let bytes = try encoder.encode(record) {
          try cancellation.count(CancellationCheck.stepsOfCheck)
        }
        nodes.append(try cancellation.document(bytes[...]).root)
      } catch {
        // The error may be what ended the work.
        try cancellation.check()
        var failure = SearchError(encodingFailure: error)
        failure.message = "record \(index): " + failure.message
        throw failure
      }
    }
    return nodes
  }
}
