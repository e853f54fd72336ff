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

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - indexName: The index to search.
  ///   - query: The search parameters; by default none, which matches every record.
  ///   - type: What each hit is read as: ``Hit`` of your type, your type itself, or ``JSON``.
  public init(
    _ indexName: String, _ query: SearchQuery = SearchQuery(), of type: Record.Type = Record.self
  ) {
    self.indexName = indexName
    self.query = query
  }
}
