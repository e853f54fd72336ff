package import InstantSearchJSON

/// Rectangles on the map; a record lies in one of them to match.
///
/// ```swift
/// query.insideBoundingBox = [[49.1, 1.9, 48.6, 2.8]]  // two opposite corners: lat, lng, lat, lng
/// query.insideBoundingBox = .box(visible)             // a BoundingBox
/// ```
public enum InsideBoundingBox: Sendable, Hashable, Codable, ListRepresentable {
  /// Rectangles of four numbers each: latitude and longitude of two opposite corners, in degrees.
  case boxes([[Double]])
  /// The same numbers in one text, with commas between them.
  case text(String)

  /// Rectangles of four numbers each.
  public init(_ list: [[Double]]) { self = .boxes(list) }

  /// The rectangles, in either case; `nil` when a text is not made of groups of four numbers.
  public var rectangles: [[Double]]? {
    switch self {
    case .boxes(let boxes):
      boxes
    case .text(let text):
      (try? JSONNode(text: text)).flatMap([Double].numbers).flatMap(Self.fours)
    }
  }

  /// Reads any of the accepted forms, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value as the contract has it, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }

  /// Groups of four numbers; `nil` when some are left over.
  private static func fours(_ numbers: [Double]) -> [[Double]]? {
    guard numbers.count.isMultiple(of: 4) else { return nil }
    return stride(from: 0, to: numbers.count, by: 4).map { Array(numbers[$0..<$0 + 4]) }
  }
}

extension InsideBoundingBox: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// The numbers in one text, with commas between them.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Rectangles of four numbers each.
  public init(arrayLiteral elements: [Double]...) { self = .boxes(elements) }
}

extension InsideBoundingBox: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "string or array of arrays of numbers" }

  /// Also takes one flat array, four numbers a rectangle.
  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let text = node.string {
      self = .text(text)
    } else if node[0]?.kind == .number {
      guard let boxes = [Double].numbers(node).flatMap(Self.fours) else {
        throw Self.mismatch(node)
      }
      self = .boxes(boxes)
    } else if let boxes = [Double].list(node) {
      self = .boxes(boxes)
    } else {
      throw Self.mismatch(node)
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .boxes(let boxes): boxes.writeParameter(to: &writer)
    case .text(let text): writer.string(text)
    }
  }

  package var urlText: String {
    switch self {
    case .boxes(let boxes): boxes.urlText
    case .text(let text): urlText(bare: text)
    }
  }
}
