/// One index of several that are searched together: its name, its hits and its filters.
public struct IndexModule: Sendable {
  /// The index.
  public let indexName: String
  /// Makes a list of its hits.
  public let hitsInteractor: any AnyHitsInteractor
  /// Filters its searches, if there is one.
  public let filterState: FilterState?

  /// Creates a module.
  ///
  /// - Parameters:
  ///   - indexName: the index.
  ///   - hitsInteractor: makes a list of its hits.
  ///   - filterState: filters its searches; `nil` by default.
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
  ///   - indexName: the index.
  ///   - type: the type of the records: `Hit<T>`, `T` or `JSON`.
  ///   - infiniteScrolling: whether presented rows load the pages around them; by default those of
  ///     the 10 rows before and after.
  ///   - showItemsOnEmptyQuery: whether there are rows while the query has no text; `true` by
  ///     default.
  ///   - filterState: filters the searches; `nil` by default.
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

  /// Creates a module of an index of query suggestions.
  ///
  /// - Parameters:
  ///   - suggestionsIndexName: the index.
  ///   - hitsInteractor: makes a list of the suggestions; by default one that shows the first page,
  ///     while the query is empty too.
  ///   - filterState: filters the suggestions; `nil` by default.
  public init(
    suggestionsIndexName: String,
    hitsInteractor: HitsInteractor<Hit<QuerySuggestion>> = HitsInteractor(infiniteScrolling: .off),
    filterState: FilterState? = nil
  ) {
    self.init(
      indexName: suggestionsIndexName, hitsInteractor: hitsInteractor, filterState: filterState)
  }
}

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
