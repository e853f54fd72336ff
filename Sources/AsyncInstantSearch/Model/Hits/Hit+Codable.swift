package import InstantSearchJSON

/// The members of a hit that are not, or not only, the record's.
enum HitMember: String, JSONVerbatimKey, CaseIterable {
  case objectID
  case highlightResult = "_highlightResult"
  case snippetResult = "_snippetResult"
  case rankingInfo = "_rankingInfo"
  case geolocation = "_geoloc"
  case distinctSeqID = "_distinctSeqID"
  case score = "_score"
  // Not on the wire: what the page told, when a hit is saved.
  case position = "__position"
  case queryID = "__queryID"

  static let names = DocumentedNames(allCases.map(\.rawValue))
}

extension Hit: Decodable {
  /// Reads the record and the metadata from one object.
  ///
  /// Position and query ID are there when a saved hit is read; otherwise they stay `nil` until a
  /// page gives them.
  public init(from decoder: any Decoder) throws {
    if let place = DecodingSession.place(of: decoder) {
      try self.init(at: place.index, in: place.session, depth: place.depth)
      return
    }
    let members = try HitMembers(decoder)
    self.init(
      objectID: try members.objectID,
      // Through the single-value container a dictionary's keys are data for any key strategy.
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

/// The metadata of a hit, as any decoder reads it.
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

  /// A member; `nil` when it is missing or cannot be read.
  subscript<Value: Decodable>(member: HitMember) -> Value? {
    keys[member.rawValue].flatMap { try? container.decodeIfPresent(Value.self, forKey: $0) }
  }

  /// The parts of a tree that can be read; `nil` when it is no object.
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
      of: HitAnswer(document: session.document, tags: .standard), position: nil, queryID: nil)
  }

  init(
    at index: Int, in session: DecodingSession, depth: Int, of answer: HitAnswer, position: Int?,
    queryID: String?
  ) throws {
    object = try session.value(T.self, at: index, depth: depth)
    metadata = try HitMetadata(at: index, of: answer)
    let isSaved = metadata.search.position != nil || metadata.search.queryID != nil
    stamp(position: position, queryID: queryID)
    if isSaved { removeSavedMembers() }
  }

  /// Takes what only saving has added out of a record that holds whatever members there are.
  private mutating func removeSavedMembers() {
    guard var record = object as? any OpenRecord else { return }
    record.remove(HitMember.position.rawValue)
    record.remove(HitMember.queryID.rawValue)
    if let record = record as? T { object = record }
  }
}

extension Hit: Encodable where T: Encodable {
  /// Writes the record with the metadata among its members; where both have a member, the hit's own
  /// is written.
  ///
  /// Position and query ID are saved as `__position` and `__queryID`, the names that InstantSearch
  /// gives them on the web. Fails for a record that is not encoded as an object.
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

/// A record that holds whatever members the text has.
private protocol OpenRecord {
  mutating func remove(_ member: String)
}

extension JSON: OpenRecord {
  fileprivate mutating func remove(_ member: String) { self[member] = nil }
}

extension Dictionary: OpenRecord where Key == String {
  fileprivate mutating func remove(_ member: String) { self[member] = nil }
}
