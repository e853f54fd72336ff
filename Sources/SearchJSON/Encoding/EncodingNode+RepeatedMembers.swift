extension EncodingNode {
  /// Up to this many members every pair is compared, which costs less than hashing.
  private static var pairwiseLimit: Int { 16 }

  /// Takes out the members that were encoded again later under the same name, as a subclass does
  /// that overrides a member of its superclass; called when the object was just closed.
  func removeRepeatedMembers() {
    guard hasRepeatedMembers else { return }
    var latest: [String: Int] = [:]
    for index in members.indices { latest[members[index].name] = index }

    let end = sink.writer.bytes.count - 1
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    var insertions = sink.insertions.filter { $0.offset <= start }
    for index in members.indices where latest[members[index].name] == index {
      let memberEnd = index + 1 < members.count ? members[index + 1].start : end
      var memberStart = members[index].start
      if sink.writer.bytes[memberStart] == UInt8(ascii: ",") { memberStart += 1 }
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      let shift = opening + bytes.count - memberStart
      for insertion in sink.insertions
      where insertion.offset > memberStart && insertion.offset <= memberEnd {
        insertions.append(
          EncodingSink.Insertion(offset: insertion.offset + shift, node: insertion.node))
      }
      bytes.append(contentsOf: sink.writer.bytes[memberStart..<memberEnd])
    }
    bytes.append(UInt8(ascii: "}"))
    sink.insertions = insertions
    sink.writer.replace(from: opening, with: bytes)
  }

  /// The place of the opening brace, behind a comma where there is one.
  private var opening: Int {
    sink.writer.bytes[start] == UInt8(ascii: ",") ? start + 1 : start
  }

  private var hasRepeatedMembers: Bool {
    guard members.count > 1 else { return false }
    if members.count > Self.pairwiseLimit {
      var names: Set<String> = []
      return members.contains { !names.insert($0.name).inserted }
    }
    for later in members.indices.dropFirst() {
      for earlier in 0..<later where members[earlier].name == members[later].name { return true }
    }
    return false
  }
}
