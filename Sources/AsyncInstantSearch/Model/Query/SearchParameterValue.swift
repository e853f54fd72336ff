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
