/// A decoder that stands at one value of a document.
struct NodeDecoder: Decoder {
  let session: DecodingSession
  /// The value's tape index, negative for an absent value.
  let index: Int
  /// The number of values decoded around this one; tells containers at work together apart.
  let depth: Int

  var codingPath: [any CodingKey] { session.path(to: index) }

  var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(
      try KeyedNodeContainer<Key>(session: session, index: index, depth: depth))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try UnkeyedNodeContainer(session: session, index: index, depth: depth)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension NodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { session.isNull(at: index) }

  func decode(_ type: Bool.Type) throws -> Bool { try session.bool(at: index) }
  func decode(_ type: String.Type) throws -> String { try session.string(at: index) }
  func decode(_ type: Double.Type) throws -> Double { try session.double(at: index) }
  func decode(_ type: Float.Type) throws -> Float { try session.float(at: index) }
  func decode(_ type: Int.Type) throws -> Int { try session.integer(type, at: index) }
  func decode(_ type: Int8.Type) throws -> Int8 { try session.integer(type, at: index) }
  func decode(_ type: Int16.Type) throws -> Int16 { try session.integer(type, at: index) }
  func decode(_ type: Int32.Type) throws -> Int32 { try session.integer(type, at: index) }
  func decode(_ type: Int64.Type) throws -> Int64 { try session.integer(type, at: index) }
  func decode(_ type: Int128.Type) throws -> Int128 { try session.integer(type, at: index) }
  func decode(_ type: UInt.Type) throws -> UInt { try session.integer(type, at: index) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try session.integer(type, at: index) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try session.integer(type, at: index) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try session.integer(type, at: index) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try session.integer(type, at: index) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try session.integer(type, at: index) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try session.value(type, at: index, depth: depth)
  }
}
