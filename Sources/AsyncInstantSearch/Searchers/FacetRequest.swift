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
  var sentContext: SearchQuery {
    context.filtered(by: filterGroups.withoutAlternatives(on: attribute).text)
  }
}

extension SearchClient {
  /// Searches the values of a facet.
  @concurrent
  public func searchFacetValues(
    _ request: FacetRequest, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> FacetValuesPage {
    try await searchFacetValues(
      of: request.attribute.rawValue, matching: request.facetQuery, in: request.indexName,
      context: request.sentContext, maxFacetHits: request.maxFacetHits, options: options)
  }
}
