import InstantSearchJSON

extension LocalSearch {
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
  func nodes<Record: Encodable>(
    _ records: [Record], _ encoding: RecordEncoding, _ cancellation: CancellationCheck
  ) throws -> [JSONNode] {
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
