/// Who gave an answer: the network, what stands in for it, or a cache.
///
/// It travels beside the answer, in ``TransportResponse/origin`` and ``HitsPage/origin``, and is no
/// part of its JSON. A screen shows with it that it is offline.
public struct AnswerOrigin: Sendable, Hashable {
  /// The name of the transport that answered; empty where nothing gave it one.
  public var name: String
  /// Whether the answer was kept from an earlier call; `false` by default.
  public var isCached: Bool
  /// Whether it comes from a transport that stands in for the first, whatever its name; `false` by
  /// default.
  public var isFallback: Bool

  /// Creates an origin.
  public init(name: String, isCached: Bool = false, isFallback: Bool = false) {
    self.name = name
    self.isCached = isCached
    self.isFallback = isFallback
  }

  /// The transport that is asked first.
  public static let primary = AnswerOrigin(name: "primary")
  /// The transport that stands in for the first, if it has no name of its own; ``isFallback`` is
  /// set.
  public static let fallback = AnswerOrigin(name: "fallback", isFallback: true)
}

extension AnswerOrigin: CustomStringConvertible {
  /// The name, followed by `fallback` for an answer of a stand-in of another name, and by `cached`
  /// for one that was kept.
  public var description: String {
    let standIn = isFallback && name != Self.fallback.name ? Self.fallback.name : ""
    return [name, standIn, isCached ? "cached" : ""].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}
