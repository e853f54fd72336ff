extension SearchClient {
  /// Replaces all records of an index in one step: a search sees either the old or the new records.
  ///
  /// The records are saved in a temporary index, named after the index, that takes over its
  /// settings, rules and synonyms and is then moved to its name. The call waits until the new
  /// records are visible. The official clients name this `replaceAllObjects`.
  ///
  /// If the call fails or is cancelled, the temporary index is deleted and the index is unchanged,
  /// unless the move was in flight. A key that is limited to indices needs `INDEX` and
  /// `INDEX_tmp_*`.
  ///
  /// - Parameters:
  ///   - records: The records. Without records, the index becomes empty.
  ///   - indexName: The index, which is created if it does not exist.
  ///   - scopes: The parts of the index to keep. Defaults to settings, rules and synonyms.
  ///   - options: The size of the batches, and their number in flight.
  ///   - progress: Receives the progress of saving. Defaults to none.
  ///   - timeout: The time that each task may take. Defaults to 10 minutes.
  /// - Throws: The errors of `save(_:in:)`; nothing is replaced if any record is rejected.
  @concurrent @discardableResult
  public func replaceAll<Records: Sequence>(
    with records: sending Records, in indexName: String,
    scopes: [IndexScope] = [.settings, .rules, .synonyms],
    options: IndexingOptions = IndexingOptions(), progress: IndexingProgress? = nil,
    timeout: Duration = .seconds(600)
  ) async throws(SearchError) -> IndexingReport where Records.Element: Encodable {
    defer { progress?.finish() }
    var replacement = try Replacement(of: indexName, self, scopes, options, timeout)
    return try await replacement.report { temporary throws(SearchError) in
      try await run(.save, records, in: temporary, options, progress)
    }
  }

  /// Replaces all records of an index in one step with the records of an async sequence.
  ///
  /// If the sequence throws, nothing is replaced.
  @concurrent @discardableResult
  public func replaceAll<Records: AsyncSequence>(
    with records: sending Records, in indexName: String,
    scopes: [IndexScope] = [.settings, .rules, .synonyms],
    options: IndexingOptions = IndexingOptions(), progress: IndexingProgress? = nil,
    timeout: Duration = .seconds(600)
  ) async throws(SearchError) -> IndexingReport where Records.Element: Encodable {
    defer { progress?.finish() }
    var replacement = try Replacement(of: indexName, self, scopes, options, timeout)
    return try await replacement.report { temporary throws(SearchError) in
      try await run(.save, records, in: temporary, options, progress)
    }
  }
}

/// The temporary index with the new records of another index.
private struct Replacement {
  private let temporary: String
  private let indexName: String
  private let client: SearchClient
  private let scopes: [IndexScope]
  private let options: RequestOptions
  private let timeout: Duration
  private var copy: IndexTask?

  /// Plans a replacement. Nothing is sent.
  init(
    of indexName: String, _ client: SearchClient, _ scopes: [IndexScope],
    _ options: IndexingOptions, _ timeout: Duration
  ) throws(SearchError) {
    try EndpointCall.check(indexName: indexName)
    temporary = "\(indexName)_tmp_\(UInt64.random(in: 1_000_000_000...9_999_999_999))"
    self.indexName = indexName
    self.client = client
    self.scopes = scopes
    self.options = options.request
    self.timeout = timeout
  }

  /// Replaces the records with the records that a closure saves in the temporary index.
  mutating func report(
    _ save: (_ temporary: String) async throws(SearchError) -> IndexingReport
  ) async throws(SearchError) -> IndexingReport {
    do throws(SearchError) {
      try await begin()
      return try await publish(save(temporary))
    } catch {
      await abandon()
      throw error
    }
  }

  /// Begins with a temporary index. The index may be missing, so nothing is awaited.
  private mutating func begin() async throws(SearchError) {
    if scopes.isEmpty { return }
    copy = try await client.copyIndex(indexName, to: temporary, scopes: scopes, options: options)
  }

  /// Moves the temporary index, with the records of the report, to the name of the index.
  private func publish(_ report: IndexingReport) async throws(SearchError) -> IndexingReport {
    try await report.wait(timeout: timeout)
    try await copy?.wait(timeout: timeout)
    if !scopes.isEmpty {
      // Copies the changes made while the records were saved.
      try await client.copyIndex(indexName, to: temporary, scopes: scopes, options: options)
        .wait(timeout: timeout)
    } else if report.saved == 0 {
      // A move of an index that does not exist would change nothing.
      try await client.setSettings(IndexSettings(), of: temporary, options: options)
        .wait(timeout: timeout)
    }
    let move = try await client.moveIndex(temporary, to: indexName, options: options)
    try await move.wait(timeout: timeout)
    var report = report
    report.task = move
    return report
  }

  /// Deletes the temporary index, even if the task is cancelled.
  private func abandon() async {
    var options = options
    options.timeout = .seconds(10)
    // Another task, which is not cancelled. Whether it succeeds does not matter: the first error
    // counts.
    let deletion = TaskBag<Int>()
    let end = Promise<Void>()
    deletion.replace(0) { [client, temporary, options] in
      _ = try? await client.deleteIndex(temporary, options: options)
      end.fulfill(with: ())
    }
    await end.outcome()
    deletion.cancelAll()
  }
}
