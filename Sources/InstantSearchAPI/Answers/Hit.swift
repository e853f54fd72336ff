import InstantSearchJSON

/// One search result: your record and what the engine tells about it.
///
/// ```swift
/// let page = try await client.search("movies", SearchQuery("titanic"), of: Hit<Movie>.self)
/// for hit in page.hits {
///   hit.objectID
///   hit.object.title         // or, shorter, hit.title
///   hit.highlighted("title") // the title with the matching words marked
/// }
/// ```
///
/// Record and metadata are read from the same JSON object with the same date and key strategies.
/// The record fails to decode when its own type refuses it or when there is no `objectID`.
/// Metadata of a shape other than the documented one is `nil` and never costs the record; of
/// highlights and snippets only the parts that cannot be read are left out, and those nested
/// deeper than 128.
///
/// Highlights, snippets, ranking information and places are read from the answer when they are
/// asked for, each time anew; ``highlighted(_:)`` and ``snippeted(_:)`` read no other attribute
/// than the one they are given, unless that lies inside another. For that a hit keeps the answer
/// it came in: its bytes, and about as much again. To keep single hits of large pages for long,
/// keep ``detached()`` ones, which are independent of it.
///
/// A property of the record is a property of the hit, whatever its name: what the answer says of
/// the hit's rank or score is in ``searchMetadata``. Only the names of this type itself come
/// before the record's: ``objectID``, ``object``, ``highlightResult``, ``snippetResult``,
/// ``rankingInfo``, ``geolocation``, ``searchMetadata`` and those of its methods. A record's
/// property of such a name is reached through ``object``.
@dynamicMemberLookup
public struct Hit<T: Decodable & Sendable>: Sendable, Geolocated {
  /// The record.
  public var object: T
  var metadata: HitMetadata

  /// Creates a hit; everything but the ID and the record is absent by default.
  public init(
    objectID: String,
    object: T,
    highlightResult: TreeModel<HighlightResult>? = nil,
    snippetResult: TreeModel<SnippetResult>? = nil,
    rankingInfo: RankingInfo? = nil,
    geolocation: SingleOrList<Point>? = nil,
    searchMetadata: SearchMetadata = SearchMetadata()
  ) {
    self.object = object
    metadata = HitMetadata(
      objectID: objectID, highlightResult: LazilyDecoded(highlightResult),
      snippetResult: LazilyDecoded(snippetResult), rankingInfo: LazilyDecoded(rankingInfo),
      geolocation: LazilyDecoded(geolocation), search: searchMetadata)
  }

  init(object: T, metadata: HitMetadata) {
    self.object = object
    self.metadata = metadata
  }

  /// A property of the record; ``object`` has those whose names the hit has itself.
  public subscript<Value>(dynamicMember keyPath: KeyPath<T, Value>) -> Value {
    object[keyPath: keyPath]
  }

  /// An attribute's value with the words that match the query marked.
  ///
  /// - Parameter attribute: The attribute; points lead into objects and lists, as in `author.name`
  ///   or `tags.0`. Of a list, or of any other branch, the value that matches best is given.
  /// - Returns: `nil` when the server sent no highlight for the attribute.
  public func highlighted(_ attribute: String) -> HighlightedString? {
    metadata.highlightResult.part(at: attribute)?.best?.value
  }

  /// The excerpt of an attribute's value with the words that match the query marked.
  ///
  /// - Parameter attribute: The attribute, as for ``highlighted(_:)``; of a list the first excerpt
  ///   that matches is given, or else the first.
  /// - Returns: `nil` when the server sent no snippet for the attribute.
  public func snippeted(_ attribute: String) -> HighlightedString? {
    guard let leaves = metadata.snippetResult.part(at: attribute)?.leaves else { return nil }
    return (leaves.first { $0.matchLevel != .none } ?? leaves.first)?.value
  }
}

extension Hit: Equatable where T: Equatable {}
extension Hit: Hashable where T: Hashable {}

extension Hit {
  /// The record's ID. An integer on the wire is accepted.
  public var objectID: String {
    get { metadata.objectID }
    set { metadata.objectID = newValue }
  }

  /// The record's attributes with the words that match the query marked, on the wire
  /// `_highlightResult`.
  public var highlightResult: TreeModel<HighlightResult>? {
    get { metadata.highlightResult.value }
    set { metadata.highlightResult = LazilyDecoded(newValue) }
  }

  /// Excerpts of the record's attributes around the words that match, on the wire `_snippetResult`.
  public var snippetResult: TreeModel<SnippetResult>? {
    get { metadata.snippetResult.value }
    set { metadata.snippetResult = LazilyDecoded(newValue) }
  }

  /// Why the hit stands where it stands, on the wire `_rankingInfo`.
  public var rankingInfo: RankingInfo? {
    get { metadata.rankingInfo.value }
    set { metadata.rankingInfo = LazilyDecoded(newValue) }
  }

  /// The record's place or places, on the wire `_geoloc`.
  public var geolocation: SingleOrList<Point>? {
    get { metadata.geolocation.value }
    set { metadata.geolocation = LazilyDecoded(newValue) }
  }

  /// What the answer says of the hit beside its record: rank, query, score and place in its group.
  public var searchMetadata: SearchMetadata {
    get { metadata.search }
    set { metadata.search = newValue }
  }

  /// The same hit, with everything read that would be read later, so that it does not keep the
  /// answer it came in.
  public func detached() -> Hit {
    var hit = self
    hit.highlightResult = highlightResult
    hit.snippetResult = snippetResult
    hit.rankingInfo = rankingInfo
    hit.geolocation = geolocation
    return hit
  }
}

/// What an answer says of a hit beside its record: its rank, its query, its score and its place in
/// its group.
///
/// These are apart from the hit, so that a record can have members of the same names:
///
/// ```swift
/// hit.searchMetadata.position  // the rank in the list
/// hit.position                 // the record's own, such as "goalkeeper"
/// ```
public struct SearchMetadata: Sendable, Hashable {
  /// The hit's rank in the whole result list, counted from 1; given by the page it came with, and
  /// saved with the hit as `__position`.
  public var position: Int?
  /// The ID of the query that found the hit, to be sent with click events; given by the page it
  /// came with, when the query asked for it with `clickAnalytics`, and saved with the hit as
  /// `__queryID`.
  public var queryID: String?
  /// How well a recommended record fits, 0 to 100, on the wire `_score`.
  public var score: Double?
  /// The hit's place among the hits of its group, on the wire `_distinctSeqID`.
  public var distinctSeqID: Int?

  /// Creates metadata; everything is absent by default.
  public init(
    position: Int? = nil, queryID: String? = nil, score: Double? = nil, distinctSeqID: Int? = nil
  ) {
    self.position = position
    self.queryID = queryID
    self.score = score
    self.distinctSeqID = distinctSeqID
  }
}

/// What a hit has beside its record, as far as it was not read yet.
///
/// Highlights, snippets, ranking information and places stay in the answer's document until they
/// are read: a page whose highlights nobody reads does not pay for them.
struct HitMetadata: Sendable {
  var objectID: String
  var highlightResult: LazilyDecoded<TreeModel<HighlightResult>> = .absent
  var snippetResult: LazilyDecoded<TreeModel<SnippetResult>> = .absent
  var rankingInfo: LazilyDecoded<RankingInfo> = .absent
  var geolocation: LazilyDecoded<SingleOrList<Point>> = .absent
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
  init(at index: Int, of source: HitSource) throws {
    let document = source.document
    let members = document.members(Self.keys, ofObjectAt: index)
    guard let id = members[Member.objectID] else {
      // Asked for again, for the error.
      let node = JSONNode(document: document, index: index)
      _ = try node.required(HitMember.objectID.rawValue)
      throw node.mismatch([String: Any].self)
    }
    objectID = try Self.objectID(at: id, of: document)
    highlightResult = LazilyDecoded(members[Member.highlightResult], of: source)
    snippetResult = LazilyDecoded(members[Member.snippetResult], of: source)
    rankingInfo = LazilyDecoded(members[Member.rankingInfo], of: source)
    geolocation = LazilyDecoded(members[Member.geolocation], of: source)
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
