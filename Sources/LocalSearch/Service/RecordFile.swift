import AsyncInstantSearch
import SearchJSON

/// Reads the records of a file: a JSON array, or one object per line.
struct RecordFile {
  /// The file's name, for messages.
  let name: String

  /// The records; a mistake is an error that names the file and the line.
  func records(in bytes: [UInt8]) throws -> [JSONNode] {
    let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
    guard let first = bytes.first(where: { !Self.isSpace($0) }) else { return [] }
    return first == UInt8(ascii: "[") ? try array(bytes) : try lines(bytes)
  }

  private func array(_ bytes: [UInt8]) throws -> [JSONNode] {
    let root: JSONNode
    do {
      root = try JSONDocument(bytes).root
    } catch {
      throw problem(error.message, line: error.line, column: error.column)
    }
    let nodes = Array(root.elements)
    for (index, node) in nodes.enumerated() where !Self.isRecord(node) {
      let line = bytes[..<node.sourceRange.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
      throw problem("record \(index) \(Self.complaint(node))", line: line, column: nil)
    }
    return nodes
  }

  private func lines(_ bytes: [UInt8]) throws -> [JSONNode] {
    var nodes: [JSONNode] = []
    var line = 0
    for text in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      if line & 1023 == 1023 { try Task.checkCancellation() }
      if text.allSatisfy(Self.isSpace) { continue }
      let node: JSONNode
      do {
        node = try JSONDocument(Array(text)).root
      } catch {
        throw problem(error.message, line: line, column: error.column)
      }
      guard Self.isRecord(node) else {
        throw problem("the record \(Self.complaint(node))", line: line, column: nil)
      }
      nodes.append(node)
    }
    return nodes
  }

  private func problem(_ message: String, line: Int, column: Int?) -> SearchError {
    let place = column.map { "\(name):\(line):\($0)" } ?? "\(name):\(line)"
    return SearchError(.invalidRequest, "\(place): \(message)")
  }

  /// Whether a value can be stored: an object whose ID, if any, is a string or an integer.
  private static func isRecord(_ node: JSONNode) -> Bool {
    guard node.kind == .object else { return false }
    guard let id = node["objectID"], !id.isNull else { return true }
    return id.string.map { !$0.isEmpty } ?? (id.int64 != nil || id.uint64 != nil)
  }

  private static func complaint(_ node: JSONNode) -> String {
    node.kind == .object
      ? "has an objectID that is neither a string nor an integer" : "is not an object"
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }
}
