/// How much of the query an attribute's value matches.
///
/// Where a level is optional, write `MatchLevel.none` in full: `.none` alone is `nil`.
public struct MatchLevel: RawRepresentable, Sendable, Hashable, Codable {
  /// The word on the wire, which for nearly every value is one of three.
  private enum Word: Hashable {
    case none, partial, full
    indirect case other(String)
  }

  private var word: Word

  /// The word on the wire.
  public var rawValue: String {
    get {
      switch word {
      case .none: "none"
      case .partial: "partial"
      case .full: "full"
      case .other(let word): word
      }
    }
    set { self = MatchLevel(rawValue: newValue) }
  }

  /// Creates a level from the word on the wire.
  public init(rawValue: String) {
    switch rawValue {
    case "none": word = .none
    case "partial": word = .partial
    case "full": word = .full
    default: word = .other(rawValue)
    }
  }

  /// No word of the query matches.
  public static let none = MatchLevel(rawValue: "none")
  /// Some words of the query match.
  public static let partial = MatchLevel(rawValue: "partial")
  /// All words of the query match.
  public static let full = MatchLevel(rawValue: "full")
}

extension MatchLevel: ExpressibleByStringLiteral {
  /// Creates a level from the word on the wire.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}
