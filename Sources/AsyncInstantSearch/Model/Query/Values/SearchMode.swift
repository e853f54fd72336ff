import InstantSearchJSON

/// The way an index is searched.
///
/// A value that is missing here is written as a string literal.
public struct SearchMode: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// By words.
  public static let keywordSearch = SearchMode(rawValue: "keywordSearch")
  /// By words and by meaning, where the hosted plan includes it.
  public static let neuralSearch = SearchMode(rawValue: "neuralSearch")
}

extension SearchMode: OpenStringValue, JSONNodeDecodable, JSONWritable {}
