/// A record of a suggestions index: a text that people search for.
///
/// Source: the record format of Algolia's Query Suggestions.
public struct QuerySuggestion: Codable, Sendable, Hashable {
  /// The text to search for.
  public var query: String
  /// How often it is searched for, compared with others; 0 where the record does not tell.
  public var popularity: Int

  /// Creates a suggestion.
  public init(query: String, popularity: Int = 0) {
    self.query = query
    self.popularity = popularity
  }

  private enum CodingKeys: String, CodingKey {
    case query, popularity
  }

  /// Reads a record of a suggestions index.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    query = try members.decode(String.self, forKey: .query)
    popularity = try members.decodeIfPresent(Int.self, forKey: .popularity) ?? 0
  }
}

extension Hit<QuerySuggestion> {
  /// The text with what matched marked; without marks when the answer has none.
  public var highlighted: HighlightedString {
    highlightResult?["query"]?.value?.value ?? HighlightedString(object.query)
  }
}
