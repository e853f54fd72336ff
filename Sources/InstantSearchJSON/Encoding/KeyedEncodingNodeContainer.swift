/// The members of an object being encoded.
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

  func encode(_ value: Int, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: Int8, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: Int16, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: Int32, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: Int64, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: Int128, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt8, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt16, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt32, forKey key: Key) throws {
    try begin(key)
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt64, forKey key: Key) throws {
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
