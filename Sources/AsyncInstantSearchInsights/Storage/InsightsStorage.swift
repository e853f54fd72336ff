/// Where events wait until the service has taken them.
///
/// ``InsightsJournal`` keeps them in a file, ``InMemoryInsightsStorage`` for as long as the process
/// lives. A storage of your own keeps these promises:
///
/// - ``append(_:)`` returns when the record would be found by the next ``begin()``, and throws when
///   it would not. Nothing is left half-done.
/// - A record that was acknowledged is never returned by ``begin()`` again.
/// - Between ``begin()`` and ``end()`` a second ``begin()`` throws, whoever calls it: two clients
///   would send the same events.
///
/// A client makes one call at a time.
public protocol InsightsStorage: Sendable {
  /// Claims the storage for one client.
  ///
  /// - Returns: What waits, and the ID of the next record.
  /// - Throws: `SearchError` of code `storage`.
  func begin() throws(SearchError) -> InsightsBacklog

  /// Keeps a record.
  func append(_ record: InsightsRecord) throws(SearchError)

  /// Notes that records are done with, because they were sent or given up.
  func acknowledge(_ ids: [UInt64]) throws(SearchError)

  /// Gives the claim back; what waits stays.
  func end()
}

/// An event that waits to be sent.
public struct InsightsRecord: Sendable, Hashable {
  /// The record's number: each is greater than the one before it.
  public var id: UInt64
  /// When the event happened, in milliseconds since 1970.
  public var timestamp: Int64
  /// The event as it is sent, one JSON object. It holds user tokens.
  public var event: [UInt8]

  /// Creates a record.
  public init(id: UInt64, timestamp: Int64, event: [UInt8]) {
    self.id = id
    self.timestamp = timestamp
    self.event = event
  }
}

extension InsightsRecord: CustomStringConvertible, CustomReflectable {
  /// The number and the length; the event holds user tokens and is left out.
  public var description: String { "event \(id) (\(event.count) bytes)" }

  /// What the description shows.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["id": id, "timestamp": timestamp, "eventBytes": event.count],
      displayStyle: .struct)
  }
}

/// What a storage held when a client claimed it.
public struct InsightsBacklog: Sendable, Hashable {
  /// The records that wait, in the order of their numbers.
  public var records: [InsightsRecord]
  /// The number of the next record: greater than that of any record before.
  public var nextID: UInt64

  /// Creates a backlog.
  public init(records: [InsightsRecord] = [], nextID: UInt64 = 1) {
    self.records = records
    self.nextID = nextID
  }
}

/// Keeps events for as long as the process lives.
///
/// Given to another client when the first is gone, it hands on what that one has not sent.
public final class InMemoryInsightsStorage: InsightsStorage {
  private struct State {
    var backlog = InsightsBacklog()
    var isClaimed = false
  }

  private let state = Lock(State())

  /// Creates an empty storage.
  public init() {}

  /// Claims the storage.
  public func begin() throws(SearchError) -> InsightsBacklog {
    try state.withLock { state throws(SearchError) in
      guard !state.isClaimed else {
        throw SearchError(.storage, "The storage of events is in use by another client.")
      }
      state.isClaimed = true
      return state.backlog
    }
  }

  /// Keeps a record.
  public func append(_ record: InsightsRecord) {
    state.withLock { state in
      state.backlog.records.append(record)
      state.backlog.nextID = max(state.backlog.nextID, record.id &+ 1)
    }
  }

  /// Forgets records.
  public func acknowledge(_ ids: [UInt64]) {
    let ids = Set(ids)
    state.withLock { $0.backlog.records.removeAll { ids.contains($0.id) } }
  }

  /// Gives the claim back.
  public func end() {
    state.withLock { $0.isClaimed = false }
  }
}
