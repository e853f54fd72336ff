import Foundation
import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

/// Random texts, intact and damaged, read by us, by the reference reader and by Foundation.
struct JSONDifferentialTests {
  private static let seeds = Seed.all(16)

  /// A text of each kind.
  private static func texts(seed: UInt64) -> [[UInt8]] {
    var shapes = RandomShapes(seed: seed)
    var json = RandomJSON(seed: seed)
    var response = RandomResponse(seed: seed)
    var texts = (0..<12).map { _ in Array(json.text().utf8) }
    for _ in 0..<12 {
      let value = shapes.value()
      texts.append(shapes.text(of: value))
      texts.append(shapes.text(of: shapes.withRepetitions(value)))
    }
    texts.append(response.text(hits: 1))
    return texts
  }

  @Test(arguments: seeds)
  func validTextsGiveTheSameValues(seed: Seed) throws {
    for bytes in Self.texts(seed: seed.value) {
      let text = String(decoding: bytes, as: UTF8.self)
      expectEqual(DocumentComparison.violations(in: bytes), [], "\(text)")
      let expected = try #require(JSONTree(ReferenceReader.read(bytes)), "\(text)")
      try expectEqual(JSONValueDecoder().decode(JSONTree.self, from: bytes), expected, "\(text)")
    }
  }

  @Test(arguments: seeds)
  func damagedTextsAreRejectedAtTheSameByte(seed: Seed) {
    var damage = RandomDamage(seed: seed.value)
    for text in Self.texts(seed: seed.value) {
      for _ in 0..<(text.count > 1_000 ? 8 : 4) {
        let (bytes, firstChange) = damage.damaged(text)
        let name = String(decoding: bytes, as: UTF8.self)
        expectEqual(DocumentComparison.violations(in: bytes), [], "\(name)")
        do throws(JSONError) {
          _ = try JSONDocument(bytes)
        } catch {
          #expect(error.offset >= firstChange, "\(name)")
        }
      }
    }
  }

  @Test(arguments: seeds)
  func foundationReadsTheSameExceptForListedDifferences(seed: Seed) {
    var damage = RandomDamage(seed: seed.value &+ 1_000)
    for text in Self.texts(seed: seed.value) {
      for bytes in [text] + (0..<4).map({ _ in damage.damaged(text).bytes }) {
        expectEqual(
          FoundationComparison.violations(in: bytes), [],
          "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  @Test(arguments: seeds)
  func writtenTreesAreReadByFoundation(seed: Seed) throws {
    for text in Self.texts(seed: seed.value) {
      let root = try JSONDocument(text).root
      var writer = JSONWriter()
      Self.copy(root, to: &writer)
      let expected = try #require(JSONTree(root))
      try expectEqual(JSONDecoder().decode(JSONTree.self, from: Data(writer.bytes)), expected)
      expectEqual(JSONTree(try JSONDocument(writer.bytes).root), expected)
    }
  }

  private static func copy(_ node: JSONNode, to writer: inout JSONWriter) {
    switch node.kind {
    case .null: writer.null()
    case .bool: writer.bool(node.bool ?? false)
    case .number:
      if let integer = node.int, integer != 0 {
        writer.int(integer)
      } else {
        writer.double(node.double ?? .nan)
      }
    case .string: writer.string(node.string ?? "")
    case .array:
      writer.beginArray()
      for element in node.elements { copy(element, to: &writer) }
      writer.endArray()
    case .object:
      writer.beginObject()
      for member in node.currentMembers {
        writer.key(member.key)
        copy(member.value, to: &writer)
      }
      writer.endObject()
    }
  }
}
