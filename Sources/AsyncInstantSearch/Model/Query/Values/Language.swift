import InstantSearchJSON

/// A language, named by its ISO code such as `en` or `pt-br`.
///
/// A language that is missing here is written as a string literal.
public struct Language: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The code, in lower case.
  public var rawValue: String

  /// The language with that code.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The language with that code.
  public init(stringLiteral value: String) { rawValue = value }
}

extension Language: OpenStringValue, JSONNodeDecodable, JSONWritable {}
