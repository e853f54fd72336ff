import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

/// Types that bypass `Codable`, at any depth.
struct JSONDirectCodingTests {
  struct Point: JSONNodeDecodable, JSONWritable, Equatable {
    var x: Int
    var y: Int

    init(x: Int, y: Int) { (self.x, self.y) = (x, y) }

    init(node: JSONNode, options: JSONDecodingOptions) throws {
      guard let x = node[0]?.int, let y = node[1]?.int else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(codingPath: node.codingPath, debugDescription: "no point"))
      }
      (self.x, self.y) = (x, y)
    }

    init(from decoder: any Decoder) throws {
      let (node, options) = try #require(JSONNode.current(of: decoder))
      try self.init(node: node, options: options)
    }

    func write(to writer: inout JSONWriter) {
      writer.beginArray()
      writer.int(x)
      writer.int(y)
      writer.endArray()
    }

    func encode(to encoder: any Encoder) throws {
      Issue.record("the direct function was not called")
    }
  }

  struct Holder: Codable, Equatable {
    var one: Point
    var many: [Point]
    var named: [String: [Point]]
    var numbered: [Int: Point]
    var maybe: Point?
    var absent: Point?
    var pair: Pair<Point>
  }

  struct Pair<Value: Codable & Equatable>: Codable, Equatable {
    var left: Value
    var right: Value?
  }

  /// Calls `init(from:)` itself.
  struct Wrapper: Decodable, Equatable {
    var point: Point
    init(from decoder: any Decoder) throws { point = try Point(from: decoder) }
  }

  private let holder = Holder(
    one: Point(x: 1, y: 2), many: [Point(x: 3, y: 4)], named: ["a": [Point(x: 5, y: 6)]],
    numbered: [7: Point(x: 7, y: 7)], maybe: Point(x: 8, y: 9), absent: nil,
    pair: Pair(left: Point(x: 0, y: 0), right: Point(x: -1, y: -1)))

  @Test func directTypesAreReadAndWrittenAtAnyDepth() throws {
    let bytes = try JSONValueEncoder().encode(holder)
    let text = String(decoding: bytes, as: UTF8.self)
    expectEqual(
      text,
      #"{"one":[1,2],"many":[[3,4]],"named":{"a":[[5,6]]},"numbered":{"7":[7,7]},"#
        + #""maybe":[8,9],"pair":{"left":[0,0],"right":[-1,-1]}}"#)
    try expectEqual(JSONValueDecoder().decode(Holder.self, from: bytes), holder)
  }

  @Test func directTypesCanBeTopLevelValues() throws {
    let bytes = try JSONValueEncoder().encode(Point(x: 1, y: 2))
    expectEqual(bytes, Array("[1,2]".utf8))
    try expectEqual(JSONValueDecoder().decode(Point.self, from: bytes), Point(x: 1, y: 2))
    try expectEqual(JSONValueDecoder().decode([Wrapper].self, from: Array("[[1,2]]".utf8)).count, 1)
  }

  @Test func errorsOfDirectTypesHaveFullPaths() {
    let text = #"{"one":[1,2],"many":[[3,4],[5]],"named":{},"numbered":{},"pair":{"left":[0,0]}}"#
    let error = outcome { try JSONValueDecoder().decode(Holder.self, from: Array(text.utf8)) }
    expectEqual(error, .error("dataCorrupted at [many.Index 1]"))
  }
}
