import InstantSearchJSON

/// A part of the advanced query syntax.
///
/// A value that is missing here is written as a string literal.
public struct AdvancedSyntaxFeature: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// `"a phrase"` matches these words next to each other.
  public static let exactPhrase = AdvancedSyntaxFeature(rawValue: "exactPhrase")
  /// `-word` rules out the records that contain the word.
  public static let excludeWords = AdvancedSyntaxFeature(rawValue: "excludeWords")
}

extension AdvancedSyntaxFeature: OpenStringValue, JSONNodeDecodable, JSONWritable {}
