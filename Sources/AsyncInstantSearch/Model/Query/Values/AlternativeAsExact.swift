import InstantSearchJSON

/// An alternative of a query word that counts as an exact match.
///
/// A value that is missing here is written as a string literal.
public struct AlternativeAsExact: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// Another inflected form, when `ignorePlurals` is on.
  public static let ignorePlurals = AlternativeAsExact(rawValue: "ignorePlurals")
  /// A synonym of one word.
  public static let singleWordSynonym = AlternativeAsExact(rawValue: "singleWordSynonym")
  /// A synonym of several words.
  public static let multiWordsSynonym = AlternativeAsExact(rawValue: "multiWordsSynonym")
  /// Another form of a verb.
  public static let ignoreConjugations = AlternativeAsExact(rawValue: "ignoreConjugations")
}

extension AlternativeAsExact: OpenStringValue, JSONNodeDecodable, JSONWritable {}
