// One pair of functions per type the standard library names; all read through the session.
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

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try session.integer(type, at: require(key))
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
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

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try findPresent(key).map { try session.integer(type, at: $0) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try findPresent(key).map { try session.value(type, at: $0, depth: depth + 1) }
  }
}
