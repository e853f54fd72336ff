/// One search with checked parameters, the settings that they do not override, and parsed filters.
struct ResolvedSearch: Sendable {
  /// The name of the index in the response.
  let indexName: String
  /// The parameters of the query.
  let query: SearchQuery
  /// The settings of the index.
  let settings: IndexSettings
  /// All filters.
  let filters: FilterSet
  /// The numeric attributes that can be filtered by, or `nil` for all.
  let numbers: [String: NumericDeclaration]?
  /// The geographic condition, or `nil`.
  let geo: GeoSearch?
  /// The requested range of hits.
  private(set) var pagination: Pagination
  /// The number of hits that paging can reach.
  let paginationLimit: Int
  /// The number of members that a group keeps, or 0 without grouping.
  let hitsPerGroup: Int
  /// The facets to count.
  let facets: [FacetCountRequest]
  /// The number of returned values of a facet.
  let maxValuesPerFacet: Int
  /// The order of facet values.
  let facetOrder: SortFacetValuesBy
  /// The top-level members of the response.
  let responseFields: ResponseFields
  /// The language of places to search and to return, or `nil` for all.
  var placeLanguage: PlaceLanguage?

  /// Checks the parameters, and resolves them with the settings.
  ///
  /// - Parameter isPagingLimited: Whether `paginationLimitedTo` applies. Browsing ignores it.
  init(
    _ query: SearchQuery, indexName: String, settings: IndexSettings, isPagingLimited: Bool = true,
    _ cancellation: CancellationCheck
  ) throws {
    self.indexName = indexName
    self.query = query
    self.settings = settings
    for (name, text) in [("query", query.query), ("similarQuery", query.similarQuery)] {
      guard let text else { continue }
      guard text.utf8.count <= ParameterLimits.maximumQueryLength else {
        throw APIError.invalidValue(
          of: name, expected: "at most \(ParameterLimits.maximumQueryLength) bytes",
          got: "\(text.utf8.count) bytes")
      }
    }
    try query.check()
    for criterion in query.ranking ?? [] {
      guard let attribute = SortCriterion(criterion)?.attribute, settings.hides(attribute) else {
        continue
      }
      throw APIError(
        "Invalid value for \"ranking\" parameter, \"\(attribute)\" is one of the"
          + " unretrievableAttributes, whose order a search does not show")
    }
    try cancellation.check()
    filters = try FilterSet(query, cancellation)
    numbers = NumericDeclaration.all(in: settings)
    geo = try GeoSearch(query, cancellation)
    pagination = try Pagination(query, settings: settings)
    paginationLimit = isPagingLimited ? settings.paginationLimitedTo : .max
    let distinct = query.distinct ?? settings.distinct
    hitsPerGroup = settings.attributeForDistinct == nil ? 0 : distinct.hitsPerGroup
    let limit = ParameterLimits.maximumHitCount
    if isPagingLimited, max(1, hitsPerGroup) * pagination.length > limit {
      throw APIError("invalid distinct value, hitsPerPage * distinct should be <= \(limit)")
    }
    maxValuesPerFacet = query.maxValuesPerFacet ?? settings.maxValuesPerFacet
    facetOrder = query.sortFacetValuesBy ?? settings.sortFacetValuesBy
    facets = FacetCountRequest.all(query, settings: settings)
    responseFields = try ResponseFields(query.responseFields ?? settings.responseFields)
  }

  /// Returns the same search for another page.
  func onPage(_ page: Int, hitsPerPage: Int) -> ResolvedSearch {
    var copy = self
    copy.pagination = Pagination(page: page, hitsPerPage: hitsPerPage)
    return copy
  }
}

/// The requested range of the ranked hits.
struct Pagination: Sendable, Hashable {
  /// The parameters of the range.
  enum Kind: Sendable, Hashable {
    case page(Int, hitsPerPage: Int)
    case offset(Int, length: Int)
  }

  /// The parameters of the range.
  let kind: Kind

  /// Reads the parameters. `offset` takes precedence over `page`, and `length` alone is ignored.
  init(_ query: SearchQuery, settings: IndexSettings) throws(APIError) {
    let hitsPerPage = query.hitsPerPage ?? settings.hitsPerPage
    try ParameterCheck.integer(hitsPerPage, "hitsPerPage", 0...ParameterLimits.maximumHitCount)
    let page = query.page ?? 0
    try ParameterCheck.integer(page, "page", 0...Int.max)
    if let offset = query.offset {
      try ParameterCheck.integer(offset, "offset", 0...Int.max)
      let length = query.length ?? hitsPerPage
      try ParameterCheck.integer(length, "length", 0...ParameterLimits.maximumHitCount)
      kind = .offset(offset, length: length)
    } else {
      kind = .page(page, hitsPerPage: hitsPerPage)
    }
  }

  /// Creates a page with a number of hits.
  init(page: Int, hitsPerPage: Int) { kind = .page(page, hitsPerPage: hitsPerPage) }

  /// The index of the first hit.
  private var start: Int {
    switch kind {
    case .offset(let offset, _): return offset
    case .page(let page, let hitsPerPage):
      let (start, overflow) = page.multipliedReportingOverflow(by: hitsPerPage)
      return overflow ? .max : start
    }
  }

  /// The number of requested hits.
  var length: Int {
    switch kind {
    case .offset(_, let length): length
    case .page(_, let hitsPerPage): hitsPerPage
    }
  }

  /// Returns the range of the hits among a number of them, up to the limit.
  func range(of count: Int, limit: Int) -> Range<Int> {
    let end = min(count, max(limit, 0))
    let first = min(start, end)
    return first..<(length > end - first ? end : first + length)
  }

  /// Whether the range starts at existing hits beyond the limit.
  func exceeds(limit: Int, count: Int) -> Bool {
    length > 0 && start >= max(limit, 0) && start < count
  }

  /// Returns the number of pages that paging can reach.
  static func pageCount(of count: Int, hitsPerPage: Int, limit: Int) -> Int {
    guard hitsPerPage > 0 else { return 0 }
    let reachable = min(count, max(limit, 0))
    return reachable / hitsPerPage + (reachable % hitsPerPage == 0 ? 0 : 1)
  }
}
