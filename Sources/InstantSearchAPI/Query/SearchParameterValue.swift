package import InstantSearchJSON

/// A value of a search parameter: it reads and writes its JSON form and its URL-encoded form.
///
/// Reading is lenient: it takes every form the contract accepts, and keeps the forms that the
/// contract tells apart.
package protocol SearchParameterValue: Codable, Hashable, Sendable {
  /// What the contract asks for, in words that complete "expected …".
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
  /// A text that is JSON is that value; any other text, or one whose JSON does not fit, is a
  /// string.
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

  /// The mismatch between what the contract asks for and what was found.
  package static func mismatch(_ node: JSONNode) -> SearchParameterMismatch {
    SearchParameterMismatch(expected: expectation, found: node)
  }

  /// The text itself when it is read back as the same value, otherwise the text as a JSON string.
  package func urlText(bare text: String) -> String {
    if let value = try? Self(urlText: text), value == self { return text }
    return String(decoding: text.compactJSON, as: UTF8.self)
  }

  /// Compares the values when the types are equal.
  package func isEqual(to other: any SearchParameterValue) -> Bool {
    guard let other = other as? Self else { return false }
    return self == other
  }

  private static func reading(_ node: JSONNode) -> Self? { try? Self(parameter: node) }
}

/// A value that is not what the contract asks for.
package struct SearchParameterMismatch: Error, Sendable, Hashable {
  /// The members that lead from the parameter to the value; empty for the parameter itself.
  package var path: [String] = []
  /// What the contract asks for.
  package var expected: String
  /// The beginning of the JSON or of the text that was found.
  package var found: String

  /// A mismatch at a JSON value.
  package init(expected: String, found node: JSONNode) {
    self.init(expected: expected, found: String(decoding: node.source.prefix(512), as: UTF8.self))
  }

  /// A mismatch at a text.
  package init(expected: String, found text: String) {
    self.expected = expected
    self.found = text.count > 80 ? text.prefix(80) + "…" : text
  }

  /// The same mismatch, seen from the object that contains the value.
  package func inside(_ member: String) -> Self {
    var copy = self
    copy.path.insert(member, at: 0)
    return copy
  }

  /// The error a caller sees; the found value is left out where it would identify a person.
  package func error(in parameter: SearchParameter) -> SearchError {
    error(in: parameter.name, isPersonal: parameter.isPersonal)
  }

  /// The error a caller sees of a parameter with that name.
  package func error(in name: String, isPersonal: Bool = false) -> SearchError {
    let name = ([name] + path).joined(separator: ".")
    var message = "Invalid value for \"\(name)\" parameter, expected \(expected)"
    if !isPersonal { message += ", got \(found)" }
    return SearchError(.invalidRequest, message)
  }
}

extension JSONNode {
  /// The JSON value a text spells, or `nil` when it spells none.
  package init?(urlText: String) {
    guard let document = try? JSONDocument(Array(urlText.utf8)) else { return nil }
    self = document.root
  }

  /// A value as a node of a document of its own.
  init(_ json: JSON) throws(SearchParameterMismatch) {
    do {
      self = try JSONDocument(Array(json.text.utf8)).root
    } catch {
      throw SearchParameterMismatch(expected: "a value that is not nested so deeply", found: "")
    }
  }

  /// A JSON string with this text.
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

  /// Also takes the strings `"true"` and `"false"`.
  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    guard let value = Bool(lenient: node) else { throw Self.mismatch(node) }
    self = value
  }

  package func writeParameter(to writer: inout JSONWriter) { writer.bool(self) }

  /// Also takes `1` and `0`.
  package init(urlText: String) throws(SearchParameterMismatch) {
    guard let value = Bool(lenient: urlText) else {
      throw Self.mismatch(try JSONNode(text: urlText))
    }
    self = value
  }

  /// A JSON boolean, or one of the strings `"true"` and `"false"`.
  package init?(lenient node: JSONNode) {
    if let value = node.bool {
      self = value
    } else {
      guard let text = node.string, let value = Bool(text) else { return nil }
      self = value
    }
  }

  /// `true`, `false`, `1` or `0`.
  package init?(lenient urlText: String) {
    switch urlText {
    case "true", "1": self = true
    case "false", "0": self = false
    default: return nil
    }
  }
}

// The package's own coder takes the direct way; any other coder goes through `JSON`, so that each
// value has one description of its forms and not two.

/// A type of a search parameter that is coded in its JSON form wherever it stands, outside a query
/// too.
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

  /// Reads the value with a coder of another library.
  package init(readingFrom decoder: any Decoder) throws {
    let node = try JSONNode(reading: decoder)
    do throws(SearchParameterMismatch) {
      try self.init(parameter: node)
    } catch {
      throw error.decodingError(Self.self, codingPath: decoder.codingPath)
    }
  }

  /// Writes the value with a coder of another library.
  package func write(into encoder: any Encoder) throws {
    try encoder.encode(compactJSON)
  }
}

extension SearchParameterMismatch {
  /// The standard library's error for the mismatch.
  func decodingError(_ type: any Any.Type, codingPath: [any CodingKey]) -> DecodingError {
    let place = path.isEmpty ? "" : " in \(path.joined(separator: "."))"
    return .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "Expected \(expected)\(place), got \(found)."))
  }
}

extension JSONNode {
  /// What a decoder stands at: the node itself for a decoder of this package, otherwise a copy.
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
  /// Encodes JSON text, member names as they are.
  func encode(_ text: [UInt8]) throws {
    try JSON(node: JSONDocument(text).root).encode(to: self)
  }
}
