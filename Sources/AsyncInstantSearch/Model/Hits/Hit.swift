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
/// The record fails to decode when its own type refuses it or when there is no `objectID`. Metadata
/// of a shape other than the documented one is `nil` and never costs the record; of highlights and
/// snippets only the parts that cannot be read are left out, and those nested deeper than 128.
///
/// Highlights, snippets, ranking information and places are read from the answer when they are
/// asked for, each time anew; ``highlighted(_:)`` and ``snippeted(_:)`` read no other attribute
/// than the one they are given, unless that lies inside another. For that a hit keeps the answer it
/// came in: its bytes, and about as much again. To keep single hits of large pages for long, keep
/// ``detached()`` ones, which are independent of it.
///
/// A property of the record is a property of the hit, whatever its name: what the answer says of
/// the hit's rank or score is in ``searchMetadata``. Only the names of this type itself come before
/// the record's: ``objectID``, ``object``, ``highlightResult``, ``snippetResult``, ``rankingInfo``,
/// ``geolocation``, ``searchMetadata`` and those of its methods. A record's property of such a name
/// is reached through ``object``.
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
      objectID: objectID, highlightResult: ReadLater(highlightResult),
      snippetResult: ReadLater(snippetResult), rankingInfo: ReadLater(rankingInfo),
      geolocation: ReadLater(geolocation), search: searchMetadata)
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
