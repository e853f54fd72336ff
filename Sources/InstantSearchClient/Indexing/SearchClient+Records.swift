extension SearchClient {
  /// Saves records in an index. A record replaces an older record with the same ID.
  ///
  ///     try await client.save(films, in: "films").wait()
  ///
  /// A record is any value that encodes as an object. Its ID is the member `objectID`; a record
  /// without one gets a generated ID. A missing index is created. The records are sent in batches,
  /// a bounded number at once; see ``IndexingOptions``. The official clients name this
  /// `saveObjects`.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - indexName: The index.
  ///   - options: The size of the batches, and their number in flight.
  ///   - progress: Receives the progress of the call. Defaults to none.
  /// - Returns: The number of records, their IDs, and the task to wait for.
  /// - Throws: `invalidRequest` with the rejected records in `failures`, by position and ID, if the
  ///   service rejected some or they could not be encoded: all other records are saved. Otherwise
  ///   the error of a batch, after which no other batch is sent: earlier batches are saved.
  ///   `cancelled` if the task is cancelled: a batch in flight may be saved.
  @concurrent @discardableResult
  public func save<Records: Sequence>(
    _ records: sending Records, in indexName: String,
    options: IndexingOptions = IndexingOptions(), progress: IndexingProgress? = nil
  ) async throws(SearchError) -> IndexingReport where Records.Element: Encodable {
    try await run(.save, records, in: indexName, options, progress)
  }

  /// Saves the records of an async sequence, which may be more than memory holds.
  ///
  /// The sequence is read as fast as the batches are accepted. A batch is sent when it is full, and
  /// at the end. If the sequence throws, the records before are saved.
  @concurrent @discardableResult
  public func save<Records: AsyncSequence>(
    _ records: sending Records, in indexName: String,
    options: IndexingOptions = IndexingOptions(), progress: IndexingProgress? = nil
  ) async throws(SearchError) -> IndexingReport where Records.Element: Encodable {
    try await run(.save, records, in: indexName, options, progress)
  }

  /// Changes some attributes of records, and keeps the others.
  ///
  ///     try await client.partialUpdate(
  ///       [RecordUpdate("1", ["views": .increment(by: 1), "tags": .addUnique("new")])],
  ///       in: "films")
  ///
  /// Each update encodes as an object with the `objectID` of its record: a ``RecordUpdate``, or a
  /// type of your own with some of the attributes. The official clients name this
  /// `partialUpdateObjects`.
  ///
  /// - Parameters:
  ///   - updates: The changes, one per record.
  ///   - indexName: The index.
  ///   - createsIfMissing: Whether a missing record is created from its update. Otherwise the
  ///     update is skipped, without an error. Defaults to `false`, as in the official clients; a
  ///     call of the contract that does not say so creates it.
  ///   - options: The size of the batches, and their number in flight.
  ///   - progress: Receives the progress of the call. Defaults to none.
  /// - Throws: The errors of `save(_:in:)`.
  @concurrent @discardableResult
  public func partialUpdate<Updates: Sequence>(
    _ updates: sending Updates, in indexName: String, createsIfMissing: Bool = false,
    options: IndexingOptions = IndexingOptions(), progress: IndexingProgress? = nil
  ) async throws(SearchError) -> IndexingReport where Updates.Element: Encodable {
    try await run(
      createsIfMissing ? .update : .updateExisting, updates, in: indexName, options, progress)
  }

  /// Changes some attributes of records, with the updates of an async sequence.
  @concurrent @discardableResult
  public func partialUpdate<Updates: AsyncSequence>(
    _ updates: sending Updates, in indexName: String, createsIfMissing: Bool = false,
    options: IndexingOptions = IndexingOptions(), progress: IndexingProgress? = nil
  ) async throws(SearchError) -> IndexingReport where Updates.Element: Encodable {
    try await run(
      createsIfMissing ? .update : .updateExisting, updates, in: indexName, options, progress)
  }

  /// Deletes the records with some IDs. IDs without a record are skipped.
  ///
  /// The official clients name this `deleteObjects`.
  @concurrent @discardableResult
  public func delete(
    objectIDs: some Sequence<String> & Sendable, from indexName: String,
    options: IndexingOptions = IndexingOptions(), progress: IndexingProgress? = nil
  ) async throws(SearchError) -> IndexingReport {
    let records = objectIDs.map { ["objectID": $0] }
    return try await run(.delete, records, in: indexName, options, progress)
  }

  /// Deletes the records that match a query, which must have a filter or a geographic condition.
  ///
  /// Only the filters and the geographic parameters of the query are sent, which are all that the
  /// service allows. The official clients name this `deleteBy`.
  ///
  /// - Throws: `invalidRequest` if the query has neither.
  @concurrent @discardableResult
  public func delete(
    matching query: SearchQuery, from indexName: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    let request = SearchRequest(indexName, query.conditions, of: JSON.self)
    guard request.query != SearchQuery() else {
      throw SearchError(
        .invalidRequest, "The query has no filter, so it would delete nothing or everything.",
        indexName: indexName)
    }
    return try await write(
      .deleteBy(index: indexName), to: indexName, body: request.body, options: options)
  }

  /// Deletes all records of an index, and keeps its settings, synonyms and rules.
  ///
  /// The official clients name this `clearObjects`.
  @concurrent @discardableResult
  public func clear(
    _ indexName: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    try await write(.clear(index: indexName), to: indexName, options: options)
  }
}

extension SearchClient {
  func run<Records: Sequence>(
    _ action: BatchAction, _ records: Records, in indexName: String, _ options: IndexingOptions,
    _ progress: IndexingProgress?
  ) async throws(SearchError) -> IndexingReport where Records.Element: Encodable {
    defer { progress?.finish() }
    // A lazy sequence does not know its number, and says 0.
    let count = records.underestimatedCount
    return try await BatchRun(action, in: indexName, self, options, progress).report(
      of: AsyncRecords(records), total: count > 0 ? count : nil, keepsIDs: true)
  }

  func run<Records: AsyncSequence>(
    _ action: BatchAction, _ records: Records, in indexName: String, _ options: IndexingOptions,
    _ progress: IndexingProgress?
  ) async throws(SearchError) -> IndexingReport where Records.Element: Encodable {
    defer { progress?.finish() }
    return try await BatchRun(action, in: indexName, self, options, progress).report(
      of: records, total: nil, keepsIDs: false)
  }
}

/// A sequence as an async sequence that never waits.
private struct AsyncRecords<Base: Sequence>: AsyncSequence {
  private let base: Base

  init(_ base: Base) { self.base = base }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var base: Base.Iterator

    mutating func next() async -> Base.Element? { base.next() }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeIterator()) }
}

extension SearchQuery {
  /// The query's filters and geographic parameters.
  ///
  /// Source: the parameters of `deleteByQuery` in the OpenAPI description.
  fileprivate var conditions: SearchQuery {
    var query = self
    for parameter: SearchParameter in [
      .filters, .facetFilters, .numericFilters, .tagFilters, .aroundLatLng, .aroundRadius,
      .insideBoundingBox, .insidePolygon,
    ] { query.adoptAdditional(parameter) }
    var conditions = SearchQuery()
    conditions.filters = query.filters
    conditions.facetFilters = query.facetFilters
    conditions.numericFilters = query.numericFilters
    conditions.tagFilters = query.tagFilters
    conditions.aroundLatLng = query.aroundLatLng
    conditions.aroundRadius = query.aroundRadius
    conditions.insideBoundingBox = query.insideBoundingBox
    conditions.insidePolygon = query.insidePolygon
    return conditions
  }
}
