/// How many values a stream keeps for a consumer that is not waiting for one.
public struct StreamBuffering: Sendable, Hashable {
  /// The number of values that are kept; `Int.max` keeps all of them.
  let limit: Int

  /// Keeps the newest `count` values, at least one, and drops older ones. State streams keep one.
  public static func newest(_ count: Int) -> StreamBuffering {
    StreamBuffering(limit: max(1, count))
  }

  /// Keeps every value. A consumer that stops reading lets the buffer grow without limit.
  public static let unbounded = StreamBuffering(limit: .max)
}
