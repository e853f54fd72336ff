extension EncodingNode {
  /// A member of a closed object: its bytes without the comma, and what is inserted among them.
  private struct Piece {
    var name: String
    var bytes: Range<Int>
    var insertions: Range<Int>
  }

  /// Up to this many members every pair is compared, which costs less than hashing.
  private static var pairwiseLimit: Int { 16 }

  /// Takes out the members that were encoded again later under the same name, as a subclass does
  /// that overrides a member of its superclass, and sorts the members of a dictionary; called when
  /// the object was just closed.
  ///
  /// - Complexity: O(what this object has), however much the sink holds before it.
  func arrangeMembers() {
    guard sortsMembers ? members.count > 1 : hasRepeatedMembers else { return }
    var pieces = currentPieces()
    if sortsMembers { pieces.sort { $0.name < $1.name } }

    var bytes: [UInt8] = [UInt8(ascii: "{")]
    var insertions: [EncodingSink.Insertion] = []
    for piece in pieces {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      let shift = opening + bytes.count - piece.bytes.lowerBound
      for insertion in sink.insertions[piece.insertions] {
        insertions.append(
          EncodingSink.Insertion(offset: insertion.offset + shift, node: insertion.node))
      }
      bytes.append(contentsOf: sink.writer.bytes(in: piece.bytes))
    }
    bytes.append(UInt8(ascii: "}"))
    sink.insertions.replaceSubrange(min(firstInsertion, sink.insertions.count)..., with: insertions)
    sink.writer.replace(from: opening, with: bytes)
  }

  /// The members that count, found in one pass over members and insertions.
  private func currentPieces() -> [Piece] {
    var latest: [String: Int] = [:]
    for index in members.indices { latest[members[index].name] = index }
    var pieces: [Piece] = []
    var insertion = min(firstInsertion, sink.insertions.count)
    for index in members.indices {
      let end = index + 1 < members.count ? members[index + 1].start : sink.writer.count - 1
      let first = insertion
      while insertion < sink.insertions.count, sink.insertions[insertion].offset <= end {
        insertion += 1
        session.insertionsVisited += 1
      }
      guard latest[members[index].name] == index else { continue }
      var start = members[index].start
      if sink.writer.hasComma(at: start) { start += 1 }
      pieces.append(
        Piece(name: members[index].name, bytes: start..<end, insertions: first..<insertion))
    }
    return pieces
  }

  /// The place of the opening brace, behind a comma where there is one.
  private var opening: Int {
    sink.writer.hasComma(at: start) ? start + 1 : start
  }

  private var hasRepeatedMembers: Bool {
    guard members.count > 1 else { return false }
    if members.count > Self.pairwiseLimit {
      var names: Set<String> = []
      return members.contains { !names.insert($0.name).inserted }
    }
    for later in members.indices.dropFirst() {
      let name = members[later].name
      // Most names differ in length, which costs less to compare.
      for earlier in 0..<later
      where members[earlier].name.utf8.count == name.utf8.count && members[earlier].name == name {
        return true
      }
    }
    return false
  }
}
