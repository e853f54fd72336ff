/// A search of one index, together with the type its hits are read as.
///
/// ```swift
/// let request = SearchRequest("movies", SearchQuery("tom"), of: Hit<Movie>.self)
/// ```
public struct SearchRequest<Record: Decodable & Sendable>: Sendable, Hashable {
  /// The index to search.
  public var indexName: String
  /// The search parameters.
  public var query: SearchQuery
  /// Filters that are sent together with the query's own `filters`: a record must fulfil both.
  public var filterGroups: FilterGroups

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - indexName: The index to search.
  ///   - query: The search parameters; by default none, which matches every record.
  ///   - type: What each hit is read as: ``Hit`` of your type, your type itself, or ``JSON``.
  ///   - filterGroups: Filters beside the query's own; none by default.
  public init(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type = Record.self,
    filterGroups: FilterGroups = FilterGroups()
  ) {
    self.indexName = indexName
    self.query = query
    self.filterGroups = filterGroups
  }

  /// The query as it is sent: its own filters and those of ``filterGroups``.
  var sentQuery: SearchQuery {
    filterGroups.isEmpty ? query : query.filtered(by: filterGroups.text)
  }

  /// The same request with its hits read as another type.
  func reading<Other>(_ type: Other.Type) -> SearchRequest<Other> {
    SearchRequest<Other>(indexName, query, filterGroups: filterGroups)
  }
}

extension SearchQuery {
  /// The query with more filters, all of which a record must fulfil as well.
  ///
  /// No parentheses are needed, because OR binds tighter than AND in the contract's grammar.
  func filtered(by text: String?) -> SearchQuery {
    guard let text else { return self }
    var query = self
    query.adoptAdditional(.filters)
    if let own = query.filters, own.contains(where: { !$0.isWhitespace }) {
      query.filters = own + " AND " + text
    } else {
      query.filters = text
    }
    return query
  }
}
