// Attributes and filters.

extension SearchQuery {
  /// The attributes that each hit contains.
  ///
  /// `*` stands for all of them, and next to it `-name` leaves one out; a path with dots reaches
  /// into objects. The `objectID` is always there. Default: `["*"]`. Also a setting.
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

  /// Filters that rank records and rule none out, each `attribute:value`.
  ///
  /// Attributes are facets; numbers cannot be compared.
  /// No default. Per search only.
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

  /// Whether the scores within an OR group are added up instead of taking the highest.
  ///
  /// Default: `false`. Per search only.
  public var sumOrFiltersScores: Bool? {
    get { self[.sumOrFiltersScores] }
    set { self[.sumOrFiltersScores] = newValue }
  }
}
