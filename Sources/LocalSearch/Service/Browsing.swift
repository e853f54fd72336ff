import InstantSearchJSON

extension IndexReader {
  /// Answers `POST /1/indexes/{index}/browse`.
  ///
  /// The first call pins the snapshot and the order; the calls with its cursors read on in them
  /// until the run is forgotten, which is some time after its last page; see ``BrowseRetention``.
  func answerBrowse(
    _ request: TransportRequest, _ indexName: String, _ checkpoint: Checkpoint
  ) throws -> TransportResponse {
    let elapsed = configuration.stopwatch()
    var query = try RequestBody.query(in: RequestBody(request.body, checkpoint).root, checkpoint)
    let cursorText = query.additionalParameters.removeValue(forKey: "cursor")
    let session: BrowseSessions.Session
    var cursor: BrowseCursor
    if let cursorText, !cursorText.isNull, cursorText != "" {
      let parsed = cursorText.stringValue.flatMap { BrowseCursor($0) }
      guard let parsed, let known = browsing[parsed.session], known.indexName == indexName,
        parsed.offset <= known.order.count
      else {
        throw APIError("Cursor is not valid or not valid any more; browse again from the start")
      }
      session = known
      cursor = parsed
    } else {
      session = try browse(query, indexName, checkpoint)
      cursor = BrowseCursor(session: 0, offset: session.firstOffset)
    }
    let size = session.query.hitsPerPage ?? ParameterLimits.maximumHitCount
    let search = try ResolvedSearch(
      session.query, indexName: indexName, settings: session.snapshot.settings,
      isPagingLimited: false, checkpoint)
    let start = min(cursor.offset, session.order.count)
    let end = start + min(size, session.order.count - start)
    var result = SearchResult(plan: session.plan)
    result.hitCount = session.order.count
    result.hits = session.order[start..<end].map { place in
      SearchResult.Hit(segment: Int(place >> 32), document: Int(place & 0xffff_ffff))
    }
    var next: BrowseCursor?
    if end < session.order.count, size > 0 {
      if cursor.session == 0 { cursor.session = browsing.add(session) }
      next = BrowseCursor(session: cursor.session, offset: end)
    } else if cursor.session != 0 {
      browsing.finish(cursor.session)
    }
    var response = SearchResponse(
      search: search.onPage(size > 0 ? start / size : 0, hitsPerPage: size), result: result,
      snapshot: session.snapshot, mistakes: session.mistakes, processingTime: elapsed())
    response.cursor = next?.text
    response.params = session.params
    var writer = JSONWriter(capacity: 65_536)
    try response.write(to: &writer, checkpoint)
    return try TransportResponse(writer, checkpoint)
  }

  /// Ranks the records of a run: by attribute and custom ranking only.
  private func browse(
    _ query: SearchQuery, _ indexName: String, _ checkpoint: Checkpoint
  ) throws -> BrowseSessions.Session {
    let snapshot = try snapshot(of: indexName)
    let forced = query.forBrowsing(settings: snapshot.settings)
    let search = try ResolvedSearch(
      forced, indexName: indexName, settings: snapshot.settings, isPagingLimited: false,
      checkpoint)
    let mistakes = try configuration.mistakePolicy.mistakes(of: search, in: snapshot, checkpoint)
    let run = SearchRun(snapshot: snapshot, search: search, checkpoint: checkpoint)
    let (records, order) = try run.order()
    return try BrowseSessions.Session(
      indexName: indexName, snapshot: snapshot, query: forced,
      params: query.paramsText(after: 0, checkpoint), order: order, plan: records.plan,
      mistakes: mistakes)
  }
}

extension BrowseSessions.Session {
  /// Where the first call begins: at the page it asks for.
  fileprivate var firstOffset: Int {
    let (offset, overflow) = (query.page ?? 0).multipliedReportingOverflow(
      by: query.hitsPerPage ?? ParameterLimits.maximumHitCount)
    return overflow ? .max : offset
  }
}

extension SearchQuery {
  /// The parameters as browsing has them, whatever was asked for.
  fileprivate func forBrowsing(settings: IndexSettings) -> SearchQuery {
    var query = self
    query.advancedSyntax = false
    query.distinct = .enabled(false)
    query.enablePersonalization = false
    query.enableRules = false
    query.getRankingInfo = false
    query.ignorePlurals = .enabled(false)
    query.attributesToHighlight = []
    query.attributesToSnippet = []
    query.facets = []
    query.optionalFilters = nil
    query.offset = nil
    query.length = nil
    query.hitsPerPage = query.hitsPerPage ?? ParameterLimits.maximumHitCount
    switch query.typoTolerance ?? settings.typoTolerance {
    case .min, .strict: query.typoTolerance = .enabled(true)
    default: break
    }
    let dropped: Set<String> = ["typo", "geo", "words", "filters", "proximity", "exact"]
    query.ranking = settings.ranking.filter { !dropped.contains($0) }
    return query
  }
}

/// The browsing that is under way: each run keeps the snapshot and the order it began with, so that
/// writes meanwhile neither skip nor repeat a record.
///
/// ``BrowseRetention`` says which runs are forgotten.
final class BrowseSessions: Sendable {
  /// One run over the records of an index.
  struct Session: Sendable {
    var indexName: String
    var snapshot: Snapshot
    /// The parameters as browsing has them.
    var query: SearchQuery
    /// The parameters as they came, as the text `params` of an answer.
    var params: [UInt8]
    /// The records in order: the segment in the upper half, the document in the lower.
    var order: [UInt64]
    var plan: QueryPlan
    /// What can have no effect in the run; every page reports it.
    var mistakes = Mistakes()
    var lastUse: UInt64 = 0
    var isFinished = false
  }

  private struct State {
    var sessions: [UInt64: Session] = [:]
    var count: UInt64 = 0
    var uses: UInt64 = 0

    mutating func forgetExpired() {
      let runs = sessions.map { number, session in
        BrowseRetention.Run(
          number: number, lastUse: session.lastUse, isFinished: session.isFinished,
          foundCount: session.order.count, indexName: session.indexName,
          version: session.snapshot.version, recordCount: session.snapshot.recordCount)
      }
      for number in BrowseRetention.expired(runs) { sessions[number] = nil }
    }
  }

  private let state = Lock(State())

  /// Keeps a run and returns its number.
  func add(_ session: Session) -> UInt64 {
    state.withLock { state in
      state.count += 1
      state.uses += 1
      var session = session
      session.lastUse = state.uses
      state.sessions[state.count] = session
      state.forgetExpired()
      return state.count
    }
  }

  /// The run with a number; `nil` when it was forgotten or never was.
  subscript(number: UInt64) -> Session? {
    state.withLock { state in
      guard var session = state.sessions[number] else { return nil }
      state.uses += 1
      session.lastUse = state.uses
      state.sessions[number] = session
      return session
    }
  }

  /// Notes that the last page of a run was answered; few such runs are kept.
  func finish(_ number: UInt64) {
    state.withLock { state in
      state.sessions[number]?.isFinished = true
      state.forgetExpired()
    }
  }
}

/// Where a run over an index goes on.
struct BrowseCursor: Sendable, Hashable {
  /// The number of the run.
  var session: UInt64
  /// The place of the next record.
  var offset: Int

  /// The text of the cursor, URL-safe.
  var text: String { String(session, radix: 36) + "-" + String(offset, radix: 36) }

  /// Creates a cursor.
  init(session: UInt64, offset: Int) {
    self.session = session
    self.offset = offset
  }

  /// Reads the text of a cursor.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let session = UInt64(parts[0], radix: 36),
      let offset = Int(parts[1], radix: 36), offset >= 0
    else { return nil }
    self.init(session: session, offset: offset)
  }
}

/// Decides which runs of browsing are kept, so that forgotten ones do not pin memory for ever.
package struct BrowseRetention: Sendable {
  /// What is known of a run.
  package struct Run: Sendable {
    /// The number of the run.
    package var number: UInt64
    /// When it was used last, as a count of uses.
    package var lastUse: UInt64
    /// Whether its last page was answered.
    package var isFinished: Bool
    /// How many records it found; it keeps the place of each.
    package var foundCount: Int
    /// The index and the version of the snapshot that it keeps.
    package var indexName: String
    package var version: UInt64
    /// How many records the snapshot has.
    package var recordCount: Int

    /// Describes a run.
    package init(
      number: UInt64, lastUse: UInt64, isFinished: Bool, foundCount: Int, indexName: String,
      version: UInt64, recordCount: Int
    ) {
      self.number = number
      self.lastUse = lastUse
      self.isFinished = isFinished
      self.foundCount = foundCount
      self.indexName = indexName
      self.version = version
      self.recordCount = recordCount
    }
  }

  private struct SnapshotKey: Hashable {
    var indexName: String
    var version: UInt64
  }

  /// The most runs at a time.
  package static let maximumCount = 64
  /// The most runs that are kept after their last page, so that its cursor can be used again.
  package static let maximumFinishedCount = 4
  /// The most records that all runs together keep: those of each snapshot once, and those that each
  /// run found.
  package static let maximumRecordCount = 10_000_000

  /// The numbers of the runs to be forgotten.
  ///
  /// Finished runs go before others, and those before that were not used for longest. The run that
  /// is kept first is kept whatever its size.
  package static func expired(_ runs: [Run]) -> [UInt64] {
    let ordered = runs.sorted {
      $0.isFinished == $1.isFinished ? $0.lastUse > $1.lastUse : $1.isFinished
    }
    var expired: [UInt64] = []
    var snapshots: Set<SnapshotKey> = []
    var (count, finishedCount, records) = (0, 0, 0)
    for run in ordered {
      let snapshot = SnapshotKey(indexName: run.indexName, version: run.version)
      let added = run.foundCount + (snapshots.contains(snapshot) ? 0 : run.recordCount)
      guard
        count == 0
          || (count < maximumCount && records + added <= maximumRecordCount
            && (!run.isFinished || finishedCount < maximumFinishedCount))
      else {
        expired.append(run.number)
        continue
      }
      count += 1
      finishedCount += run.isFinished ? 1 : 0
      records += added
      snapshots.insert(snapshot)
    }
    return expired
  }
}
