package import InstantSearchJSON

/// An element type of search parameters that are lists.
package protocol SearchParameterElement: Codable, Hashable, Sendable {
  /// The contract's description of a list of these elements.
  static var listExpectation: String { get }
  /// Reads a list in any of its accepted forms; `nil` for anything else.
  static func list(_ node: JSONNode) -> [Self]?
  /// Writes the element as one JSON value.
  func writeElement(to writer: inout JSONWriter)
  /// Writes the elements of a list in order.
  static func write(_ list: [Self], to writer: inout JSONWriter)
}

extension SearchParameterElement {
  package static func write(_ list: [Self], to writer: inout JSONWriter) {
    for element in list { element.writeElement(to: &writer) }
  }
}

extension Array: SearchParameterValue where Element: SearchParameterElement {
  package static var expectation: String { Element.listExpectation }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    guard let list = Element.list(node) else { throw Self.mismatch(node) }
    self = list
  }

  package func writeParameter(to writer: inout JSONWriter) {
    writer.beginArray()
    Element.write(self, to: &writer)
    writer.endArray()
  }
}

extension String: SearchParameterElement {
  package static var listExpectation: String { "array of strings" }

  /// Reads an array of strings, or one string of elements separated by commas.
  package static func list(_ node: JSONNode) -> [String]? {
    if let text = node.string { return commaList(text) }
    guard node.kind == .array else { return nil }
    var list: [String] = []
    list.reserveCapacity(node.count)
    for element in node.elements {
      guard let text = element.string else { return nil }
      list.append(text)
    }
    return list
  }

  package func writeElement(to writer: inout JSONWriter) { writer.string(self) }

  /// Writes the strings of a list directly, because there are many.
  package static func write(_ list: [String], to writer: inout JSONWriter) {
    for element in list { writer.string(element) }
  }

  /// Splits a text at its commas and trims spaces; empty for an empty text. A text that begins
  /// like a JSON array is rejected, because it would be an invalid one.
  private static func commaList(_ text: String) -> [String]? {
    if text.utf8.first == UInt8(ascii: "[") { return nil }
    if text.utf8.isEmpty { return [] }
    return text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      part in
      let start = part.firstIndex { $0 != UInt8(ascii: " ") } ?? part.endIndex
      let end = part.lastIndex { $0 != UInt8(ascii: " ") }.map(part.index(after:)) ?? start
      return String(Substring(part[start..<end]))
    }
  }
}

extension [Double]: SearchParameterElement {
  package static var listExpectation: String { "array of arrays of numbers" }

  /// Reads an array of arrays of numbers. A flat array, or a text with commas, is one element.
  package static func list(_ node: JSONNode) -> [[Double]]? {
    if node.string != nil || node[0]?.kind == .number {
      return numbers(node).map { [$0] }
    }
    guard node.kind == .array else { return nil }
    var list: [[Double]] = []
    list.reserveCapacity(node.count)
    for element in node.elements {
      guard element.kind == .array, let numbers = numbers(element) else { return nil }
      list.append(numbers)
    }
    return list
  }

  package func writeElement(to writer: inout JSONWriter) {
    writer.beginArray()
    for number in self { writer.double(number) }
    writer.endArray()
  }

  /// Reads the numbers of an array, or of a text with commas.
  package static func numbers(_ node: JSONNode) -> [Double]? {
    if let text = node.string {
      guard let parts = String.list(node), !text.isEmpty else { return nil }
      let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
      return numbers.count == parts.count ? numbers : nil
    }
    guard node.kind == .array else { return nil }
    let numbers = node.elements.compactMap(\.double)
    return numbers.count == node.count ? numbers : nil
  }
}

/// A string type with known values that also accepts other values.
package protocol OpenStringValue: RawRepresentable<String>, SearchParameterType,
  SearchParameterElement
{
  /// Creates a value from its name.
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
