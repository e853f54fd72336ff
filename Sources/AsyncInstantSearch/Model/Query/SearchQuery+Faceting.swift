// Facets.

extension SearchQuery {
  /// The facets whose values are counted; `*` stands for every declared one.
  ///
  /// Default: none. Per search only.
  public var facets: [String]? {
    get { self[.facets] }
    set { self[.facets] = newValue }
  }

  /// How many values of each facet are returned, up to 1,000.
  ///
  /// Default: 100. Also a setting.
  public var maxValuesPerFacet: Int? {
    get { self[.maxValuesPerFacet] }
    set { self[.maxValuesPerFacet] = newValue }
  }

  /// Whether values are counted after records of the same group were left out.
  ///
  /// Default: `false`. Per search only.
  public var facetingAfterDistinct: Bool? {
    get { self[.facetingAfterDistinct] }
    set { self[.facetingAfterDistinct] = newValue }
  }

  /// The order of a facet's values, which decides too which ones are returned.
  ///
  /// Default: `count`. Also a setting.
  public var sortFacetValuesBy: SortFacetValuesBy? {
    get { self[.sortFacetValuesBy] }
    set { self[.sortFacetValuesBy] = newValue }
  }
}
