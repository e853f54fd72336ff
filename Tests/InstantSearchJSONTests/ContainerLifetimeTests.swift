import Foundation
import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

/// Decoders and containers used later, elsewhere, or interleaved.
struct ContainerLifetimeTests {
  /// Where types leave their decoders and containers.
  private final class Box {
    var decoders: [any Decoder] = []
    var keyed: [KeyedDecodingContainer<AnyCodingKey>] = []
    var unkeyed: [any UnkeyedDecodingContainer] = []
  }

  /// Opens every container below a value and stores it in the boxes of the decoder.
  private struct Opener: Decodable {
    let box = Box()

    init(from decoder: any Decoder) throws {
      box.decoders.append(decoder)
      if let container = try? decoder.container(keyedBy: AnyCodingKey.self) {
        box.keyed.append(container)
        for key in container.allKeys {
          box.decoders.append(try container.superDecoder(forKey: key))
          take(try container.decode(Opener.self, forKey: key))
        }
      } else if var container = try? decoder.unkeyedContainer() {
        box.unkeyed.append(container)
        while !container.isAtEnd { take(try container.decode(Opener.self)) }
      }
    }

    private func take(_ opener: Opener) {
      box.decoders += opener.box.decoders
      box.keyed += opener.box.keyed
      box.unkeyed += opener.box.unkeyed
    }
  }

  @Test func openedContainersWorkAfterDecoding() throws {
    var bytes = RandomResponse(seed: 1).randomText
    let box = try JSONValueDecoder().decode(Opener.self, from: bytes).box
    // The memory of the bytes has been reused.
    for index in bytes.indices { bytes[index] = 0 }
    #expect(box.decoders.count > 100 && box.keyed.count > 10 && box.unkeyed.count > 3)
    let root = try #require(box.decoders.first)
    let tree = try JSONTree(from: root)
    var nodes = 0
    for decoder in box.decoders.shuffled() {
      // Every decoder is still at its own value.
      let value = try JSONTree(from: decoder)
      expectEqual(value, Self.value(at: decoder.codingPath, in: tree))
      nodes += 1
    }
    expectEqual(nodes, box.decoders.count)
    for container in box.keyed.shuffled() {
      for key in container.allKeys.shuffled() {
        let value = try container.decode(JSONTree.self, forKey: key)
        expectEqual(value, Self.value(at: container.codingPath + [key], in: tree))
      }
      #expect(throws: DecodingError.self) {
        try container.decode(Int.self, forKey: AnyCodingKey("no such key"))
      }
    }
    for var container in box.unkeyed {
      while !container.isAtEnd { _ = try container.decode(JSONTree.self) }
      #expect(throws: DecodingError.self) { try container.decode(JSONTree.self) }
    }
  }

  private static func value(at path: [any CodingKey], in tree: JSONTree) -> JSONTree? {
    var tree = tree
    for step in path {
      switch tree {
      case .array(let elements):
        guard let index = step.intValue, elements.indices.contains(index) else { return nil }
        tree = elements[index]
      case .object(let members):
        guard let member = members[Array(step.stringValue.utf8)] else { return nil }
        tree = member
      default: return nil
      }
    }
    return tree
  }

  /// Reads two objects of equal depth alternately, one forwards and one backwards.
  private struct Zipped: Decodable, Equatable {
    var sums: [Int] = []

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyCodingKey.self)
      let left = try container.nestedContainer(
        keyedBy: AnyCodingKey.self, forKey: AnyCodingKey("l"))
      let right = try container.nestedContainer(
        keyedBy: AnyCodingKey.self, forKey: AnyCodingKey("r"))
      for index in 0..<20 {
        let l = try left.decode(Int.self, forKey: AnyCodingKey("k\(index)"))
        let r = try right.decode(Int.self, forKey: AnyCodingKey("k\(19 - index)"))
        _ = try? container.decode(Int.self, forKey: AnyCodingKey(index % 2 == 0 ? "l" : "none"))
        sums.append(l + r)
      }
    }
  }

  @Test func containersCanBeReadAlternately() {
    let left = (0..<20).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    let right = (0..<20).map { #""k\#($0)":\#($0 * 100)"# }.joined(separator: ",")
    let outcome = expectSameDecoding([Zipped].self, #"[{"l":{\#(left)},"r":{\#(right)}}]"#)
    #expect(outcome != .error(""))
    guard case .value(let values) = outcome else { return #expect(Bool(false), "\(outcome)") }
    expectEqual(values[0].sums, (0..<20).map { $0 + (19 - $0) * 100 })
  }

  @Test func dateStrategyCanDecodeOtherTexts() throws {
    let inner = Array(#"{"years":[1,2,3],"more":{"x":[{"y":4}]}}"#.utf8)
    struct Years: Decodable {
      var years: [Int]
      var more: [String: [[String: Int]]]
    }
    let options = JSONDecodingOptions(
      dates: .custom { decoder in
        let years = try JSONValueDecoder().decode(Years.self, from: inner)
        let offset = try decoder.singleValueContainer().decode(Int.self)
        let more = years.more["x"]?.first?["y"] ?? 0
        return Date(timeIntervalSince1970: Double(years.years.reduce(offset + more, +)))
      })
    struct Event: Decodable, Equatable {
      var a: Int
      var start: Date
      var b: [Date]
      var c: String
    }
    let event = try JSONValueDecoder(options: options).decode(
      [Event].self, from: Array(#"[{"a":1,"start":10,"b":[20,30],"c":"x"}]"#.utf8))
    let dates = [20, 30, 40].map { Date(timeIntervalSince1970: $0) }
    expectEqual(event, [Event(a: 1, start: dates[0], b: [dates[1], dates[2]], c: "x")])
  }

  @Test func recursiveTypesAreReadToTheNestingLimit() throws {
    struct Chain: Decodable {
      var next: [Chain]?
    }
    let depth = 255
    let text =
      String(repeating: #"{"next":["#, count: depth) + String(repeating: "]}", count: depth)
    var chain = try JSONValueDecoder().decode(Chain.self, from: Array(text.utf8))
    var length = 1
    while let next = chain.next?.first {
      chain = next
      length += 1
    }
    expectEqual(length, depth)
  }

  @Test func decodersStopAtTheDepthOfTheDocument() {
    struct Endless: Decodable {
      init(from decoder: any Decoder) throws {
        // Descends until there is nothing below.
        var list = try decoder.unkeyedContainer()
        _ = try list.decode(Endless.self)
      }
    }
    let text = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    guard
      case .error(let error) = outcome({ () throws -> Int in
        _ = try JSONValueDecoder().decode(Endless.self, from: Array(text.utf8))
        return 0
      })
    else { return #expect(Bool(false)) }
    let path = Array(repeating: "Index 0", count: 400).joined(separator: ".")
    expectEqual(error, "valueNotFound Endless at [\(path)]")
  }
}

extension RandomResponse {
  fileprivate var randomText: [UInt8] {
    var copy = self
    return copy.text(hits: 3)
  }
}
