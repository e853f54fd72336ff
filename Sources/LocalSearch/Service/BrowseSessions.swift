import AsyncInstantSearch

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
