import InstantSearchJSON

/// What a hit has beside its record, as far as it was not read yet.
///
/// Highlights, snippets, ranking information and places stay in the answer's document until they
/// are read: a page whose highlights nobody reads does not pay for them.
struct HitMetadata: Sendable {
  var objectID: String
  var highlightResult: ReadLater<TreeModel<HighlightResult>> = .absent
  var snippetResult: ReadLater<TreeModel<SnippetResult>> = .absent
  var rankingInfo: ReadLater<RankingInfo> = .absent
  var geolocation: ReadLater<SingleOrList<Point>> = .absent
  var search = SearchMetadata()
}

extension HitMetadata: Hashable {}

extension HitMetadata {
  private enum Member: Int {
    case objectID, highlightResult, snippetResult, rankingInfo, geolocation, distinctSeqID, score
    case position, queryID
  }

  private static let keys = JSONKeys([
    Member.objectID: HitMember.objectID.rawValue,
    .highlightResult: HitMember.highlightResult.rawValue,
    .snippetResult: HitMember.snippetResult.rawValue,
    .rankingInfo: HitMember.rankingInfo.rawValue,
    .geolocation: HitMember.geolocation.rawValue,
    .distinctSeqID: HitMember.distinctSeqID.rawValue,
    .score: HitMember.score.rawValue,
    .position: HitMember.position.rawValue,
    .queryID: HitMember.queryID.rawValue,
  ])

  /// Reads the metadata among the members of a hit.
  ///
  /// - Throws: `DecodingError` for what is no object, or has no ID.
  init(at index: Int, of answer: HitAnswer) throws {
    let document = answer.document
    let members = document.members(Self.keys, ofObjectAt: index)
    guard let id = members[Member.objectID] else {
      // Asked for again, for the error.
      let node = JSONNode(document: document, index: index)
      _ = try node.required(HitMember.objectID.rawValue)
      throw node.mismatch([String: Any].self)
    }
    objectID = try Self.objectID(at: id, of: document)
    highlightResult = ReadLater(members[Member.highlightResult], of: answer)
    snippetResult = ReadLater(members[Member.snippetResult], of: answer)
    rankingInfo = ReadLater(members[Member.rankingInfo], of: answer)
    geolocation = ReadLater(members[Member.geolocation], of: answer)
    search.distinctSeqID = members[Member.distinctSeqID].flatMap(document.int(at:))
    search.score = members[Member.score].flatMap(document.double(at:))
    search.position = members[Member.position].flatMap(document.int(at:))
    search.queryID = members[Member.queryID].flatMap(document.string(at:))
  }

  private static func objectID(at index: Int, of document: JSONDocument) throws -> String {
    if let text = document.string(at: index) { return text }
    guard let number = document.int64(at: index) else {
      throw JSONNode(document: document, index: index).mismatch(String.self)
    }
    return String(number)
  }
}
