/// The members of an object, looked up where they stand: no dictionary is made unless keys are
/// converted.
struct KeyedNodeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let session: DecodingSession
  /// The tape index of the object.
  let index: Int
  let depth: Int

  init(session: DecodingSession, index: Int, depth: Int) throws {
    _ = try session.objectWord(at: index)
    session.markConverted(at: index)
    self.session = session
    self.index = index
    self.depth = depth
  }

  var codingPath: [any CodingKey] { session.path(to: index) }

  var allKeys: [Key] {
    if session.convertsKeys {
      return session.members(ofObjectAt: index).sorted { $0.value < $1.value }
        .compactMap { Key(stringValue: $0.key) }
    }
    var keys: [Key] = []
    var members = session.document.members(at: index)
    while let value = members.next(in: session.document) {
      if let key = Key(stringValue: session.document.key(of: value)) { keys.append(key) }
    }
    return keys
  }

  /// The tape index of a member's value.
  func find(_ key: some CodingKey) -> Int? {
    session.value(of: key.stringValue, inObjectAt: index, depth: depth)
  }

  /// The tape index of a member's value, nil where it is absent or null.
  func findPresent(_ key: Key) -> Int? {
    guard let value = find(key), !session.isNull(at: value) else { return nil }
    return value
  }

  /// The tape index of a member's value; an absent key is an error.
  func require(_ key: Key) throws -> Int {
    if let value = find(key) { return value }
    throw DecodingError.keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { session.isNull(at: try require(key)) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(at: require(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(at: require(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superDecoder(under: JSONCodingKey.super) }

  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(under: key) }

  /// A decoder for a member that may be absent, which then reads as `null`.
  private func superDecoder(under key: some CodingKey) -> any Decoder {
    decoder(at: find(key) ?? session.absentValue(path: codingPath + [key]))
  }

  private func decoder(at value: Int) -> NodeDecoder {
    NodeDecoder(session: session, index: value, depth: depth + 1)
  }
}
