/// One search with everything decided: parameters checked, settings overridden by the parameters of
/// the same name, filters read.
struct ResolvedSearch: Sendable {
  /// The index, as it is named in the answer.
  let indexName: String
  /// The parameters as they came.
  let query: SearchQuery
  /// The settings of the index.
  let settings: IndexSettings
  /// All filters.
  let filters: FilterSet
  /// The numbers that may be filtered by; `nil` when all may.
  let numbers: [String: NumericDeclaration]?
  /// The question about places; `nil` when there is none.
  let geo: GeoSearch?
  /// Which part of the hits is answered.
  private(set) var pagination: Pagination
  /// How many hits can be reached by paging.
  let paginationLimit: Int
  /// How many members of a group are kept; 0 when records are not grouped.
  let hitsPerGroup: Int
  /// The facets to count.
  let facets: [FacetCountRequest]
  /// How many values of a facet are kept.
  let maxValuesPerFacet: Int
  /// The order of facet values.
  let facetOrder: SortFacetValuesBy
  /// The top-level members of the answer.
  let responseFields: ResponseFields
  /// The language of places to search and to answer in; `nil` for all.
  var placeLanguage: PlaceLanguage?

  /// The longest query text, in bytes.
  static let maximumQueryLength = 512

  /// Decides everything.
  ///
  /// - Parameter isPagingLimited: Without it, `paginationLimitedTo` does not count, as in browsing.
  init(
    _ query: SearchQuery, indexName: String, settings: IndexSettings, isPagingLimited: Bool = true,
    _ checkpoint: Checkpoint
  ) throws {
    self.indexName = indexName
    self.query = query
    self.settings = settings
    for text in [query.query, query.similarQuery].compactMap(\.self) {
      guard text.utf8.count <= Self.maximumQueryLength else {
        throw APIError.invalidValue(
          of: "query", expected: "at most \(Self.maximumQueryLength) bytes",
          got: "\(text.utf8.count) bytes")
      }
    }
    try query.check()
    try checkpoint.check()
    filters = try FilterSet(query, checkpoint)
    numbers = NumericDeclaration.all(in: settings)
    geo = try GeoSearch(query)
    pagination = try Pagination(query, settings: settings)
    paginationLimit = isPagingLimited ? settings.paginationLimitedTo : .max
    let distinct = query.distinct ?? settings.distinct
    hitsPerGroup = settings.attributeForDistinct == nil ? 0 : distinct.hitsPerGroup
    maxValuesPerFacet = query.maxValuesPerFacet ?? settings.maxValuesPerFacet
    facetOrder = query.sortFacetValuesBy ?? settings.sortFacetValuesBy
    facets = FacetCountRequest.all(query, settings: settings)
    responseFields = try ResponseFields(query.responseFields ?? settings.responseFields)
  }

  /// The same search on another page.
  func onPage(_ page: Int, hitsPerPage: Int) -> ResolvedSearch {
    var copy = self
    copy.pagination = Pagination(page: page, hitsPerPage: hitsPerPage)
    return copy
  }
}

/// Which part of the ranked hits is answered.
struct Pagination: Sendable, Hashable {
  /// How the part was asked for.
  enum Kind: Sendable, Hashable {
    case page(Int, hitsPerPage: Int)
    case offset(Int, length: Int)
  }

  /// How the part was asked for.
  let kind: Kind

  /// Reads the parameters; `offset` takes precedence over `page`, and `length` alone is ignored.
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

  /// A page of a certain size.
  init(page: Int, hitsPerPage: Int) { kind = .page(page, hitsPerPage: hitsPerPage) }

  /// The place of the first hit, and how many are wanted.
  private var start: Int {
    switch kind {
    case .offset(let offset, _): return offset
    case .page(let page, let hitsPerPage):
      let (start, overflow) = page.multipliedReportingOverflow(by: hitsPerPage)
      return overflow ? .max : start
    }
  }

  /// How many hits are wanted.
  var length: Int {
    switch kind {
    case .offset(_, let length): length
    case .page(_, let hitsPerPage): hitsPerPage
    }
  }

  /// The places of the hits among so many, none at or past the limit.
  func range(of count: Int, limit: Int) -> Range<Int> {
    let end = min(count, max(limit, 0))
    let first = min(start, end)
    return first..<(length > end - first ? end : first + length)
  }

  /// Whether hits that exist were asked for but lie past the limit.
  func exceeds(limit: Int, count: Int) -> Bool {
    length > 0 && start >= max(limit, 0) && start < count
  }

  /// How many pages of so many hits can be reached.
  static func pageCount(of count: Int, hitsPerPage: Int, limit: Int) -> Int {
    guard hitsPerPage > 0 else { return 0 }
    let reachable = min(count, max(limit, 0))
    return reachable / hitsPerPage + (reachable % hitsPerPage == 0 ? 0 : 1)
  }
}
