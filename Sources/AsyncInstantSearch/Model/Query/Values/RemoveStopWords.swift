import InstantSearchJSON

/// Whether words that carry no meaning, such as "the", are dropped from a query.
///
/// ```swift
/// query.removeStopWords = true
/// query.removeStopWords = [.english, .french]
/// ```
public enum RemoveStopWords: Sendable, Hashable, Codable {
  /// On for the languages of `queryLanguages`, or off.
  case enabled(Bool)
  /// On for these languages.
  case languages([Language])

  /// Reads any of the accepted forms, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value as the contract has it, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension RemoveStopWords: ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
  /// On for `queryLanguages`, or off.
  public init(booleanLiteral value: Bool) { self = .enabled(value) }

  /// On for these languages.
  public init(arrayLiteral elements: Language...) { self = .languages(elements) }
}

extension RemoveStopWords: SwitchOrLanguages, SearchParameterType, JSONNodeDecodable, JSONWritable {
  package var switchOrLanguages: EitherSwitchOrLanguages {
    switch self {
    case .enabled(let value): .isOn(value)
    case .languages(let languages): .languages(languages)
    }
  }
}
