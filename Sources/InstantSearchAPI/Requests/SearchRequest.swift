/// A search of one index, with the type of its hits.
///
/// ```swift
/// let request = SearchRequest("movies", SearchQuery("tom"), of: Hit<Movie>.self)
/// ```
public struct SearchRequest<Record: Decodable & Sendable>: Sendable, Hashable {
  /// The index to search.
  public var indexName: String
  /// The search parameters.
  public var query: SearchQuery
  /// Filters in addition to the query's own. A record must match both. They are sent as
  /// `facetFilters`, `numericFilters` and `tagFilters`, or in `filters` if these cannot express
  /// them.
  public var filterGroups: FilterGroups

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - indexName: The index to search.
  ///   - query: The search parameters. Defaults to none, which matches every record.
  ///   - type: The type of each hit: ``Hit`` of your type, your type itself, or ``JSON``.
  ///   - filterGroups: Filters in addition to the query's own. Defaults to none.
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

  /// The query as it is sent, with its own filters and ``filterGroups``.
  package var sentQuery: SearchQuery {
    filterGroups.isEmpty ? query : FilterLists(filterGroups).filter(query)
  }

  /// Returns the same request with another type of hits.
  package func reading<Other>(_ type: Other.Type) -> SearchRequest<Other> {
    SearchRequest<Other>(indexName, query, filterGroups: filterGroups)
  }
}

/// A search for values of a facet, such as the countries that begin with "it".
public struct FacetRequest: Sendable, Hashable {
  /// The index to search.
  public var indexName: String
  /// The facet, which must be declared `searchable(…)` in the index's settings.
  public var attribute: Attribute
  /// A prefix of the values' words. If empty, the most frequent values are returned.
  public var facetQuery: String
  /// A query, with its filters, that limits the counted records.
  public var context: SearchQuery
  /// Filters that are sent together with the context's own. A disjunction on the facet itself is
  /// ignored, because the values found would extend it.
  public var filterGroups: FilterGroups
  /// The number of values to return, 1 to 100; `nil` leaves it to the server, which returns 10.
  public var maxFacetHits: Int?

  /// Creates a request. Everything except the index and the facet is absent by default.
  public init(
    _ indexName: String,
    attribute: Attribute,
    facetQuery: String = "",
    context: SearchQuery = SearchQuery(),
    filterGroups: FilterGroups = FilterGroups(),
    maxFacetHits: Int? = nil
  ) {
    self.indexName = indexName
    self.attribute = attribute
    self.facetQuery = facetQuery
    self.context = context
    self.filterGroups = filterGroups
    self.maxFacetHits = maxFacetHits
  }

  /// The context as it is sent, with its own filters and ``filterGroups``.
  package var sentContext: SearchQuery {
    FilterLists(filterGroups.removingDisjunction(on: attribute)).filter(context)
  }
}

extension SearchQuery {
  /// The members of a query of a multi-query request that are not search parameters.
  package static let multiQueryMembers: Set<String> = [
    "indexName", "type", "facet", "facetQuery", "maxFacetHits", "extensions",
  ]
}

/// The strategy for the queries of one multi-query request.
public struct MultiQueryStrategy: RawRepresentable, Sendable, Hashable, Codable {
  /// The value on the wire.
  public var rawValue: String

  /// Creates a strategy from its value on the wire.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Runs every query; the default.
  public static let none = MultiQueryStrategy(rawValue: "none")

  /// Runs the queries in order and stops after one with at least `hitsPerPage` matches. The pages
  /// of the queries that did not run are empty and have `processed == false`.
  public static let stopIfEnoughMatches = MultiQueryStrategy(rawValue: "stopIfEnoughMatches")
}
