package import InstantSearchJSON

/// A value of a search parameter, which reads and writes its JSON and URL-encoded forms.
///
/// Reading is lenient: it accepts every form of the contract, and preserves forms that the
/// contract distinguishes.
package protocol SearchParameterValue: Codable, Hashable, Sendable {
  /// The contract's description of the value, which completes "expected …".
  static var expectation: String { get }

  /// Reads a value from JSON.
  init(parameter node: JSONNode) throws(SearchParameterMismatch)

  /// Writes the value as one JSON value.
  func writeParameter(to writer: inout JSONWriter)

  /// Reads a value from the decoded text of `name=text`.
  init(urlText: String) throws(SearchParameterMismatch)

  /// The text to be percent-encoded in `name=text`.
  var urlText: String { get }

  /// Whether another value has the same type and is equal.
  func isEqual(to other: any SearchParameterValue) -> Bool
}

extension SearchParameterValue {
  /// A text that is valid JSON for this type is that value. Any other text is a string.
  package init(urlText: String) throws(SearchParameterMismatch) {
    if let node = JSONNode(urlText: urlText), let value = Self.reading(node) {
      self = value
    } else {
      self = try Self(parameter: JSONNode(text: urlText))
    }
  }

  /// Compact JSON.
  package var urlText: String { String(decoding: compactJSON, as: UTF8.self) }

  /// The value as compact JSON.
  package var compactJSON: [UInt8] {
    var writer = JSONWriter(capacity: 64)
    writeParameter(to: &writer)
    return writer.bytes
  }

  /// Returns the mismatch between the expected value and a node.
  package static func mismatch(_ node: JSONNode) -> SearchParameterMismatch {
    SearchParameterMismatch(expected: expectation, found: node)
  }

  /// Returns the text itself if it reads back as the same value, otherwise the text as a JSON
  /// string.
  package func urlText(bare text: String) -> String {
    if let value = try? Self(urlText: text), value == self { return text }
    return String(decoding: text.compactJSON, as: UTF8.self)
  }

  /// Compares the values if their types are equal.
  package func isEqual(to other: any SearchParameterValue) -> Bool {
    guard let other = other as? Self else { return false }
    return self == other
  }

  private static func reading(_ node: JSONNode) -> Self? { try? Self(parameter: node) }
}

/// The mismatch between a value and the contract.
package struct SearchParameterMismatch: Error, Sendable, Hashable {
  /// The members from the parameter to the value; empty for the parameter itself.
  package var path: [String] = []
  /// The contract's description of the value.
  package var expected: String
  /// The beginning of the actual JSON or text.
  package var found: String

  /// Creates the mismatch of a JSON value.
  package init(expected: String, found node: JSONNode) {
    self.init(expected: expected, found: String(decoding: node.source.prefix(512), as: UTF8.self))
  }

  /// Creates the mismatch of a text.
  package init(expected: String, found text: String) {
    self.expected = expected
    self.found = text.count > 80 ? text.prefix(80) + "…" : text
  }

  /// Returns the mismatch with a path that begins at an outer member.
  package func inside(_ member: String) -> Self {
    var copy = self
    copy.path.insert(member, at: 0)
    return copy
  }

  /// Returns the error for the caller, without the actual value if it identifies a person.
  package func error(in parameter: SearchParameter) -> SearchError {
    error(in: parameter.name, isPersonal: parameter.isPersonal)
  }

  /// Returns the error for the caller of a parameter with a name.
  package func error(in name: String, isPersonal: Bool = false) -> SearchError {
    let name = ([name] + path).joined(separator: ".")
    var message = "Invalid value for \"\(name)\" parameter, expected \(expected)"
    if !isPersonal { message += ", got \(found)" }
    return SearchError(.invalidRequest, message)
  }
}

extension JSONNode {
  /// Parses JSON text; `nil` if it is not valid JSON.
  package init?(urlText: String) {
    guard let document = try? JSONDocument(Array(urlText.utf8)) else { return nil }
    self = document.root
  }

  /// Creates a node of a separate document.
  init(_ json: JSON) throws(SearchParameterMismatch) {
    do {
      self = try JSONDocument(Array(json.text.utf8)).root
    } catch {
      throw SearchParameterMismatch(expected: "a value that is not nested so deeply", found: "")
    }
  }

  /// Creates a JSON string.
  package init(text: String) throws(SearchParameterMismatch) {
    do {
      self = try JSONDocument(text.compactJSON).root
    } catch {
      throw SearchParameterMismatch(expected: "text", found: text)
    }
  }
}

extension String: SearchParameterValue {
  package static var expectation: String { "string" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    guard let text = node.string else { throw Self.mismatch(node) }
    self = text
  }

  package func writeParameter(to writer: inout JSONWriter) { writer.string(self) }

  package init(urlText: String) throws(SearchParameterMismatch) { self = urlText }

  package var urlText: String { self }
}

extension Int: SearchParameterValue {
  package static var expectation: String { "integer" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    guard let number = node.int else { throw Self.mismatch(node) }
    self = number
  }

  package func writeParameter(to writer: inout JSONWriter) { writer.int(self) }
}

extension Bool: SearchParameterValue {
  package static var expectation: String { "boolean" }

  /// Also accepts the strings `"true"` and `"false"`.
  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    guard let value = Bool(lenient: node) else { throw Self.mismatch(node) }
    self = value
  }

  package func writeParameter(to writer: inout JSONWriter) { writer.bool(self) }

  /// Also accepts `1` and `0`.
  package init(urlText: String) throws(SearchParameterMismatch) {
    guard let value = Bool(lenient: urlText) else {
      throw Self.mismatch(try JSONNode(text: urlText))
    }
    self = value
  }

  /// Reads a JSON Boolean, or one of the strings `"true"` and `"false"`.
  package init?(lenient node: JSONNode) {
    if let value = node.bool {
      self = value
    } else {
      guard let text = node.string, let value = Bool(text) else { return nil }
      self = value
    }
  }

  /// Reads `true`, `false`, `1` or `0`.
  package init?(lenient urlText: String) {
    switch urlText {
    case "true", "1": self = true
    case "false", "0": self = false
    default: return nil
    }
  }
}

// The package's own coder is used directly. Any other coder goes through `JSON`, so that each
// value has only one description of its forms.

/// A search parameter type that is always coded in its JSON form, even outside a query.
package protocol SearchParameterType: SearchParameterValue {}

extension SearchParameterType {
  /// Reads the value from JSON.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    do throws(SearchParameterMismatch) {
      try self.init(parameter: node)
    } catch {
      throw error.decodingError(Self.self, codingPath: node.codingPath)
    }
  }

  /// Writes the value as JSON.
  package func write(to writer: inout JSONWriter) { writeParameter(to: &writer) }

  /// Reads the value with another library's coder.
  package init(readingFrom decoder: any Decoder) throws {
    let node = try JSONNode(reading: decoder)
    do throws(SearchParameterMismatch) {
      try self.init(parameter: node)
    } catch {
      throw error.decodingError(Self.self, codingPath: decoder.codingPath)
    }
  }

  /// Writes the value with another library's coder.
  package func write(into encoder: any Encoder) throws {
    try encoder.encode(compactJSON)
  }
}

extension SearchParameterMismatch {
  /// Returns the standard library's error for the mismatch.
  func decodingError(_ type: any Any.Type, codingPath: [any CodingKey]) -> DecodingError {
    let location = path.isEmpty ? "" : " in \(path.joined(separator: "."))"
    return .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "Expected \(expected)\(location), got \(found)."))
  }
}

extension JSONNode {
  /// Reads the decoder's current value: the node itself for a decoder of this package, otherwise a
  /// copy.
  init(reading decoder: any Decoder) throws {
    if let (node, _) = JSONNode.current(of: decoder) {
      self = node
    } else {
      var writer = JSONWriter()
      try JSON(from: decoder).write(to: &writer)
      do {
        self = try JSONDocument(writer.bytes).root
      } catch {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath, debugDescription: error.message, underlyingError: error)
        )
      }
    }
  }
}

extension Encoder {
  /// Encodes JSON text. Member names are unchanged.
  func encode(_ text: [UInt8]) throws {
    try JSON(node: JSONDocument(text).root).encode(to: self)
  }
}
