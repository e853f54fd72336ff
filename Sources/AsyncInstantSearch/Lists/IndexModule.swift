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
