package import InstantSearchJSON

/// How typing mistakes are treated.
///
/// ```swift
/// query.typoTolerance = .strict
/// query.typoTolerance = false
/// ```
public enum TypoTolerance: Sendable, Hashable, Codable {
  /// Mistakes are allowed, within the minimum word lengths, or not allowed at all.
  case enabled(Bool)
  /// Only the records with the fewest mistakes are kept.
  case min
  /// Only the records with the fewest and with the second fewest mistakes are kept, and the Typo
  /// criterion comes first.
  case strict

  /// Reads any of the accepted forms, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value as the contract has it, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension TypoTolerance: ExpressibleByBooleanLiteral {
  /// `true` allows mistakes, `false` does not.
  public init(booleanLiteral value: Bool) { self = .enabled(value) }
}

extension TypoTolerance: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "boolean, \"min\" or \"strict\"" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: node) {
      self = .enabled(value)
    } else {
      switch node.string {
      case "min": self = .min
      case "strict": self = .strict
      default: throw Self.mismatch(node)
      }
    }
  }

  package init(urlText: String) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: urlText) {
      self = .enabled(value)
    } else {
      try self.init(parameter: JSONNode(text: urlText))
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .enabled(let value): writer.bool(value)
    case .min: writer.string("min")
    case .strict: writer.string("strict")
    }
  }

  package var urlText: String {
    switch self {
    case .enabled(let value): value.urlText
    case .min: "min"
    case .strict: "strict"
    }
  }
}
