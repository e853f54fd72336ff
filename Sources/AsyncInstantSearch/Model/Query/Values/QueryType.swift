import InstantSearchJSON

/// Which words of a query may match the beginning of a longer word.
///
/// A value that is missing here is written as a string literal.
public struct QueryType: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// Only the last word, the one that is still being typed.
  public static let prefixLast = QueryType(rawValue: "prefixLast")
  /// Every word.
  public static let prefixAll = QueryType(rawValue: "prefixAll")
  /// No word: each one matches whole words only.
  public static let prefixNone = QueryType(rawValue: "prefixNone")
}

extension QueryType: OpenStringValue, JSONNodeDecodable, JSONWritable {}
