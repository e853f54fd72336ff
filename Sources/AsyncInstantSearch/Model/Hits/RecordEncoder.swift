/// Encodes a record in such a way that more members can be added to it.
///
/// An encoder may stop the program when it is asked for a keyed container after a value of another
/// kind. So whatever is no object is refused here, before it reaches the encoder.
struct RecordEncoder: Encoder {
  private let base: any Encoder

  /// Encodes the members of a record.
  ///
  /// - Throws: `EncodingError` for a record that is not encoded as an object.
  static func encode(_ record: some Encodable, to encoder: any Encoder) throws {
    try record.encode(to: RecordEncoder(base: encoder))
  }

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    base.container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusedList(encoder: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleValue(encoder: self) }

  private func refuse(_ value: Any) -> EncodingError {
    EncodingError.invalidValue(
      value,
      EncodingError.Context(
        codingPath: codingPath, debugDescription: "a hit's record must be encoded as an object"))
  }

  /// Refuses scalars; any other value may still turn out to be an object.
  private struct SingleValue: SingleValueEncodingContainer {
    let encoder: RecordEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws { throw encoder.refuse(String?.none as Any) }
    func encode(_ value: Bool) throws { throw encoder.refuse(value) }
    func encode(_ value: String) throws { throw encoder.refuse(value) }
    func encode(_ value: Double) throws { throw encoder.refuse(value) }
    func encode(_ value: Float) throws { throw encoder.refuse(value) }
    func encode(_ value: Int) throws { throw encoder.refuse(value) }
    func encode(_ value: Int8) throws { throw encoder.refuse(value) }
    func encode(_ value: Int16) throws { throw encoder.refuse(value) }
    func encode(_ value: Int32) throws { throw encoder.refuse(value) }
    func encode(_ value: Int64) throws { throw encoder.refuse(value) }
    func encode(_ value: UInt) throws { throw encoder.refuse(value) }
    func encode(_ value: UInt8) throws { throw encoder.refuse(value) }
    func encode(_ value: UInt16) throws { throw encoder.refuse(value) }
    func encode(_ value: UInt32) throws { throw encoder.refuse(value) }
    func encode(_ value: UInt64) throws { throw encoder.refuse(value) }
    func encode(_ value: some Encodable) throws { try value.encode(to: encoder) }
  }

  /// Refuses every element of a list.
  private struct RefusedList: UnkeyedEncodingContainer {
    let encoder: RecordEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { 0 }

    func encodeNil() throws { throw encoder.refuse(String?.none as Any) }
    func encode(_ value: some Encodable) throws { throw encoder.refuse(value) }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      KeyedEncodingContainer(RefusedObject(encoder: encoder))
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { encoder }
  }

  /// Refuses every member of an object that is itself the element of a list.
  private struct RefusedObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RecordEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws { throw encoder.refuse(String?.none as Any) }
    func encode(_ value: some Encodable, forKey key: Key) throws { throw encoder.refuse(value) }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      KeyedEncodingContainer(RefusedObject<Nested>(encoder: encoder))
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      RefusedList(encoder: encoder)
    }
    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { encoder }
  }
}
