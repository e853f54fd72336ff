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
  package var sentQuery: SearchQuery {
    filterGroups.isEmpty ? query : query.filtered(by: filterGroups.text)
  }

  /// The same request with its hits read as another type.
  package func reading<Other>(_ type: Other.Type) -> SearchRequest<Other> {
    SearchRequest<Other>(indexName, query, filterGroups: filterGroups)
  }
}

extension SearchQuery {
  /// The query with more filters, all of which a record must fulfil as well.
  ///
  /// No parentheses are needed, because OR binds tighter than AND in the contract's grammar.
  package func filtered(by text: String?) -> SearchQuery {
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

/// A search for values of a facet, for example the countries that begin with "it".
public struct FacetRequest: Sendable, Hashable {
  /// The index to search.
  public var indexName: String
  /// The facet; it must be declared `searchable(…)` in the index's settings.
  public var attribute: Attribute
  /// The beginning of the values' words; empty gives the most frequent values.
  public var facetQuery: String
  /// A query, with its filters, to which the counted records must belong.
  public var context: SearchQuery
  /// Filters that are sent together with the context's own. Alternatives on the facet itself do not
  /// count, because the values found are further alternatives.
  public var filterGroups: FilterGroups
  /// How many values to return, 1 to 100; `nil` leaves it to the server, which returns 10.
  public var maxFacetHits: Int?

  /// Creates a request; everything but the index and the facet is absent by default.
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

  /// The context as it is sent: its own filters and those of ``filterGroups``.
  package var sentContext: SearchQuery {
    context.filtered(by: filterGroups.removingDisjunction(on: attribute).text)
  }
}

/// How the queries of one multi-query request are run.
public struct MultiQueryStrategy: RawRepresentable, Sendable, Hashable, Codable {
  /// The value on the wire.
  public var rawValue: String

  /// Creates a strategy from its value on the wire.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Runs every query; the default.
  public static let none = MultiQueryStrategy(rawValue: "none")

  /// Runs the queries in order and stops once one has at least `hitsPerPage` matches. The pages of
  /// the queries that were not run are empty and say `processed == false`.
  public static let stopIfEnoughMatches = MultiQueryStrategy(rawValue: "stopIfEnoughMatches")
}
