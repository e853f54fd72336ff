extension EncodingNode: SingleValueEncodingContainer {
  func encodeNil() throws {
    try beginSingleValue()
    sink.writer.null()
  }

  func encode(_ value: Bool) throws {
    try beginSingleValue()
    sink.writer.bool(value)
  }

  func encode(_ value: String) throws {
    try beginSingleValue()
    sink.writer.string(value)
  }

  func encode(_ value: Double) throws {
    try undoingOnError {
      try beginSingleValue()
      try writeFloat(value, key: nil)
    }
  }

  func encode(_ value: Float) throws {
    try undoingOnError {
      try beginSingleValue()
      try writeFloat(value, key: nil)
    }
  }

  func encode(_ value: Int) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: Int8) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: Int16) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: Int32) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: Int64) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: Int128) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: UInt) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: UInt8) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: UInt16) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: UInt32) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: UInt64) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode(_ value: UInt128) throws {
    try beginSingleValue()
    sink.writer.int(value)
  }

  func encode<T: Encodable>(_ value: T) throws {
    try undoingOnError {
      try beginSingleValue()
      try encodeValue(value, key: nil)
    }
  }
}
