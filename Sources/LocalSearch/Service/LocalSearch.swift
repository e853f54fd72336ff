@_exported public import InstantSearchAPI
import InstantSearchJSON

/// A search engine in this process that answers the REST contract of the hosted one.
///
/// ```swift
/// let engine = LocalSearch()
/// try await engine.save(films, in: "films")
/// let client = SearchClient(transport: engine)
/// let page = try await client.search("films", SearchQuery("clooney"), of: Hit<Film>.self)
/// ```
///
/// Reads work on immutable snapshots and never wait for a write. When an awaited write returns, the
/// next search sees it. Writes of one index are applied one after the other, in the order in which
/// they were read and checked, each as a whole. A write that is cancelled, or whose deadline
/// passes, leaves nothing behind.
///
/// The answer of a search has the indices that were searched as its `snapshot`, so that all pages
/// of a list are made from the same data.
///
/// The engine works on threads of its own, so that calls of any number and length leave the threads
/// of Swift's concurrency to other tasks. As many reads work at once as the machine has cores, and
/// as many writes besides; the others wait, without a thread. The threads end when there is no
/// work.
///
/// The same calls in the same order give the same bytes: nothing depends on time or chance unless
/// ``Configuration`` brings it in.
public final class LocalSearch: SearchTransport {
  /// What an engine takes from outside.
  public struct Configuration: Sendable {
    /// Measures `processingTimeMS`; without a clock the engine answers 0, so that equal calls have
    /// equal answers. `nil` by default.
    public var clock: (any Clock<Duration>)?
    /// Returns the time of a write, as in `2025-03-01T12:00:00.000Z`; 1 January 1970 by default.
    ///
    /// It runs on a thread of the engine, after the write is visible. If it blocks the thread until
    /// another call of an engine ends, it can stop all engines of the process.
    public var timestamp: @Sendable () -> String
    /// Makes the ID of a record that has none; by default 16 hexadecimal digits in a fixed
    /// sequence, without those already taken. An ID that is taken is asked for again, at most eight
    /// times; then the write is an error.
    ///
    /// It runs on a thread of the engine. If it blocks the thread until another call of an engine
    /// ends, it can stop all engines of the process.
    public var makeObjectID: (@Sendable () -> String)?
    /// Whether a search parameter that the contract does not know is an error; `false` by default.
    public var rejectsUnknownParameters: Bool
    /// Whether what is valid but can have no effect is an error; `false` by default.
    ///
    /// Mistakes are facets, filters and names of attributes that the settings do not declare or
    /// that no record has, `distinct` without its attribute, and settings and parameters that do
    /// not exist. By default the answers to searches and browsing report them in `message`; other
    /// answers have no such member. If `true`, these calls are refused with an error of code
    /// `invalidRequest`, and so are searches for facet values, `deleteByQuery` and `setSettings`.
    /// <doc:SettingsAndRanking> lists the mistakes.
    public var rejectsMistakes: Bool
    /// The index whose records are searched as places; `places` by default. Its settings are to be
    /// ``IndexSettings/places``, or others made from them.
    public var placesIndexName: String
    /// The most bytes of one answer; 268,435,456 by default. A call whose answer would be larger is
    /// refused with an error of code `invalidRequest`.
    public var maximumAnswerSize: Int
    /// The most bytes of the body of one request, such as a batch; 268,435,456 by default. A larger
    /// one is not read, and is refused with an error of code `invalidRequest`.
    public var maximumRequestSize: Int
    /// Runs the engine's work; `nil`, the default, for threads of the engine's own.
    ///
    /// The work of a call can take long and does not suspend, so an executor with few threads, such
    /// as that of an event loop, does nothing else meanwhile. A test that simulates orders of
    /// execution gives its own executor.
    public var executor: (any TaskExecutor)?
    /// How many steps of work are made between two checks for cancellation; tests make more.
    package var checkpointInterval = Checkpoint.interval
    /// The threads where there is no executor; tests have some of their own.
    package var threads = EngineThreads.shared

    /// Creates a configuration; everything has a default.
    public init(
      clock: (any Clock<Duration>)? = nil,
      timestamp: @escaping @Sendable () -> String = { "1970-01-01T00:00:00.000Z" },
      makeObjectID: (@Sendable () -> String)? = nil,
      rejectsUnknownParameters: Bool = false,
      rejectsMistakes: Bool = false,
      placesIndexName: String = "places",
      maximumAnswerSize: Int = 1 << 28,
      maximumRequestSize: Int = 1 << 28,
      executor: (any TaskExecutor)? = nil
    ) {
      self.clock = clock
      self.timestamp = timestamp
      self.makeObjectID = makeObjectID
      self.rejectsUnknownParameters = rejectsUnknownParameters
      self.rejectsMistakes = rejectsMistakes
      self.placesIndexName = placesIndexName
      self.maximumAnswerSize = maximumAnswerSize
      self.maximumRequestSize = maximumRequestSize
      self.executor = executor
    }
  }

  /// What the engine takes from outside.
  let configuration: Configuration
  /// The indices.
  let indexStore = IndexStore()
  let identity = EngineIdentity()
  /// The browsing that is under way.
  let browsing = BrowseSessions()
  /// Makes the IDs of records without one.
  let objectIDGenerator: ObjectIDGenerator
  /// The order of the writes.
  package let turns = WriteTurns()

  /// Creates an engine without indices.
  public init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
    objectIDGenerator = ObjectIDGenerator(custom: configuration.makeObjectID)
  }

  /// Creates an engine with one index.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` when a record cannot be encoded.
  public convenience init<Record: Encodable & Sendable>(
    indexName: String, records: [Record], settings: IndexSettings = IndexSettings(),
    configuration: Configuration = Configuration()
  ) async throws(SearchError) {
    self.init(configuration: configuration)
    try await setSettings(settings, of: indexName)
    try await save(records, in: indexName)
  }

  /// Answers one call of the REST contract.
  ///
  /// Mistakes of the caller are answered with a status and `{"message", "status"}`, as the hosted
  /// engine does.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, `SearchError` of code `timedOut`
  ///   when the request's deadline passes.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    do {
      try configuration.check(sizeOf: request)
      if let reader = request.snapshot as? IndexReader, reader.belongs(to: self) {
        return try await answer(request, reader)
      }
      if request.endpoint.callType == .write { return try await answerWrite(request) }
      return try await answer(request, nil)
    } catch let error as APIError {
      return TransportResponse(refusal: error)
    }
  }

  /// Answers a call that reads, from the indices as they are when it begins if it has no reader.
  private func answer(
    _ request: TransportRequest, _ reader: IndexReader?
  ) async throws -> TransportResponse {
    try await working(.read, until: request.deadline) { [self] checkpoint in
      try (reader ?? IndexReader(self)).answer(request, checkpoint)
    }
  }
}

extension LocalSearch.Configuration {
  /// Which mistakes of a search are errors.
  var mistakePolicy: MistakePolicy {
    MistakePolicy(
      rejectsUnknownParameters: rejectsUnknownParameters, rejectsMistakes: rejectsMistakes)
  }

  /// Refuses a request with a body that is too large.
  func check(sizeOf request: TransportRequest) throws(APIError) {
    let size = request.body.count
    guard size > maximumRequestSize else { return }
    throw APIError(
      "The body of \(request.method.rawValue) \(request.path) has \(size) bytes, expected at most"
        + " \(maximumRequestSize); divide what it lists among several requests")
  }

  /// Starts to measure; the closure returns the whole milliseconds since then, 0 without a clock.
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

extension LocalSearch {
  /// Runs work for the processor on the threads of the engine, or on the executor of the
  /// configuration.
  ///
  /// A cancellation and the deadline end the call at once before the work begins, and at its next
  /// checkpoint afterwards.
  func working<Result: Sendable>(
    _ kind: EngineThreads.Kind, until deadline: Deadline?,
    _ body: @escaping @Sendable (Checkpoint) throws -> Result
  ) async throws -> Result {
    // The work does not belong to the task of the caller.
    let cancellation = CancellationFlag()
    let work: @Sendable (Leftovers) throws -> Result = { [configuration] leftovers in
      let checkpoint = Checkpoint(
        cancellation: cancellation, deadline: deadline,
        interval: configuration.checkpointInterval,
        maximumAnswerSize: configuration.maximumAnswerSize, leftovers: leftovers)
      try checkpoint.check()
      return try body(checkpoint)
    }
    return try await withTaskCancellationHandler {
      if let executor = configuration.executor {
        return try await withTaskExecutorPreference(executor) { try work(Leftovers()) }
      }
      return try await configuration.threads.run(kind, until: deadline, work)
    } onCancel: {
      cancellation.set()
    }
  }
}

extension TransportResponse {
  /// An answer of the engine.
  init(status: Int = 200, json: [UInt8], snapshot: IndexReader? = nil) {
    self.init(
      status: status,
      headers: [HTTPHeader(name: "Content-Type", value: "application/json; charset=UTF-8")],
      body: json, snapshot: snapshot)
  }

  /// An answer that may be long.
  init(
    _ writer: borrowing JSONWriter, snapshot: IndexReader? = nil, _ checkpoint: Checkpoint
  ) throws {
    self.init(json: try writer.bytes { try checkpoint.check() }, snapshot: snapshot)
  }

  /// An answer with a short object as its body.
  init(status: Int = 200, object write: (inout JSONWriter) throws -> Void) rethrows {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    try write(&writer)
    writer.endObject()
    self.init(status: status, json: writer.bytes)
  }

  /// The answer to a mistake of the caller.
  init(refusal: APIError) {
    self.init(status: refusal.status, json: refusal.body)
  }
}
