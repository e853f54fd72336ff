import InstantSearchJSON

/// Whether singular, plural and other inflected forms of a word are equal.
///
/// ```swift
/// query.ignorePlurals = true
/// query.ignorePlurals = [.english, .french]
/// ```
public enum IgnorePlurals: Sendable, Hashable, Codable {
  /// On for the languages of `queryLanguages`, or off.
  case enabled(Bool)
  /// On for these languages.
  case languages([Language])

  /// Reads any of the accepted forms, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value as the contract has it, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension IgnorePlurals: ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
  /// On for `queryLanguages`, or off.
  public init(booleanLiteral value: Bool) { self = .enabled(value) }

  /// On for these languages.
  public init(arrayLiteral elements: Language...) { self = .languages(elements) }
}

extension IgnorePlurals: SwitchOrLanguages, SearchParameterType, JSONNodeDecodable, JSONWritable {
  package var switchOrLanguages: EitherSwitchOrLanguages {
    switch self {
    case .enabled(let value): .isOn(value)
    case .languages(let languages): .languages(languages)
    }
  }
}
