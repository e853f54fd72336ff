package import InstantSearchJSON

/// A string with known values and room for more.
package protocol OpenStringValue: RawRepresentable<String>, SearchParameterType,
  SearchParameterElement
{
  /// A value with that name.
  init(rawValue: String)
}

extension OpenStringValue {
  package static var expectation: String { String.expectation }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    self.init(rawValue: try String(parameter: node))
  }

  package func writeParameter(to writer: inout JSONWriter) { writer.string(rawValue) }

  package init(urlText: String) throws(SearchParameterMismatch) { self.init(rawValue: urlText) }

  package var urlText: String { rawValue }

  package static var listExpectation: String { String.listExpectation }

  package static func list(_ node: JSONNode) -> [Self]? {
    String.list(node).map { $0.map { Self(rawValue: $0) } }
  }

  package func writeElement(to writer: inout JSONWriter) { writer.string(rawValue) }
}
