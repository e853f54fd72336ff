/// A record of an index of query suggestions: a text that users search for.
///
/// Source: the record format of Algolia's Query Suggestions.
public struct QuerySuggestion: Codable, Sendable, Hashable {
  /// The text to search for.
  public var query: String
  /// How often users search for the text, relative to other suggestions. 0 if the record has none.
  public var popularity: Int

  /// Creates a suggestion.
  public init(query: String, popularity: Int = 0) {
    self.query = query
    self.popularity = popularity
  }

  private enum CodingKeys: String, CodingKey {
    case query, popularity
  }

  /// Creates a suggestion from a record of an index of query suggestions.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    query = try members.decode(String.self, forKey: .query)
    popularity = try members.decodeIfPresent(Int.self, forKey: .popularity) ?? 0
  }

  /// Returns the rest of the suggestion after a typed text, for example to display it in gray after
  /// the cursor.
  ///
  /// - Parameter text: The typed text. Capitals and small letters are equal.
  /// - Returns: The rest of ``query``; `nil` if it does not begin with the text.
  public func completion(of text: String) -> String? {
    var rest = query[...]
    for character in text {
      guard rest.first?.lowercased() == character.lowercased() else { return nil }
      rest.removeFirst()
    }
    return String(rest)
  }
}

extension Hit<QuerySuggestion> {
  /// The text with the matches marked. Without marks if the response has none.
  public var highlighted: HighlightedString {
    highlightResult?["query"]?.value?.value ?? HighlightedString(object.query)
  }
}
