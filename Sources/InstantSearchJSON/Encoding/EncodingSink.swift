/// Bytes being written, and the places in them where other bytes belong.
///
/// A value that is encoded by one call is written in place. A nested container or a superclass's
/// encoder may be filled at any later time, in turn with its parent; each has a sink of its own,
/// and the parent's sink notes where it belongs.
final class EncodingSink {
  /// A value whose bytes are in another sink.
  struct Insertion {
    /// The place in this sink's bytes.
    var offset: Int
    var node: EncodingNode
  }

  var writer = JSONWriter(capacity: 0)
  /// In the order of their offsets.
  var insertions: [Insertion] = []

  /// Notes that the value of `node` belongs here.
  func insert(_ node: EncodingNode) {
    insertions.append(Insertion(offset: writer.placeholder(), node: node))
  }

  /// Puts all inserted values in their places, at or after `start`.
  func assemble(from start: Int) {
    guard !insertions.isEmpty else { return }
    var bytes: [UInt8] = []
    append(from: start, to: &bytes)
    writer.replace(from: start, with: bytes)
    insertions.removeAll()
  }

  private func append(from start: Int, to bytes: inout [UInt8]) {
    var position = start
    for insertion in insertions {
      bytes.append(contentsOf: writer.bytes(in: position..<insertion.offset))
      insertion.node.finish()
      insertion.node.sink.append(from: 0, to: &bytes)
      position = insertion.offset
    }
    bytes.append(contentsOf: writer.bytes(in: position..<writer.count))
  }
}
