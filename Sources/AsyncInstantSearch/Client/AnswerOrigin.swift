/// Who gave an answer: the network, what stands in for it, or a cache.
///
/// It travels beside the answer, in ``TransportResponse/origin`` and ``HitsPage/origin``, and is no part
/// of its JSON. A screen shows with it that it is offline.
public struct AnswerOrigin: Sendable, Hashable {
  /// The name of the transport that answered; empty where nothing gave it one.
  public var name: String
  /// Whether the answer was kept from an earlier call; `false` by default.
  public var isCached: Bool

  /// Creates an origin.
  public init(name: String, isCached: Bool = false) {
    self.name = name
    self.isCached = isCached
  }

  /// The transport that is asked first.
  public static let primary = AnswerOrigin(name: "primary")
  /// The transport that stands in for the first.
  public static let fallback = AnswerOrigin(name: "fallback")
}

extension AnswerOrigin: CustomStringConvertible {
  /// The name, followed by `cached` for an answer that was kept.
  public var description: String {
    [name, isCached ? "cached" : ""].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
