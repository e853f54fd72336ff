package import InstantSearchJSON

/// Words of a query that a record need not contain.
///
/// One text and a list of texts are told apart on the wire, and so they are here.
///
/// ```swift
/// query.optionalWords = "toyota red"
/// query.optionalWords = ["toyota", "red"]
/// ```
public enum OptionalWords: Sendable, Hashable, Codable, ListRepresentable {
  /// One text; each of its words is optional.
  case text(String)
  /// Several texts; each word of each of them is optional.
  case list([String])

  /// A list of texts.
  public init(_ list: [String]) { self = .list(list) }

  /// The texts, in either case.
  public var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let list): list
    }
  }

  /// Reads any of the accepted forms, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value as the contract has it, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension OptionalWords: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
  /// One text.
  public init(stringLiteral value: String) { self = .text(value) }

  /// A list of texts.
  public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension OptionalWords: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "string or array of strings" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let text = node.string {
      self = .text(text)
    } else if let list = String.list(node) {
      self = .list(list)
    } else {
      throw Self.mismatch(node)
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .text(let text): writer.string(text)
    case .list(let list): list.writeParameter(to: &writer)
    }
  }

  package var urlText: String {
    switch self {
    case .text(let text): urlText(bare: text)
    case .list(let list): list.urlText
    }
  }
}
