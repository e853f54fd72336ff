/// One index of a search of several indices: its name, its hits and its filters.
public struct IndexModule: Sendable {
  /// The name of the index.
  public let indexName: String
  /// The interactor, which makes a list of the hits.
  public let hitsInteractor: any AnyHitsInteractor
  /// The filter state of the index's searches, if any.
  public let filterState: FilterState?

  /// Creates a module.
  ///
  /// - Parameters:
  ///   - indexName: The name of the index.
  ///   - hitsInteractor: The interactor, which makes a list of the hits.
  ///   - filterState: The filter state of the index's searches. Defaults to `nil`.
  public init(
    indexName: String, hitsInteractor: any AnyHitsInteractor, filterState: FilterState? = nil
  ) {
    self.indexName = indexName
    self.hitsInteractor = hitsInteractor
    self.filterState = filterState
  }

  /// Creates a module with an interactor for records of a type.
  ///
  /// - Parameters:
  ///   - indexName: The name of the index.
  ///   - type: The type of the records: `Hit<T>`, `T` or `JSON`.
  ///   - infiniteScrolling: Whether presented rows load the pages around them. Defaults to the
  ///     pages of the 10 rows before and after.
  ///   - showItemsOnEmptyQuery: Whether there are rows while the query has no text. Defaults to
  ///     `true`.
  ///   - filterState: The filter state of the index's searches. Defaults to `nil`.
  public init<Record: Decodable & Sendable>(
    indexName: String, of type: Record.Type,
    infiniteScrolling: InfiniteScrolling = .on(withOffset: 10),
    showItemsOnEmptyQuery: Bool = true,
    filterState: FilterState? = nil
  ) {
    self.init(
      indexName: indexName,
      hitsInteractor: HitsInteractor<Record>(
        infiniteScrolling: infiniteScrolling, showItemsOnEmptyQuery: showItemsOnEmptyQuery),
      filterState: filterState)
  }

  /// Creates a module for an index of query suggestions.
  ///
  /// - Parameters:
  ///   - suggestionsIndexName: The name of the index.
  ///   - hitsInteractor: The interactor, which makes a list of the suggestions. Defaults to one
  ///     that shows the first page, also while the query is empty.
  ///   - filterState: The filter state of the index's searches. Defaults to `nil`.
  public init(
    suggestionsIndexName: String,
    hitsInteractor: HitsInteractor<Hit<QuerySuggestion>> = HitsInteractor(infiniteScrolling: .off),
    filterState: FilterState? = nil
  ) {
    self.init(
      indexName: suggestionsIndexName, hitsInteractor: hitsInteractor, filterState: filterState)
  }
}

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

  /// Returns what a user who typed a text would have to add to it, for example to display it in
  /// gray after the cursor.
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
