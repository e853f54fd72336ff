package import SearchJSON

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

extension IgnorePlurals: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "boolean or array of strings" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: node) {
      self = .enabled(value)
    } else if let languages = Language.list(node) {
      self = .languages(languages)
    } else {
      throw Self.mismatch(node)
    }
  }

  package init(urlText: String) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: urlText) {
      self = .enabled(value)
    } else if let languages = try? [Language](urlText: urlText) {
      self = .languages(languages)
    } else {
      throw Self.mismatch(try JSONNode(text: urlText))
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .enabled(let value): writer.bool(value)
    case .languages(let languages): languages.writeParameter(to: &writer)
    }
  }
}
