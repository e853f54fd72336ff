package import InstantSearchJSON

/// The members of a hit that are not exclusively the record's.
enum HitMember: String, JSONVerbatimKey, CaseIterable {
  case objectID
  case highlightResult = "_highlightResult"
  case snippetResult = "_snippetResult"
  case rankingInfo = "_rankingInfo"
  case geolocation = "_geoloc"
  case distinctSeqID = "_distinctSeqID"
  case score = "_score"
  // Not on the wire: the page's values in a saved hit.
  case position = "__position"
  case queryID = "__queryID"

  static let names = DocumentedNames(allCases.map(\.rawValue))
}

extension Hit: Decodable {
  /// Reads the record and the metadata from one object.
  ///
  /// Position and query ID exist only in a saved hit. Otherwise they are `nil` until a page sets
  /// them.
  public init(from decoder: any Decoder) throws {
    if let location = DecodingSession.location(of: decoder) {
      try self.init(at: location.index, in: location.session, depth: location.depth)
      return
    }
    let members = try HitMembers(decoder)
    self.init(
      objectID: try members.objectID,
      // The single-value container keeps a dictionary's keys, regardless of the key strategy.
      object: try decoder.singleValueContainer().decode(T.self),
      highlightResult: members.tree(.highlightResult),
      snippetResult: members.tree(.snippetResult),
      rankingInfo: members[.rankingInfo],
      geolocation: members[.geolocation],
      searchMetadata: SearchMetadata(
        position: members[.position], queryID: members[.queryID], score: members[.score],
        distinctSeqID: members[.distinctSeqID]))
    if searchMetadata.position != nil || searchMetadata.queryID != nil { removeSavedMembers() }
  }
}

/// The metadata of a hit, as read by any decoder.
struct HitMembers {
  private let container: KeyedDecodingContainer<AnyKey>
  private let keys: [String: AnyKey]

  init(_ decoder: any Decoder) throws {
    container = try decoder.container(keyedBy: AnyKey.self)
    keys = container.keys(of: HitMember.names)
  }

  /// The record's ID.
  var objectID: String {
    get throws {
      if let number: Int64 = self[.objectID] { return String(number) }
      let name = HitMember.objectID.rawValue
      return try container.decode(String.self, forKey: keys[name] ?? AnyKey(name))
    }
  }

  /// A member; `nil` if it is missing or cannot be read.
  subscript<Value: Decodable>(member: HitMember) -> Value? {
    keys[member.rawValue].flatMap { try? container.decodeIfPresent(Value.self, forKey: $0) }
  }

  /// The parts of a tree that can be read; `nil` if it is not an object.
  func tree<Value: Decodable>(_ member: HitMember) -> TreeModel<Value>? {
    guard let tree: TolerantTree<Value> = self[member], tree.isObject else { return nil }
    return tree.tree
  }
}

extension Hit: JSONNodeDecodable {
  /// Reads the record and the metadata from one object.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(
      at: node.index, in: DecodingSession(document: node.document, options: options), depth: 0)
  }

  /// Reads the record and the metadata from one object.
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    try self.init(
      at: index, in: session, depth: depth,
      of: HitSource(document: session.document, tags: .standard), position: nil, queryID: nil)
  }

  init(
    at index: Int, in session: DecodingSession, depth: Int, of source: HitSource, position: Int?,
    queryID: String?
  ) throws {
    object = try session.value(T.self, at: index, depth: depth)
    metadata = try HitMetadata(at: index, of: source)
    let isSaved = metadata.search.position != nil || metadata.search.queryID != nil
    setContext(position: position, queryID: queryID)
    if isSaved { removeSavedMembers() }
  }

  /// Removes the members that only saving added, from a record that contains all members.
  private mutating func removeSavedMembers() {
    guard var record = object as? any OpenRecord else { return }
    record.remove(HitMember.position.rawValue)
    record.remove(HitMember.queryID.rawValue)
    if let record = record as? T { object = record }
  }
}

extension Hit: Encodable where T: Encodable {
  /// Writes the record with the metadata among its members. If both have a member, the hit's own
  /// is written.
  ///
  /// Position and query ID are saved as `__position` and `__queryID`, the names that InstantSearch
  /// uses on the web. Fails for a record that is not encoded as an object.
  public func encode(to encoder: any Encoder) throws {
    let metadata: [(HitMember, (any Encodable)?)] = [
      (.objectID, objectID), (.highlightResult, highlightResult), (.snippetResult, snippetResult),
      (.rankingInfo, rankingInfo), (.geolocation, geolocation),
      (.distinctSeqID, searchMetadata.distinctSeqID), (.score, searchMetadata.score),
      (.position, searchMetadata.position), (.queryID, searchMetadata.queryID),
    ]
    try RecordEncoder.encode(
      object, with: metadata.compactMap { member, value in value.map { (member, $0) } }, to: encoder
    )
  }
}

/// A record that contains all members of its object.
private protocol OpenRecord {
  mutating func remove(_ member: String)
}

extension JSON: OpenRecord {
  fileprivate mutating func remove(_ member: String) { self[member] = nil }
}

extension Dictionary: OpenRecord where Key == String {
  fileprivate mutating func remove(_ member: String) { self[member] = nil }
}

/// A record that receives its rank and its query from the page.
protocol ContextualRecord: JSONNodeDecodable, Sendable {
  /// Reads a record. It receives the position and query ID unless it was saved with its own.
  init(
    at index: Int, in session: DecodingSession, depth: Int, of source: HitSource, position: Int?,
    queryID: String?) throws
  /// Sets the position and query ID, unless the record was saved with its own.
  mutating func setContext(position: Int?, queryID: String?)
  /// Sets the tags of the highlights.
  mutating func setTags(_ tags: HighlightedString.Tags)
}

extension Hit: ContextualRecord {
  mutating func setContext(position: Int?, queryID: String?) {
    metadata.search.position = metadata.search.position ?? position
    metadata.search.queryID = metadata.search.queryID ?? queryID
  }

  mutating func setTags(_ tags: HighlightedString.Tags) {
    guard tags != .standard else { return }
    highlightResult = highlightResult?.mapValues { $0.tagged(tags) }
    snippetResult = snippetResult?.mapValues { $0.tagged(tags) }
  }
}

extension HighlightLeaf {
  /// Returns the tree with other tags.
  fileprivate func tagged(_ tags: HighlightedString.Tags) -> Self {
    var leaf = self
    leaf.value.tags = tags
    return leaf
  }
}

/// Encodes a record so that more members can be added to it.
///
/// An encoder may trap if a keyed container is requested after a value of another kind. A record
/// that is not an object is therefore rejected here, before it reaches the encoder. A dictionary
/// is written together with the added members as one dictionary, because its keys are data that a
/// keyed container with a key strategy would change.
final class RecordEncoder: Encoder {
  private enum State {
    case empty
    /// The record requested a keyed container.
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

  /// Encodes the members of a record, and then added members, which override members of the same
  /// name.
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

  /// Rejects scalars. Any other value may be an object.
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

  /// Rejects every element of a list.
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

  /// Rejects every member of an object that is an element of a list.
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

/// A type-erased encodable value.
private struct AnyEncodable: Encodable {
  private let value: any Encodable

  init(_ value: any Encodable) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// A dictionary that is encoded as an object.
private protocol EncodableMembers {
  var encodableMembers: [String: AnyEncodable] { get }
}

extension Dictionary: EncodableMembers where Key == String, Value: Encodable {
  fileprivate var encodableMembers: [String: AnyEncodable] { mapValues { AnyEncodable($0) } }
}
