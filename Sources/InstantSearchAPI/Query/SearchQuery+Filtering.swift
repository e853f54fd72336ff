// Attributes and filters.

extension SearchQuery {
  /// The attributes of each hit.
  ///
  /// `*` means all of them, and in combination with it `-name` excludes one. A path with dots
  /// reaches into objects. The `objectID` is always included. Default: `["*"]`. Also a setting.
  public var attributesToRetrieve: [String]? {
    get { self[.attributesToRetrieve] }
    set { self[.attributesToRetrieve] = newValue }
  }

  /// The searchable attributes to search, instead of all of them.
  ///
  /// Default: empty, which is all. Per search only.
  public var restrictSearchableAttributes: [String]? {
    get { self[.restrictSearchableAttributes] }
    set { self[.restrictSearchableAttributes] = newValue }
  }

  /// A filter expression.
  ///
  /// For example `brand:Apple AND (price < 500 OR discount > 0) AND NOT tag:used`.
  /// No default. Per search only.
  public var filters: String? {
    get { self[.filters] }
    set { self[.filters] = newValue }
  }

  /// Filters by facet value, each `attribute:value`, or `attribute:-value` for "not".
  ///
  /// No default. Per search only.
  public var facetFilters: NestedFilters? {
    get { self[.facetFilters] }
    set { self[.facetFilters] = newValue }
  }

  /// Filters that affect the ranking but exclude no records, each `attribute:value`.
  ///
  /// Attributes are facets; numbers cannot be compared. No default. Per search only.
  public var optionalFilters: NestedFilters? {
    get { self[.optionalFilters] }
    set { self[.optionalFilters] = newValue }
  }

  /// Filters by number, such as `price > 20` or `year:1990 TO 1999`, both ends included.
  ///
  /// No default. Per search only.
  public var numericFilters: NestedFilters? {
    get { self[.numericFilters] }
    set { self[.numericFilters] = newValue }
  }

  /// Filters by a value of `_tags`, or `-tag` for "not".
  ///
  /// No default. Per search only.
  public var tagFilters: NestedFilters? {
    get { self[.tagFilters] }
    set { self[.tagFilters] = newValue }
  }

  /// Whether the scores within an OR group are added up instead of using the highest.
  ///
  /// Default: `false`. Per search only.
  public var sumOrFiltersScores: Bool? {
    get { self[.sumOrFiltersScores] }
    set { self[.sumOrFiltersScores] = newValue }
  }
}

// Facets.

extension SearchQuery {
  /// The facets whose values are counted. `*` means every declared one.
  ///
  /// Default: none. Per search only.
  public var facets: [String]? {
    get { self[.facets] }
    set { self[.facets] = newValue }
  }

  /// The maximum number of values per facet, up to 1,000.
  ///
  /// Default: 100. Also a setting.
  public var maxValuesPerFacet: Int? {
    get { self[.maxValuesPerFacet] }
    set { self[.maxValuesPerFacet] = newValue }
  }

  /// Whether values are counted after records of the same group are removed.
  ///
  /// Default: `false`. Per search only.
  public var facetingAfterDistinct: Bool? {
    get { self[.facetingAfterDistinct] }
    set { self[.facetingAfterDistinct] = newValue }
  }

  /// The order of a facet's values, which also determines which ones are returned.
  ///
  /// Default: `count`. Also a setting.
  public var sortFacetValuesBy: SortFacetValuesBy? {
    get { self[.sortFacetValuesBy] }
    set { self[.sortFacetValuesBy] = newValue }
  }
}

// Places.

extension SearchQuery {
  /// The center of a search by distance, sent as `lat,lng`.
  ///
  /// Ignored when ``insideBoundingBox`` or ``insidePolygon`` is set.
  /// Default: none. Per search only.
  public var aroundLatLng: Point? {
    get { self[.aroundLatLng] }
    set { self[.aroundLatLng] = newValue }
  }

  /// Whether the center is the location of the caller's IP address.
  ///
  /// Default: `false`. Per search only.
  public var aroundLatLngViaIP: Bool? {
    get { self[.aroundLatLngViaIP] }
    set { self[.aroundLatLngViaIP] = newValue }
  }

  /// The maximum distance from the center, in meters.
  ///
  /// Default: chosen by the density of the records. Per search only.
  public var aroundRadius: AroundRadius? {
    get { self[.aroundRadius] }
    set { self[.aroundRadius] = newValue }
  }

  /// The minimum radius if it is chosen automatically, in meters.
  ///
  /// No default. Per search only.
  public var minimumAroundRadius: Int? {
    get { self[.minimumAroundRadius] }
    set { self[.minimumAroundRadius] = newValue }
  }

  /// The precision of distances, in meters.
  ///
  /// Default: 10. Per search only.
  public var aroundPrecision: AroundPrecision? {
    get { self[.aroundPrecision] }
    set { self[.aroundPrecision] = newValue }
  }

  /// Rectangles, at least one of which must contain the record. `.box(…)` converts a
  /// ``BoundingBox``.
  ///
  /// No default. Per search only.
  public var insideBoundingBox: Nullable<InsideBoundingBox>? {
    get { self[.insideBoundingBox] }
    set { self[.insideBoundingBox] = newValue }
  }

  /// Polygons, at least one of which must contain the record: latitude, longitude … in degrees.
  ///
  /// Each has 3 to 10,000 points. Ignored when ``insideBoundingBox`` is set.
  /// No default. Per search only.
  public var insidePolygon: [[Double]]? {
    get { self[.insidePolygon] }
    set { self[.insidePolygon] = newValue }
  }
}

// Pages.

extension SearchQuery {
  /// The page of hits, counted from 0.
  ///
  /// Default: 0. Per search only.
  public var page: Int? {
    get { self[.page] }
    set { self[.page] = newValue }
  }

  /// The number of hits on a page, up to 1,000. 0 requests only the counts.
  ///
  /// Default: 20. Also a setting.
  public var hitsPerPage: Int? {
    get { self[.hitsPerPage] }
    set { self[.hitsPerPage] = newValue }
  }

  /// The index of the first hit, counted from 0. It overrides ``page``.
  ///
  /// No default. Per search only.
  public var offset: Int? {
    get { self[.offset] }
    set { self[.offset] = newValue }
  }

  /// The number of hits from ``offset`` on, up to 1,000. Ignored without an offset.
  ///
  /// No default. Per search only.
  public var length: Int? {
    get { self[.length] }
    set { self[.length] = newValue }
  }
}

extension SearchQuery {
  /// Returns the query with additional filters, which a record must match as well.
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
