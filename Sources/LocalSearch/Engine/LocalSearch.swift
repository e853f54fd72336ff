// A program imports the product and finds the types of the search API.
@_exported public import InstantSearchAPI
import InstantSearchJSON

/// A search engine in this process that implements the REST contract of the hosted one.
///
/// ```swift
/// let engine = try await LocalSearch(indexName: "films", records: films)
/// let client = SearchClient(transport: engine)
/// let page = try await client.search("films", SearchQuery("clooney"), of: Hit<Film>.self)
/// ```
///
/// The engine is in memory. One that ``init(file:configuration:)`` opens keeps every write in a
/// file as well.
///
/// Reads use immutable snapshots and never wait for a write. After an awaited write returns, the
/// next search sees it. Writes of one index are applied atomically and serially, in the order in
/// which they were checked. A write that is cancelled, or whose deadline passes, changes nothing.
///
/// The response to a search has the searched indices as its `snapshot`, so that all pages of a list
/// come from the same data.
///
/// The engine has separate threads, so that its calls leave the threads of Swift concurrency to
/// other tasks. As many reads run at once as the machine has cores, as many writes, and as many
/// calls that load, open, save or close. Other calls wait without a thread. The threads end when
/// there is no work. The queries of a call with several queries run at once where that is faster. A
/// short search of at most 1,000 records runs in the caller's task instead, outside its actor.
///
/// The same calls in the same order return the same bytes. Nothing depends on time or randomness
/// unless ``EngineConfiguration`` provides it. The exception is records with more than 1,023
/// searchable attributes, whose ties depend on when segments were merged.
public final class LocalSearch: SearchTransport {
  /// Calls end in time.
  public var isPrompt: Bool { true }

  /// The configuration of an engine.
  public typealias Configuration = EngineConfiguration

  /// The indices, and the state that the calls of the engine share.
  let state: EngineState
  let identity = EngineIdentity()
  /// The browse sessions.
  let browsing = BrowseSessions()
  /// Orders the writes.
  package let writeScheduler = WriteScheduler()
  /// Merges segments after writes.
  package let merging: MergeScheduler
  /// The file in which writes are kept, or `nil`.
  let storage: EngineStorage?
  /// Creates an engine without indices, in memory only.
  public convenience init(configuration: Configuration = Configuration()) {
    self.init(configuration: configuration, storage: nil)
  }

  init(configuration: Configuration, storage: EngineStorage?) {
    var configuration = configuration
    configuration.owner = ObjectIdentifier(identity)
    state = EngineState(configuration)
    self.storage = storage
    merging = MergeScheduler(state.indexStore, writeScheduler, configuration)
  }

  /// The configuration of the engine.
  var configuration: EngineConfiguration { state.configuration }

  /// The indices.
  var indexStore: IndexStore { state.indexStore }

  /// The indices as they are now.
  var newestReader: IndexReader { IndexReader(state, browsing, of: identity) }

  deinit {
    merging.stop()
    storage?.stop()
  }

  /// Creates an engine with one index.
  ///
  /// Later records and settings are written with a `SearchClient`, as on any other transport.
  ///
  /// - Parameters:
  ///   - indexName: The index. The name must not be empty or `*`.
  ///   - records: The records. A record is any value that encodes as an object. Its ID is the
  ///     member `objectID`, a string or an integer; one without it gets a new ID.
  ///   - settings: The settings. Defaults to the settings of a new index.
  ///   - encoding: The form of dates and keys. Defaults to the form that `JSONEncoder` uses.
  ///   - configuration: The configuration of the engine.
  /// - Throws: `SearchError` with code `invalidRequest` if a record cannot be encoded, is not an
  ///   object or is nested too deeply, with its number from 0, or if a setting is invalid.
  public convenience init<Record: Encodable & Sendable>(
    indexName: String, records: [Record], settings: IndexSettings = IndexSettings(),
    encoding: RecordEncoding = RecordEncoding(), configuration: Configuration = Configuration()
  ) async throws(SearchError) {
    self.init(configuration: configuration)
    try await writing(indexName, nil) { [self] cancellation in
      try state.check(settings, cancellation)
      return PreparedWrite(
        to: [indexName], replicaNames: settings.replicaNames,
        changes: { try $0.apply(settings, to: indexName) }, result: { _ in })
    }
    try await writing(indexName, nil) { [self] cancellation in
      try state.putting(nodes(records, encoding, cancellation), in: indexName, cancellation)
    }
  }

  /// Performs one call of the REST contract.
  ///
  /// Errors of the caller are responses with a status and `{"message", "status"}`, as from the
  /// hosted engine.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, or `SearchError` with code `timedOut`
  ///   if the request's deadline passes.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    do {
      try configuration.check(sizeOf: request)
      if let reader = request.snapshot as? IndexReader, reader.belongs(to: identity) {
        return try await answer(request, reader)
      }
      if request.endpoint.callType == .write { return try await answerWrite(request) }
      return try await answer(request, nil)
    } catch let error as APIError {
      return TransportResponse(error: error)
    }
  }

  /// Performs a call that reads, from a reader or else from the current indices.
  private func answer(
    _ request: TransportRequest, _ reader: IndexReader?
  ) async throws -> TransportResponse {
    let short = (reader ?? newestReader).ifShort(request)
    // A waiting call keeps no indices in memory. It reads the current indices when it starts. The
    // clients of a service take turns, which they cannot in its tasks.
    let isShort = short != nil && request.client == nil
    return try await working(
      .read, of: request.client, until: request.deadline, isShort: isShort
    ) { [self] cancellation in
      try ReadCall(
        request: request, reader: short ?? reader ?? newestReader, cancellation: cancellation
      ).response()
    }
  }
}

extension LocalSearch {
  /// Runs the work of a call; see ``EngineConfiguration``.
  func working<Result: Sendable>(
    _ kind: EngineThreads.Kind, of client: CallClient? = nil, until deadline: Deadline?,
    isShort: Bool = false, _ body: @escaping @Sendable (CancellationCheck) throws -> Result
  ) async throws -> Result {
    try await configuration.working(
      kind, of: client, until: deadline, isShort: isShort, body)
  }
}

extension LocalSearch {
  /// The names of the indices, sorted.
  public var indexNames: [String] { indexStore.snapshots.keys.sorted() }

  /// The number of records of an index, or `nil` if it does not exist.
  public func recordCount(of indexName: String) -> Int? {
    indexStore.snapshots[indexName]?.recordCount
  }
}
