public import InstantSearchAPI

/// The configuration of an engine.
public struct EngineConfiguration: Sendable {
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
  /// Finds the words of scripts without spaces. Default: none, so that such texts are found by
  /// pairs of characters.
  public var segmenter: (any WordSegmenter)?
  /// Entries of dictionaries in addition to the standard ones and to the ones that calls write:
  /// stop words, forms of words and compound words of any language. They are not kept in a file.
  /// Default: none.
  public var dictionaryEntries: [DictionaryEntry]
  /// The maximum size of a response, in bytes. Defaults to 268,435,456. A call with a larger
  /// response fails with code `invalidRequest`.
  public var maximumResponseSize: Int
  /// The maximum size of a request body, such as a batch, in bytes. Defaults to 268,435,456. A
  /// larger body is not read, and the request fails with code `invalidRequest`.
  public var maximumRequestSize: Int
  /// The maximum size of a saved record, in bytes of JSON. `nil` (the default) means no limit.
  ///
  /// A larger record fails with code `invalidRequest`, and its call with it. Hosted services have
  /// such a limit, of 10 to 100 KB. Partial updates are not limited.
  public var maximumRecordSize: Int?
  /// The executor of the engine's work. `nil` (the default) uses separate threads, and the
  /// caller's task for short searches.
  ///
  /// The work of a call can take long and does not suspend. It blocks an executor with few threads,
  /// such as an event loop's. Tests that simulate execution orders set a custom executor.
  public var executor: (any TaskExecutor)?
  /// The disk with the files of the engine, if it has any. Defaults to the system's disk.
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
  /// The minimum size of a journal for a checkpoint, in bytes. Tests set a smaller one.
  package var minimumJournalSize = 1 << 22
  /// The number of steps between two checks for cancellation. Tests set fewer.
  package var checkInterval = CancellationCheck.interval
  /// The threads without an executor. Tests set separate ones, which run short searches too.
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
    segmenter: (any WordSegmenter)? = nil,
    dictionaryEntries: [DictionaryEntry] = [],
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
    self.segmenter = segmenter
    self.dictionaryEntries = dictionaryEntries
    self.maximumResponseSize = maximumResponseSize
    self.maximumRequestSize = maximumRequestSize
    self.maximumRecordSize = maximumRecordSize
    self.executor = executor
    self.disk = disk
    self.onCheckpointFailure = onCheckpointFailure
  }
}

extension EngineConfiguration {
  /// The parameters and settings that an engine accepts.
  public enum Acceptance: Sendable, Hashable {
    /// All names. Unknown parameters are ignored, and unknown settings are stored.
    case everything
    /// All names of the contract, even if they have no effect in this engine.
    case known
    /// The names with the effect that the contract describes, so that a program does not rely on
    /// features that only the hosted service has.
    ///
    /// A name without effect is accepted with a value that asks for nothing, such as
    /// `analytics: false`, an empty list or the default of a setting. Saving rules, which this
    /// engine does not apply, is an error.
    case honored
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
