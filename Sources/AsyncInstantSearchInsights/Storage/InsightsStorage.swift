/// Stores events until the service has accepted them.
///
/// ``InsightsJournal`` stores them in a file, ``InMemoryInsightsStorage`` as long as the process
/// lives. A custom storage provides these guarantees:
///
/// - ``append(_:)`` returns if the next ``begin()`` would find the record, and throws if it would
///   not. No partial record remains.
/// - ``begin()`` never returns an acknowledged record.
/// - Between ``begin()`` and ``end()`` any further ``begin()`` throws, because two clients would
///   send the same events.
///
/// A client makes one call at a time.
public protocol InsightsStorage: Sendable {
  /// Claims the storage for one client.
  ///
  /// - Returns: The waiting events and the ID of the next record.
  /// - Throws: `SearchError` with the code `storage`.
  func begin() throws(SearchError) -> InsightsBacklog

  /// Stores a record.
  func append(_ record: InsightsRecord) throws(SearchError)

  /// Acknowledges records, which were sent or dropped.
  func acknowledge(_ ids: [UInt64]) throws(SearchError)

  /// Releases the claim. Waiting events remain.
  func end()
}

/// An event that waits to be sent.
public struct InsightsRecord: Sendable, Hashable {
  /// The ID of the record, greater than the ID of the previous record.
  public var id: UInt64
  /// The time of the event, in milliseconds since 1970.
  public var timestamp: Int64
  /// The event as sent, one JSON object. It contains user tokens.
  public var event: [UInt8]

  /// Creates a record.
  public init(id: UInt64, timestamp: Int64, event: [UInt8]) {
    self.id = id
    self.timestamp = timestamp
    self.event = event
  }
}

extension InsightsRecord: CustomStringConvertible, CustomReflectable {
  /// The ID and the length, without the event, which contains user tokens.
  public var description: String { "event \(id) (\(event.count) bytes)" }

  /// The parts of the description.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["id": id, "timestamp": timestamp, "eventBytes": event.count],
      displayStyle: .struct)
  }
}

/// The events in a storage when a client claims it.
public struct InsightsBacklog: Sendable, Hashable {
  /// The waiting records, in the order of their IDs.
  public var records: [InsightsRecord]
  /// The ID of the next record, greater than the ID of any waiting record.
  public var nextID: UInt64

  /// Creates a backlog.
  public init(records: [InsightsRecord] = [], nextID: UInt64 = 1) {
    self.records = records
    self.nextID = nextID
  }
}

/// Stores events as long as the process lives.
///
/// To keep them longer use ``InsightsJournal``.
///
/// A second client that uses the storage after the first has ended sends the remaining events.
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
        throw SearchError(
          .storage, "The event storage is in use by another client. Use one storage per client.")
      }
      state.isClaimed = true
      return state.backlog
    }
  }

  /// Stores a record.
  public func append(_ record: InsightsRecord) {
    state.withLock { state in
      state.backlog.records.append(record)
      state.backlog.nextID = max(state.backlog.nextID, record.id &+ 1)
    }
  }

  /// Removes records.
  public func acknowledge(_ ids: [UInt64]) {
    let ids = Set(ids)
    state.withLock { $0.backlog.records.removeAll { ids.contains($0.id) } }
  }

  /// Releases the claim.
  public func end() {
    state.withLock { $0.isClaimed = false }
  }
}
