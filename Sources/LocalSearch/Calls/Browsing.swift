package import InstantSearchAPI
import InstantSearchJSON

extension ReadCall {
  /// Performs `POST /1/indexes/{index}/browse`.
  ///
  /// The first call keeps the snapshot and the order. Calls with its cursors continue in them until
  /// the session expires, some time after its last page. See ``BrowseRetention``.
  func answerBrowse(_ indexName: String) throws -> TransportResponse {
    let elapsed = configuration.stopwatch()
    let browsing = reader.browsing
    var query = try query()
    let cursorText = query.additionalParameters.removeValue(forKey: "cursor")
    let session: BrowseSessions.Session
    var cursor: BrowseCursor
    if let cursorText, !cursorText.isNull, cursorText != "" {
      let parsed = cursorText.stringValue.flatMap { BrowseCursor($0) }
      guard let parsed, let known = browsing[parsed.session], known.indexName == indexName,
        known.rights == request.rights,
        parsed.offset <= known.order.count
      else {
        throw APIError("Invalid or expired cursor. Start a new browse.")
      }
      session = known
      cursor = parsed
    } else {
      session = try browse(query, indexName)
      cursor = BrowseCursor(session: 0, offset: session.firstOffset)
    }
    let size = session.query.hitsPerPage ?? ParameterLimits.maximumHitCount
    let search = try resolved(session.query, indexName, session.snapshot, isPagingLimited: false)
    let start = min(cursor.offset, session.order.count)
    let end = start + min(size, session.order.count - start)
    var result = SearchResult(plan: session.plan)
    result.hitCount = session.order.count
    result.hits = session.order[start..<end].map { packed in
      SearchResult.Hit(segment: Int(packed >> 32), document: Int(packed & 0xffff_ffff))
    }
    var next: BrowseCursor?
    if end < session.order.count, size > 0 {
      if cursor.session == 0 { cursor.session = browsing.add(session) }
      next = BrowseCursor(session: cursor.session, offset: end)
    } else if cursor.session != 0 {
      browsing.finish(cursor.session)
    }
    var response = try SearchResponse(
      search: search.onPage(size > 0 ? start / size : 0, hitsPerPage: size), result: result,
      source: HitSource(session.snapshot, cancellation), cancellation: cancellation,
      mistakes: session.mistakes,
      processingTime: elapsed())
    response.cursor = next?.text
    response.params = session.params
    var writer = JSONWriter(capacity: 65_536)
    try response.write(to: &writer)
    return try self.response(writer)
  }

  /// Starts a session, which ranks by attribute and custom ranking only.
  private func browse(_ query: SearchQuery, _ indexName: String) throws -> BrowseSessions.Session {
    let snapshot = try snapshot(of: indexName)
    let forced = query.forBrowsing(settings: snapshot.settings)
    let search = try resolved(forced, indexName, snapshot, isPagingLimited: false)
    let mistakes = try mistakes(of: search, in: snapshot)
    let execution = SearchExecution(snapshot: snapshot, search: search, cancellation: cancellation)
    let (records, order) = try execution.order()
    return try BrowseSessions.Session(
      rights: request.rights, indexName: indexName, snapshot: snapshot, query: forced,
      params: query.paramsText(after: 0, cancellation), order: order, plan: records.plan,
      mistakes: mistakes)
  }
}

extension BrowseSessions.Session {
  /// The offset of the first call: the page that it requests.
  fileprivate var firstOffset: Int {
    let (offset, overflow) = (query.page ?? 0).multipliedReportingOverflow(
      by: query.hitsPerPage ?? ParameterLimits.maximumHitCount)
    return overflow ? .max : offset
  }
}

extension SearchQuery {
  /// Returns the parameters with the fixed values of browsing.
  package func forBrowsing(settings: IndexSettings) -> SearchQuery {
    var query = self
    query.advancedSyntax = false
    query.distinct = .enabled(false)
    query.enablePersonalization = false
    query.enableRules = false
    query.getRankingInfo = false
    query.explain = nil
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

/// The browse sessions. Each keeps its initial snapshot and order, so that writes neither skip nor
/// repeat a record.
///
/// ``BrowseRetention`` decides which sessions expire.
final class BrowseSessions: Sendable {
  /// One session over the records of an index.
  struct Session: Sendable {
    /// The rights of its caller, which a caller that continues it must have.
    var rights: CallRights
    var indexName: String
    var snapshot: IndexSnapshot
    /// The parameters with the fixed values of browsing.
    var query: SearchQuery
    /// The original parameters, as the `params` text of a response.
    var params: [UInt8]
    /// The records in order, with the segment in the upper half and the document in the lower.
    var order: [UInt64]
    var plan: QueryPlan
    /// The parameters without an effect, which every page reports.
    var mistakes = Mistakes()
    var lastUse: UInt64 = 0
    var isFinished = false
  }

  private struct State {
    var sessions: [UInt64: Session] = [:]
    var count: UInt64 = 0
    var uses: UInt64 = 0

    mutating func removeExpired() {
      let described = sessions.map { number, session in
        BrowseRetention.Session(
          number: number, family: session.rights.family, lastUse: session.lastUse,
          isFinished: session.isFinished,
          foundCount: session.order.count, indexName: session.indexName,
          version: session.snapshot.version, recordCount: session.snapshot.recordCount)
      }
      for number in BrowseRetention.expired(described) { sessions[number] = nil }
    }
  }

  private let state = Lock(State())

  /// Adds a session, and returns its number.
  func add(_ session: Session) -> UInt64 {
    state.withLock { state in
      state.count += 1
      state.uses += 1
      var session = session
      session.lastUse = state.uses
      state.sessions[state.count] = session
      state.removeExpired()
      return state.count
    }
  }

  /// Returns the session with a number, or `nil` if it does not exist or has expired.
  subscript(number: UInt64) -> Session? {
    state.withLock { state in
      guard var session = state.sessions[number] else { return nil }
      state.uses += 1
      session.lastUse = state.uses
      state.sessions[number] = session
      return session
    }
  }

  /// Marks a session as finished after its last page. Few finished sessions are kept.
  func finish(_ number: UInt64) {
    state.withLock { state in
      state.sessions[number]?.isFinished = true
      state.removeExpired()
    }
  }
}

/// The next record of a session.
struct BrowseCursor: Sendable, Hashable {
  /// The number of the session.
  var session: UInt64
  /// The index of the next record.
  var offset: Int

  /// The URL-safe text of the cursor.
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

/// Decides which browse sessions are kept, to limit their memory.
package struct BrowseRetention: Sendable {
  /// The properties of a session.
  package struct Session: Sendable {
    /// The number of the session.
    package var number: UInt64
    /// The keys of its callers, which share the sessions with others.
    package var family: String
    /// The time of its last use, as a count of uses.
    package var lastUse: UInt64
    /// Whether its last page was returned.
    package var isFinished: Bool
    /// The number of records in its order.
    package var foundCount: Int
    /// The index and the version of its snapshot.
    package var indexName: String
    package var version: UInt64
    /// The number of records of the snapshot.
    package var recordCount: Int

    /// Describes a session.
    package init(
      number: UInt64, family: String = "", lastUse: UInt64, isFinished: Bool, foundCount: Int,
      indexName: String, version: UInt64, recordCount: Int
    ) {
      self.number = number
      self.family = family
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

  /// The maximum number of sessions.
  package static let maximumCount = 64
  /// The maximum number of sessions that are kept after their last page, so that its cursor can be
  /// used again.
  package static let maximumFinishedCount = 4
  /// The maximum number of records of all sessions: the records of each snapshot once, plus the
  /// records that each session found.
  package static let maximumRecordCount = 10_000_000

  /// Returns the numbers of the sessions that expire.
  ///
  /// Finished sessions expire first, then sessions of the family with the most sessions, least
  /// recently used first. The first session to keep is kept regardless of its size.
  package static func expired(_ sessions: [Session]) -> [UInt64] {
    let newest = sessions.sorted {
      $0.isFinished == $1.isFinished ? $0.lastUse > $1.lastUse : $1.isFinished
    }
    // The newest session of each family comes first, then the second newest of each.
    var counts: [String: Int] = [:]
    let ranks = newest.map { session in
      counts[session.family, default: 0] += 1
      return counts[session.family, default: 0]
    }
    let ordered = zip(newest, ranks).enumerated().sorted { left, right in
      let ((first, firstRank), (second, secondRank)) = (left.element, right.element)
      if first.isFinished != second.isFinished { return second.isFinished }
      return (firstRank, left.offset) < (secondRank, right.offset)
    }.map(\.element.0)
    var expired: [UInt64] = []
    var snapshots: Set<SnapshotKey> = []
    var (count, finishedCount, records) = (0, 0, 0)
    for session in ordered {
      let snapshot = SnapshotKey(indexName: session.indexName, version: session.version)
      let added = session.foundCount + (snapshots.contains(snapshot) ? 0 : session.recordCount)
      guard
        count == 0
          || (count < maximumCount && records + added <= maximumRecordCount
            && (!session.isFinished || finishedCount < maximumFinishedCount))
      else {
        expired.append(session.number)
        continue
      }
      count += 1
      finishedCount += session.isFinished ? 1 : 0
      records += added
      snapshots.insert(snapshot)
    }
    return expired
  }
}
