package import InstantSearchJSON

/// How far from the centre a record may be.
///
/// ```swift
/// query.aroundRadius = 5_000
/// query.aroundRadius = .all
/// ```
public enum AroundRadius: Sendable, Hashable, Codable {
  /// Up to so many metres, at least 1.
  case meters(Int)
  /// Anywhere: the distance only ranks.
  case all

  /// Reads any of the accepted forms, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value as the contract has it, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension AroundRadius: ExpressibleByIntegerLiteral {
  /// Up to so many metres.
  public init(integerLiteral value: Int) { self = .meters(value) }
}

extension AroundRadius: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "integer or \"all\"" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let meters = node.int {
      self = .meters(meters)
    } else if node.string == "all" {
      self = .all
    } else {
      throw Self.mismatch(node)
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .meters(let meters): writer.int(meters)
    case .all: writer.string("all")
    }
  }

  package var urlText: String {
    switch self {
    case .meters(let meters): meters.urlText
    case .all: "all"
    }
  }
}
