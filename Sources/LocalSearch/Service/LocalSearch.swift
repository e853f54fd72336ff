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
/// there is no work. The queries of a call with several run at once where that is faster. A short
/// search of at most 1,000 records runs in the caller's task instead, outside its actor.
///
/// The same calls in the same order return the same bytes. Nothing depends on time or randomness
/// unless ``Configuration`` provides it. An exception are records with more than 1,023 searched
/// attributes: which of them rank equally depends on when segments were merged.
public final class LocalSearch: SearchTransport {
  /// Calls end in time.
  public var isPrompt: Bool { true }

  /// The configuration of an engine.
  public struct Configuration: Sendable {
    /// The clock that measures `processingTimeMS`. Without a clock, the default, the value is 0, so
    /// that equal calls have equal responses.
    public var clock: (any Clock<Duration>)?
    /// Returns the time of a write, as in `2025-03-01T12:00:00.000Z`. Defaults to 1 January 1970.
    ///
    /// It runs once for each write, on a thread of the engine, before the write waits for its turn.
    /// It must not wait for another call of an engine, which can block all engines of the process.
    public var timestamp: @Sendable () -> String
    /// Returns the ID of a record without one. Defaults to 16 hexadecimal digits in a fixed
    /// sequence, without IDs already taken. It is called again for an ID that is taken, at most
    /// eight times. Then the write fails.
    ///
    /// It runs on a thread of the engine. It must not wait for another call of an engine, which can
    /// block all engines of the process.
    public var makeObjectID: (@Sendable () -> String)?
    /// The parameters and settings that calls may have. Defaults to ``Acceptance/everything``.
    ///
    /// Others are errors with code `invalidRequest`. <doc:Contract> lists all names.
    public var accepts: Acceptance
    /// Whether parameters and settings without an effect are errors. Defaults to `false`.
    ///
    /// Examples are facets, filters and attributes that the settings do not declare or that no
    /// record has, `distinct` without its attribute, and unknown settings and parameters. By
    /// default the responses to searches and browsing report them in `message`. Other responses
    /// have no such member. If `true`, these calls fail with code `invalidRequest`, as do searches
    /// for facet values, `deleteByQuery` and `setSettings`. See <doc:SettingsAndRanking> for the
    /// list.
    public var rejectsMistakes: Bool
    /// The index of places. Defaults to `places`. Give it the settings `IndexSettings.places`, or
    /// settings based on them.
    public var placesIndexName: String
    /// The maximum size of a response, in bytes. Defaults to 268,435,456. A call with a larger
    /// response fails with code `invalidRequest`.
    public var maximumResponseSize: Int
    /// The maximum size of a request body, such as a batch, in bytes. Defaults to 268,435,456. A
    /// larger body is not read, and the request fails with code `invalidRequest`.
    public var maximumRequestSize: Int
    /// The maximum size of a record that is saved, in bytes of JSON; `nil` (the default) is none.
    ///
    /// A larger record fails with code `invalidRequest`, and its call with it. Hosted services have
    /// such a limit, of 10 to 100 KB. Partial updates are not limited.
    public var maximumRecordSize: Int?
    /// The executor of the engine's work. `nil` (the default) uses separate threads, and the
    /// caller's task for short searches.
    ///
    /// The work of a call can take long and does not suspend. It blocks an executor with few
    /// threads, such as that of an event loop. Tests that simulate execution orders set a custom
    /// executor.
    public var executor: (any TaskExecutor)?
    /// The files of the engine, if it has any. Defaults to those of the system.
    ///
    /// Tests pass a `SimulatedDisk` of the testing product.
    public var disk: any Disk
    /// Receives the error if the engine could not rewrite its file by itself, or at its end;
    /// `nil` (the default) ignores it.
    ///
    /// Nothing is lost: the writes are in the journal, which grows, and the engine tries again when
    /// it has grown enough. A full disk is the usual reason. It runs on a thread or on the executor
    /// of the engine, and must not wait for another call of an engine.
    public var onCheckpointFailure: (@Sendable (SearchError) -> Void)?
    /// Returns the number of the first journal of a new file. It is random, so that journals of an
    /// older file of that name do not belong to it. Tests set a fixed one.
    package var makeJournalNumber: @Sendable () -> UInt64 = { .random(in: 1..<1 << 48) }
    /// The size of a journal below which there is no checkpoint, in bytes. Tests set a smaller one.
    package var minimumJournalSize = 1 << 22
    /// The number of steps between two checks for cancellation. Tests set fewer.
    package var checkInterval = CancellationCheck.interval
    /// The threads, if there is no executor. Tests set separate ones, which run short searches too.
    package var threads = EngineThreads.shared
    /// The engine, as the owner of its calls.
    var owner: ObjectIdentifier?
    /// The number of steps that a call that reads may take; see ``CancellationCheck``. Tests set
    /// fewer.
    package var readBudget = CancellationCheck.readBudget

    /// Creates a configuration. All arguments have defaults.
    public init(
      clock: (any Clock<Duration>)? = nil,
      timestamp: @escaping @Sendable () -> String = { "1970-01-01T00:00:00.000Z" },
      makeObjectID: (@Sendable () -> String)? = nil,
      accepts: Acceptance = .everything,
      rejectsMistakes: Bool = false,
      placesIndexName: String = "places",
      maximumResponseSize: Int = 1 << 28,
      maximumRequestSize: Int = 1 << 28,
      maximumRecordSize: Int? = nil,
      executor: (any TaskExecutor)? = nil,
      disk: any Disk = SystemDisk(),
      onCheckpointFailure: (@Sendable (SearchError) -> Void)? = nil
    ) {
      self.clock = clock
      self.timestamp = timestamp
      self.makeObjectID = makeObjectID
      self.accepts = accepts
      self.rejectsMistakes = rejectsMistakes
      self.placesIndexName = placesIndexName
      self.maximumResponseSize = maximumResponseSize
      self.maximumRequestSize = maximumRequestSize
      self.maximumRecordSize = maximumRecordSize
      self.executor = executor
      self.disk = disk
      self.onCheckpointFailure = onCheckpointFailure
    }
  }

  /// The configuration of the engine.
  let configuration: Configuration
  /// The indices.
  let indexStore = IndexStore()
  let identity = EngineIdentity()
  /// The browse sessions.
  let browsing = BrowseSessions()
  /// Generates the IDs of records without one.
  let objectIDGenerator: ObjectIDGenerator
  /// Orders the writes.
  package let writeScheduler = WriteScheduler()
  /// Merges segments after writes.
  package let merging: MergingSegments
  /// The file in which writes are kept, or `nil`.
  let storage: EngineStorage?
  /// Creates an engine without indices, in memory only.
  public convenience init(configuration: Configuration = Configuration()) {
    self.init(configuration: configuration, storage: nil)
  }

  init(configuration: Configuration, storage: EngineStorage?) {
    var configuration = configuration
    configuration.owner = ObjectIdentifier(identity)
    self.configuration = configuration
    self.storage = storage
    merging = MergingSegments(indexStore, writeScheduler, configuration)
    objectIDGenerator = ObjectIDGenerator(custom: configuration.makeObjectID)
  }

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
  ///   - settings: The settings. Defaults to those of a new index.
  ///   - encoding: The form of dates and keys. Defaults to that of `JSONEncoder`.
  ///   - configuration: The configuration of the engine.
  /// - Throws: `SearchError` with code `invalidRequest` if a record cannot be encoded, is not an
  ///   object or is nested too deeply, with its number from 0, or if a setting is invalid.
  public convenience init<Record: Encodable & Sendable>(
    indexName: String, records: [Record], settings: IndexSettings = IndexSettings(),
    encoding: RecordEncoding = RecordEncoding(), configuration: Configuration = Configuration()
  ) async throws(SearchError) {
    self.init(configuration: configuration)
    try await writing(indexName, nil) { [self] cancellation in
      try check(settings, cancellation)
      return PreparedWrite(
        to: [indexName], replicaNames: settings.replicaNames,
        changes: { try $0.apply(settings, to: indexName) }, result: { _ in })
    }
    _ = try await writing(indexName, nil) { [self] cancellation in
      try putting(
        nodes(records, encoding, cancellation), in: indexName, clearsFirst: false, cancellation)
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
      if let reader = request.snapshot as? IndexReader, reader.belongs(to: self) {
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
    let short = (reader ?? IndexReader(self)).ifShort(request)
    // A call that waits keeps no indices, and reads those of the moment when it starts.
    // The clients of a service take turns, which they cannot in its tasks.
    let isShort = short != nil && request.client == nil
    return try await working(
      .read, of: request.client, until: request.deadline, isShort: isShort
    ) { [self] cancellation in
      try ReadCall(
        request: request, reader: short ?? reader ?? IndexReader(self), cancellation: cancellation
      ).response()
    }
  }
}

extension LocalSearch.Configuration {
  /// The parameters and settings that an engine accepts.
  public enum Acceptance: Sendable, Hashable {
    /// All names. Unknown parameters are ignored, and unknown settings are stored.
    case everything
    /// All names of the contract, even if they have no effect in this engine.
    case known
    /// The names with the effect that the contract describes, so that a program does not rely on
    /// what only the hosted service does.
    ///
    /// A name without effect is accepted with a value that asks for nothing, such as
    /// `analytics: false`, an empty list or the default of a setting. Saving synonyms or rules,
    /// which this engine does not apply, is an error.
    case honored
  }

  /// The mistakes of a search that are errors.
  var mistakePolicy: MistakePolicy {
    MistakePolicy(
      rejectsUnknown: accepts != .everything, rejectsIgnored: accepts == .honored,
      rejectsMistakes: rejectsMistakes)
  }

  /// Rejects a record that is too large.
  ///
  /// - Parameter position: The position of the record in its batch, if there is one.
  func check(_ record: EncodedRecord, at position: Int? = nil) throws(APIError) {
    try check(size: record.bytes.count, of: record.objectID, at: position)
  }

  /// Rejects the size of a record that is too large, in bytes.
  func check(size: Int, of objectID: String, at position: Int? = nil) throws(APIError) {
    guard let maximumRecordSize, size > maximumRecordSize else { return }
    let place = position.map { " at the position \($0)" } ?? ""
    var error = APIError(
      "Record\(place) objectID=\(objectID.excerpt()) is too big size=\(size) bytes,"
        + " expected at most \(maximumRecordSize)")
    error.position = position
    error.objectID = objectID
    throw error
  }

  /// Rejects a request with a body that is too large.
  func check(sizeOf request: TransportRequest) throws(APIError) {
    let size = request.body.count
    guard size > maximumRequestSize else { return }
    throw APIError(
      "The body of \(request.method.rawValue) \(request.endpoint.redactedPath) has \(size) bytes,"
        + " expected at most \(maximumRequestSize); send it as several requests")
  }

  /// Starts a measurement. The closure returns the elapsed whole milliseconds, or 0 without a
  /// clock.
  func stopwatch() -> @Sendable () -> Int {
    guard let clock else { return { 0 } }
    return Self.stopwatch(clock)
  }

  private static func stopwatch<C: Clock>(
    _ clock: C
  ) -> @Sendable () -> Int where C.Duration == Duration {
    let start = clock.now
    return {
      let (seconds, attoseconds) = start.duration(to: clock.now).components
      return Int(clamping: seconds) &* 1000 &+ Int(clamping: attoseconds / 1_000_000_000_000_000)
    }
  }
}

extension TransportResponse {
  /// Creates a response with JSON.
  init(status: Int = 200, json: [UInt8], snapshot: IndexReader? = nil) {
    self.init(
      status: status,
      headers: [HTTPHeader(name: "Content-Type", value: "application/json; charset=UTF-8")],
      body: json, snapshot: snapshot)
  }

  /// Creates a response with a short object as its body.
  init(status: Int = 200, object write: (inout JSONWriter) throws -> Void) rethrows {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    try write(&writer)
    writer.endObject()
    self.init(status: status, json: writer.bytes)
  }

  /// Creates the response for an error of the caller.
  init(error: APIError) {
    self.init(
      status: error.status,
      json: TransportResponse.errorBody(
        error.message, status: error.status, position: error.position, objectID: error.objectID))
  }
}
