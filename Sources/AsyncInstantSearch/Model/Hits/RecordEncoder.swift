/// Encodes a record in such a way that more members can be added to it.
///
/// An encoder may stop the program when it is asked for a keyed container after a value of another
/// kind. So whatever is no object is refused here, before it reaches the encoder. A dictionary is
/// written together with the added members as one dictionary, because its keys are data, which a
/// keyed container with a key strategy would change.
final class RecordEncoder: Encoder {
  private enum State {
    case empty
    /// The record asked for a container with keys.
    case keyed
    /// Everything was written as one dictionary.
    case complete
  }

  private let base: any Encoder
  private let added: [(HitMember, any Encodable)]
  private var state = State.empty

  private init(base: any Encoder, added: [(HitMember, any Encodable)]) {
    self.base = base
    self.added = added
  }

  /// Encodes the members of a record, and then others, which win over those of the same name.
  ///
  /// - Throws: `EncodingError` for a record that is not encoded as an object.
  static func encode(
    _ record: some Encodable, with added: [(HitMember, any Encodable)], to encoder: any Encoder
  ) throws {
    let recordEncoder = RecordEncoder(base: encoder, added: added)
    try SingleValue(encoder: recordEncoder).encode(record)
    guard recordEncoder.state != .complete else { return }
    var container = encoder.container(keyedBy: HitMember.self)
    for (member, value) in added { try container.encode(value, forKey: member) }
  }

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    guard state != .complete else { return KeyedEncodingContainer(RefusedObject(encoder: self)) }
    state = .keyed
    return base.container(keyedBy: type)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusedList(encoder: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleValue(encoder: self) }

  /// Writes a dictionary and the added members.
  private func encode(_ members: [String: AnyEncodable]) throws {
    var members = members
    for (member, value) in added { members[member.rawValue] = AnyEncodable(value) }
    state = .complete
    var container = base.singleValueContainer()
    try container.encode(members)
  }

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
    func encode(_ value: some Encodable) throws {
      if encoder.state == .empty, let dictionary = value as? any EncodableMembers {
        try encoder.encode(dictionary.encodableMembers)
      } else {
        try value.encode(to: encoder)
      }
    }
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

/// A value of any type, encoded as that type is.
private struct AnyEncodable: Encodable {
  private let value: any Encodable

  init(_ value: any Encodable) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// A dictionary that becomes an object.
private protocol EncodableMembers {
  var encodableMembers: [String: AnyEncodable] { get }
}

extension Dictionary: EncodableMembers where Key == String, Value: Encodable {
  fileprivate var encodableMembers: [String: AnyEncodable] { mapValues { AnyEncodable($0) } }
}
