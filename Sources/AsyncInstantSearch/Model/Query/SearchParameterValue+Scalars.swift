package import InstantSearchJSON

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
