package import InstantSearchJSON

/// How coarsely distances are compared: records in the same bucket are equally far.
///
/// ```swift
/// query.aroundPrecision = 1_000
/// query.aroundPrecision = .ranges([.init(from: 0, value: 25), .init(from: 1_000, value: 2_000)])
/// ```
public enum AroundPrecision: Sendable, Hashable, Codable {
  /// One bucket size for every distance, in metres; less than 10 acts as 10.
  case meters(Int)
  /// Bucket sizes that depend on the distance.
  case ranges([Range])

  /// A bucket size and the distance from which it applies.
  public struct Range: Sendable, Hashable, Codable {
    /// The distance from which the bucket size applies, in metres.
    public var from: Int
    /// The bucket size, in metres.
    public var value: Int

    /// Creates a range; both numbers are metres.
    public init(from: Int, value: Int) {
      self.from = from
      self.value = value
    }
  }

  /// Reads any of the accepted forms, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value as the contract has it, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension AroundPrecision: ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
  /// One bucket size, in metres.
  public init(integerLiteral value: Int) { self = .meters(value) }

  /// Bucket sizes that depend on the distance.
  public init(arrayLiteral elements: Range...) { self = .ranges(elements) }
}

extension AroundPrecision: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String {
    "integer or array of objects with \"from\" and \"value\""
  }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let meters = node.int {
      self = .meters(meters)
      return
    }
    guard node.kind == .array else { throw Self.mismatch(node) }
    var ranges: [Range] = []
    ranges.reserveCapacity(node.count)
    for element in node.elements {
      guard let from = element["from"]?.int, let value = element["value"]?.int else {
        throw Self.mismatch(node)
      }
      ranges.append(Range(from: from, value: value))
    }
    self = .ranges(ranges)
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .meters(let meters):
      writer.int(meters)
    case .ranges(let ranges):
      writer.beginArray()
      for range in ranges {
        writer.beginObject()
        writer.key("from")
        writer.int(range.from)
        writer.key("value")
        writer.int(range.value)
        writer.endObject()
      }
      writer.endArray()
    }
  }
}
