import Foundation
import SearchJSON
import Testing

/// Random texts read by us and by Foundation.
struct JSONDifferentialTests {
  private static let seeds = 0..<40 as Range<UInt64>

  @Test(arguments: seeds)
  func validTextsGiveTheSameValues(seed: UInt64) throws {
    var random = RandomJSON(seed: seed)
    for _ in 0..<25 {
      let text = random.text()
      let bytes = Array(text.utf8)
      let root = try JSONDocument(bytes).root
      let tree = try #require(JSONTree(root), "\(text)")
      #expect(try JSONValueDecoder().decode(JSONTree.self, from: bytes) == tree, "\(text)")
      if let theirs = try? JSONDecoder().decode(JSONTree.self, from: Data(bytes)) {
        #expect(tree == theirs, "\(text)")
      } else {
        #expect(Self.isOnlyOurs(root), "\(text)")
      }
    }
  }

  @Test(arguments: seeds)
  func damagedTextsAreRefusedAlike(seed: UInt64) throws {
    var random = RandomJSON(seed: seed &+ 1_000_000)
    for _ in 0..<150 {
      let bytes = random.damagedText()
      let text = String(decoding: bytes, as: UTF8.self)
      let theirs = try? JSONDecoder().decode(JSONTree.self, from: Data(bytes))
      switch Result(catching: { () throws(JSONError) in try JSONDocument(bytes) }) {
      case .success(let document):
        if let theirs {
          #expect(Self.isSame(document.root, theirs), "\(text)")
        } else {
          #expect(Self.isOnlyOurs(document.root), "\(text)")
        }
      case .failure(let error):
        #expect(error.offset <= bytes.count, "\(text)")
        if theirs != nil {
          #expect(Self.isOnlyTheirs(error, bytes), "\(text): \(error)")
        }
      }
    }
  }

  /// Foundation takes the first of equal keys, we the last; other values are the same.
  private static func isSame(_ node: JSONNode, _ tree: JSONTree) -> Bool {
    switch tree {
    case .array(let elements):
      return node.kind == .array && node.count == elements.count
        && zip(node.elements, elements).allSatisfy(isSame)
    case .object(let members):
      guard node.kind == .object, Set(node.members.map(\.key)) == Set(members.keys) else {
        return false
      }
      var seen: Set<String> = []
      return node.members.allSatisfy { member in
        guard seen.insert(member.key).inserted, let value = members[member.key] else { return true }
        return isSame(member.value, value)
      }
    default: return JSONTree(node) == tree
    }
  }

  /// Foundation refuses lone surrogates, numbers that overflow or underflow a double, and some
  /// zeros with an exponent (`0e5`); we read U+FFFD, refuse only when a double is asked for, and
  /// read zero.
  private static func isOnlyOurs(_ root: JSONNode) -> Bool {
    var nodes = [root]
    while let node = nodes.popLast() {
      switch node.kind {
      case .string: if node.string?.unicodeScalars.contains("\u{FFFD}") == true { return true }
      case .number:
        guard let value = node.double else { return true }
        if value == 0, node.numberText?.contains(where: { ("1"..."9").contains($0) }) == true {
          return true
        }
      default:
        if node.members.contains(where: { $0.key.unicodeScalars.contains("\u{FFFD}") }) {
          return true
        }
        nodes += Array(node.elements) + node.members.map(\.value)
      }
    }
    return false
  }

  /// Foundation accepts a comma before a closing bracket, and guesses at UTF-16 when it sees zeros.
  private static func isOnlyTheirs(_ error: JSONError, _ bytes: [UInt8]) -> Bool {
    guard error.offset < bytes.count,
      [UInt8(ascii: "]"), UInt8(ascii: "}")].contains(bytes[error.offset])
    else { return bytes.prefix(4).contains(0) }
    let before = bytes[..<error.offset].last { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
    return before == UInt8(ascii: ",")
  }

  @Test(arguments: seeds)
  func encodedTreesAreReadByFoundation(seed: UInt64) throws {
    var random = RandomJSON(seed: seed &+ 2_000_000)
    for _ in 0..<25 {
      let root = try JSONDocument(Array(random.text().utf8)).root
      var writer = JSONWriter()
      Self.copy(root, to: &writer)
      let expected = try #require(JSONTree(root))
      #expect(try JSONDecoder().decode(JSONTree.self, from: Data(writer.bytes)) == expected)
      #expect(JSONTree(try JSONDocument(writer.bytes).root) == expected)
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
      for member in node.members {
        writer.key(member.key)
        copy(member.value, to: &writer)
      }
      writer.endObject()
    }
  }
}
