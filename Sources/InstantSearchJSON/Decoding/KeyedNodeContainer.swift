/// The members of an object, looked up on the tape. A dictionary is only created if keys are
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

  /// The tape index of a member's value, or nil if it is absent or null.
  func findPresent(_ key: Key) -> Int? {
    guard let value = find(key), !session.isNull(at: value) else { return nil }
    return value
  }

  /// The tape index of a member's value. Throws for an absent key.
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

  /// A decoder for a member. An absent member reads as `null`.
  private func superDecoder(under key: some CodingKey) -> any Decoder {
    decoder(at: find(key) ?? session.absentValue(path: codingPath + [key]))
  }

  private func decoder(at value: Int) -> NodeDecoder {
    NodeDecoder(session: session, index: value, depth: depth + 1)
  }
}

// Two functions for each type that the standard library names. All read through the session.
extension KeyedNodeContainer {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try session.bool(at: require(key))
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try session.string(at: require(key))
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try session.double(at: require(key))
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try session.float(at: require(key))
  }

  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try session.integer(type, at: require(key))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try session.value(type, at: require(key), depth: depth + 1)
  }
}

extension KeyedNodeContainer {
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try findPresent(key).map { try session.bool(at: $0) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try findPresent(key).map { try session.string(at: $0) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try findPresent(key).map { try session.double(at: $0) }
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try findPresent(key).map { try session.float(at: $0) }
  }

  func decodeIfPresent<T: FixedWidthInteger & Decodable>(
    _ type: T.Type, forKey key: Key
  ) throws -> T? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try findPresent(key).map { try session.value(type, at: $0, depth: depth + 1) }
  }
}
