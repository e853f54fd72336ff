/// The container for the members of an object.
struct KeyedEncodingNodeContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }

  private func begin(_ key: Key) throws {
    let session = node.session
    let name = session.convertsKeys ? session.options.keys.name(of: key) : key.stringValue
    try node.beginMember(name)
  }

  func encodeNil(forKey key: Key) throws {
    try begin(key)
    node.sink.writer.null()
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.bool(value)
  }

  func encode(_ value: String, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.string(value)
  }

  func encode(_ value: Double, forKey key: Key) throws {
    try node.undoingOnError {
      try begin(key)
      try node.writeFloat(value, key: key)
    }
  }

  func encode(_ value: Float, forKey key: Key) throws {
    try node.undoingOnError {
      try begin(key)
      try node.writeFloat(value, key: key)
    }
  }

  func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: Int128, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try node.undoingOnError {
      try begin(key)
      try node.encodeValue(value, key: key)
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    node.insertedMember(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    node.insertedMember(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { node.insertedMember(JSONCodingKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { node.insertedMember(key) }
}

/// The container for the elements of an array.
struct UnkeyedEncodingNodeContainer: UnkeyedEncodingContainer {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }
  var count: Int { node.count }

  func encodeNil() throws {
    _ = try node.beginElement()
    node.sink.writer.null()
  }

  func encode(_ value: Bool) throws {
    _ = try node.beginElement()
    node.sink.writer.bool(value)
  }

  func encode(_ value: String) throws {
    _ = try node.beginElement()
    node.sink.writer.string(value)
  }

  func encode(_ value: Double) throws {
    try node.undoingOnError { try node.writeFloat(value, key: try node.beginElement()) }
  }

  func encode(_ value: Float) throws {
    try node.undoingOnError { try node.writeFloat(value, key: try node.beginElement()) }
  }

  func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: Int128) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt128) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode<T: Encodable>(_ value: T) throws {
    try node.undoingOnError { try node.encodeValue(value, key: try node.beginElement()) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    node.insertedElement().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    node.insertedElement().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { node.insertedElement() }
}

extension EncodingNode {
  /// A member of a closed object: its bytes without the comma, and its insertions.
  private struct Piece {
    var name: String
    var bytes: Range<Int>
    var insertions: Range<Int>
  }

  /// The number of members up to which all pairs are compared, which is faster than hashing.
  private static var pairwiseLimit: Int { 16 }

  /// Removes members that were encoded again later under the same name, such as overridden members
  /// of a superclass, and sorts the members of a dictionary. Called when the object was just
  /// closed.
  ///
  /// - Complexity: O(size of this object), regardless of the bytes before it.
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

  /// The offset of the opening brace, after an optional comma.
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
      // Most names differ in length, which is faster to compare.
      for earlier in 0..<later
      where members[earlier].name.utf8.count == name.utf8.count && members[earlier].name == name {
        return true
      }
    }
    return false
  }
}
