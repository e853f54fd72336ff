package import InstantSearchJSON

/// How many records of a group are returned.
///
/// ```swift
/// query.distinct = true
/// query.distinct = 3
/// ```
public enum Distinct: Sendable, Hashable, Codable {
  /// One record per group, or no grouping.
  case enabled(Bool)
  /// Up to so many records per group; 0 does not group.
  case count(Int)

  /// How many records of a group are returned; 0 when records are not grouped.
  public var hitsPerGroup: Int {
    switch self {
    case .enabled(let value): value ? 1 : 0
    case .count(let count): Swift.max(count, 0)
    }
  }

  /// Reads any of the accepted forms, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value as the contract has it, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension Distinct: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
  /// One record per group, or no grouping.
  public init(booleanLiteral value: Bool) { self = .enabled(value) }

  /// Up to so many records per group.
  public init(integerLiteral value: Int) { self = .count(value) }
}

extension Distinct: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "boolean or integer" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let value = Bool(lenient: node) {
      self = .enabled(value)
    } else if let count = node.int {
      self = .count(count)
    } else {
      throw Self.mismatch(node)
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .enabled(let value): writer.bool(value)
    case .count(let count): writer.int(count)
    }
  }
}
