public import AsyncInstantSearch
import InstantSearchJSON

/// Something that went wrong after events were taken.
///
/// An event that breaks a rule is refused by ``InsightsClient/track(_:)`` and never gets here.
public struct InsightsFailure: Sendable, Hashable {
  /// What went wrong.
  ///
  /// A struct, not an enum: a kind added later breaks no `switch` of yours.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String, Sendable {
      case refused, expired, delayed, unrecorded
    }

    private let value: Value

    /// The service refused the event by itself; it is dropped.
    public static let refused = Kind(value: .refused)
    /// The event waited until it was older than the service allows, 30 days; it is dropped.
    public static let expired = Kind(value: .expired)
    /// A call with events failed; they wait and are sent again.
    public static let delayed = Kind(value: .delayed)
    /// Events are done with, and the storage could not note it. This client does not send them
    /// again and tries to note it with the next ones; if it ends before, the next client sends
    /// them.
    public static let unrecorded = Kind(value: .unrecorded)

    /// The kind's name, such as `refused`.
    public var description: String { value.rawValue }
  }

  /// What went wrong.
  public var kind: Kind
  /// Why.
  public var error: SearchError
  /// The event, for ``Kind-swift.struct/refused`` and ``Kind-swift.struct/expired``.
  public var record: InsightsRecord?

  /// Creates a failure.
  public init(_ kind: Kind, _ error: SearchError, record: InsightsRecord? = nil) {
    self.kind = kind
    self.error = error
    self.record = record
  }

  /// The name of the event.
  public var eventName: String? { record.flatMap { $0.text("eventName") } }
}

extension InsightsRecord {
  /// A member of the event that is text.
  func text(_ member: String) -> String? {
    (try? JSONDocument(event))?.root[member]?.string
  }
}

extension InsightsFailure: CustomStringConvertible {
  /// The kind, the event's name and the error; safe to log.
  public var description: String {
    let name = eventName.map { " \($0.debugDescription)" } ?? ""
    return "\(kind)\(name): \(error)"
  }
}

/// What came of sending everything that waited.
public struct InsightsFlush: Sendable, Hashable {
  /// How many events the service took.
  public var sentCount: Int
  /// How many events were dropped: refused by the service or too old, of which
  /// ``InsightsClient/failures`` has each, or discarded while the flush waited.
  public var droppedCount: Int
  /// How many of the events are left, and will be sent later.
  public var leftCount: Int
  /// Why some are left: the error of the last call, `cancelled`, or `nil` when the client is not
  /// enabled or none is left.
  public var error: SearchError?

  /// Creates a result.
  public init(
    sentCount: Int = 0, droppedCount: Int = 0, leftCount: Int = 0, error: SearchError? = nil
  ) {
    self.sentCount = sentCount
    self.droppedCount = droppedCount
    self.leftCount = leftCount
    self.error = error
  }
}
