import InstantSearchJSON

/// What the Exact criterion rewards when a query has one word.
///
/// A value that is missing here is written as a string literal. Where the property is optional,
/// write `ExactOnSingleWordQuery.none` in full: `.none` alone is `nil`.
public struct ExactOnSingleWordQuery: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// The whole attribute equals the word.
  public static let attribute = ExactOnSingleWordQuery(rawValue: "attribute")
  /// The word stands in the attribute as it was typed.
  public static let word = ExactOnSingleWordQuery(rawValue: "word")
  /// Nothing: the criterion is left out for such queries.
  public static let none = ExactOnSingleWordQuery(rawValue: "none")
}

extension ExactOnSingleWordQuery: OpenStringValue, JSONNodeDecodable, JSONWritable {}
