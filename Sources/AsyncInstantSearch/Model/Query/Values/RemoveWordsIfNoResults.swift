import InstantSearchJSON

/// What is dropped from a query that matches nothing, before it is tried again.
///
/// A value that is missing here is written as a string literal. Where the property is optional,
/// write `RemoveWordsIfNoResults.none` in full: `.none` alone is `nil`.
public struct RemoveWordsIfNoResults: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// Nothing: the search stays empty.
  public static let none = RemoveWordsIfNoResults(rawValue: "none")
  /// Words from the end.
  public static let lastWords = RemoveWordsIfNoResults(rawValue: "lastWords")
  /// Words from the beginning.
  public static let firstWords = RemoveWordsIfNoResults(rawValue: "firstWords")
  /// Nothing, but every word becomes optional.
  public static let allOptional = RemoveWordsIfNoResults(rawValue: "allOptional")
}

extension RemoveWordsIfNoResults: OpenStringValue, JSONNodeDecodable, JSONWritable {}
