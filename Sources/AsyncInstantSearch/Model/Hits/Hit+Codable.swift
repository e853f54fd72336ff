package import SearchJSON

/// The members of a hit that are not, or not only, the record's.
enum HitMember: String, CodingKey, CaseIterable {
  case objectID
  case highlightResult = "_highlightResult"
  case snippetResult = "_snippetResult"
  case rankingInfo = "_rankingInfo"
  case geolocation = "_geoloc"
  case distinctSeqID = "_distinctSeqID"
  case score = "_score"
}

extension Hit: Decodable {
  /// Reads the record and the metadata from one object.
  ///
  /// ``position`` and ``queryID`` are not part of it; they stay `nil` until a page gives them.
  public init(from decoder: any Decoder) throws {
    if let current = JSONNode.current(of: decoder) {
      try self.init(node: current.node, options: current.options)
      return
    }
    let container = try decoder.container(keyedBy: HitMember.self)
    func metadata<Value: Decodable>(_ key: HitMember) -> Value? {
      try? container.decodeIfPresent(Value.self, forKey: key)
    }
    let objectID: String
    if let number = try? container.decode(Int64.self, forKey: .objectID) {
      objectID = String(number)
    } else {
      objectID = try container.decode(String.self, forKey: .objectID)
    }
    self.init(
      objectID: objectID,
      object: try T(from: decoder),
      highlightResult: metadata(.highlightResult),
      snippetResult: metadata(.snippetResult),
      rankingInfo: metadata(.rankingInfo),
      geolocation: metadata(.geolocation),
      distinctSeqID: metadata(.distinctSeqID),
      score: metadata(.score))
  }
}

extension Hit: JSONNodeDecodable {
  /// Reads the record and the metadata from one object.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    self.init(
      objectID: try Self.objectID(node.required(HitMember.objectID.rawValue)),
      object: try JSONValueDecoder(options: options).decode(T.self, from: node))
    for member in node.members {
      if member.hasKey(HitMember.highlightResult.rawValue) {
        highlightResult = try? TreeModel(leavesOf: member.value, options: options)
      } else if member.hasKey(HitMember.snippetResult.rawValue) {
        snippetResult = try? TreeModel(leavesOf: member.value, options: options)
      } else if member.hasKey(HitMember.rankingInfo.rawValue) {
        rankingInfo = try? RankingInfo(node: member.value, options: options)
      } else if member.hasKey(HitMember.geolocation.rawValue) {
        geolocation = try? SingleOrList(node: member.value, options: options)
      } else if member.hasKey(HitMember.distinctSeqID.rawValue) {
        distinctSeqID = member.value.int
      } else if member.hasKey(HitMember.score.rawValue) {
        score = member.value.double
      }
    }
  }

  private static func objectID(_ node: JSONNode) throws -> String {
    if let number = node.int64 { return String(number) }
    guard let text = node.string else { throw node.mismatch(String.self) }
    return text
  }
}

extension Hit: Encodable where T: Encodable {
  /// Writes the record with the metadata among its members; where both have a member, the hit's own
  /// is written.
  ///
  /// Fails for a record that is not encoded as an object.
  public func encode(to encoder: any Encoder) throws {
    try RecordEncoder.encode(object, to: encoder)
    var container = encoder.container(keyedBy: HitMember.self)
    try container.encode(objectID, forKey: .objectID)
    try container.encodeIfPresent(highlightResult, forKey: .highlightResult)
    try container.encodeIfPresent(snippetResult, forKey: .snippetResult)
    try container.encodeIfPresent(rankingInfo, forKey: .rankingInfo)
    try container.encodeIfPresent(geolocation, forKey: .geolocation)
    try container.encodeIfPresent(distinctSeqID, forKey: .distinctSeqID)
    try container.encodeIfPresent(score, forKey: .score)
  }
}
