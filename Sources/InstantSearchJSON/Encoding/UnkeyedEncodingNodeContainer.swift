/// The elements of an array being encoded.
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

  func encode(_ value: Int) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: Int8) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: Int16) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: Int32) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: Int64) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: Int128) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt8) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt16) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt32) throws {
    _ = try node.beginElement()
    node.sink.writer.int(value)
  }

  func encode(_ value: UInt64) throws {
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
