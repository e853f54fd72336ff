package import InstantSearchAPI
import InstantSearchJSON

/// A search whose records another back end finds: read, checked and answered as in the engine.
package struct ForeignSearch: Sendable {
  /// What the other back end found.
  package struct Findings: Sendable {
    /// One facet: its values with their counts, most important first, and its statistics.
    package struct Facet: Sendable {
      package let attribute: String
      package let values: [(text: String, count: Int)]
      package let statistics: (minimum: Double, maximum: Double, sum: Double, count: Int)?

      package init(
        attribute: String, values: [(text: String, count: Int)],
        statistics: (minimum: Double, maximum: Double, sum: Double, count: Int)?
      ) {
        self.attribute = attribute
        self.values = values
        self.statistics = statistics
      }
    }

    /// The records of the page as JSON, in order, each with its number in its group, if it has one.
    package var hits: [(record: [UInt8], sequence: Int?)] = []
    /// The number of matching records, or of groups.
    package var hitCount = 0
    /// Whether ``hitCount`` is exact.
    package var isCountExact = true
    package var facets: [Facet] = []
    /// The duration of the search, in whole milliseconds.
    package var processingTime = 0
    /// The cursor of the next page, if the records are browsed.
    package var cursor: String?
    /// The query with the removed words in tags, or `nil` if none was removed.
    package var queryAfterRemoval: String?
    /// The automatic radius, in meters.
    package var automaticRadius: Int?

    package init() {}
  }

  private let search: ResolvedSearch
  private let lists: SettingsLists
  /// The words, phrases and exclusions of the query.
  package let plan: QueryPlan

  /// Reads a search.
  ///
  /// - Parameters:
  ///   - entries: The synonyms of the index. Defaults to none.
  ///   - isPagingLimited: Whether `paginationLimitedTo` applies. Browsing ignores it.
  /// - Throws: `APIError` for a parameter that the contract does not allow.
  package init(
    _ query: SearchQuery, indexName: String, settings: IndexSettings,
    entries: ForeignEntries = ForeignEntries(), isPagingLimited: Bool = true,
    _ cancellation: CancellationCheck
  ) throws {
    search = try ResolvedSearch(
      query, indexName: indexName, settings: settings, isPagingLimited: isPagingLimited,
      cancellation)
    lists = try SettingsLists(settings, cancellation)
    plan = try QueryPlan(
      query: query, settings: settings, lists: lists,
      lexicon: entries.lexicon(settings, cancellation), cancellation: cancellation)
  }

  /// Returns the text of the query with removed words in tags.
  ///
  /// - Parameter words: The numbers of the removed words.
  package func text(removing words: Range<Int>) -> String {
    plan.text(marking: words, HighlightTags(query, settings))
  }

  package var query: SearchQuery { search.query }
  package var settings: IndexSettings { search.settings }
  package var indexName: String { search.indexName }
  /// The filters that a record must match.
  package var filters: [FilterTree] { search.filters.required }
  /// The filters that only rank.
  package var optionalFilters: [FilterTree] { search.filters.optional }
  /// The attributes that can be compared only for equality.
  package var equalOnlyNumbers: Set<String> {
    Set((search.numbers ?? [:]).filter(\.value.isEqualOnly).keys)
  }
  /// The geographic condition, or `nil`.
  package var geo: GeoSearch? { search.geo }
  /// The number of members that a group keeps, or 0 without grouping.
  package var hitsPerGroup: Int { search.hitsPerGroup }
  /// The facets to count, and whether each is counted after grouping.
  package var facets: [(attribute: String, isAfterDistinct: Bool)] {
    search.facets.map { ($0.attribute, $0.isAfterDistinct) }
  }
  package var maxValuesPerFacet: Int { search.maxValuesPerFacet }
  package var facetOrder: SortFacetValuesBy { search.facetOrder }
  /// The attributes that are searched, most important first.
  package var searchableAttributes: SearchableAttributes { lists.searchable }
  /// The number of hits on the page.
  package var pageLength: Int { search.pagination.length }

  /// The range of the hits among all matching ones, within the limit of paging.
  package var window: Range<Int> {
    search.pagination.range(of: .max, limit: search.paginationLimit)
  }

  /// Returns the response with what was found.
  package func response(
    _ findings: Findings, _ cancellation: CancellationCheck
  ) throws -> [UInt8] {
    var result = SearchResult(plan: plan)
    result.hitCount = findings.hitCount
    result.hits = findings.hits.enumerated().map { number, hit in
      SearchResult.Hit(segment: 0, document: number, sequence: hit.sequence)
    }
    result.automaticRadius = findings.automaticRadius
    result.queryAfterRemoval = findings.queryAfterRemoval
    result.facets = findings.facets.map { ($0.attribute, FacetCounts($0)) }
    var response = SearchResponse(
      search: search, result: result,
      source: HitSource(findings.hits.map(\.record), lists: lists), cancellation: cancellation,
      processingTime: findings.processingTime)
    response.isCountExact = findings.isCountExact
    response.cursor = findings.cursor
    var writer = JSONWriter(capacity: 16_384)
    try response.write(to: &writer)
    return writer.bytes
  }
}

extension FacetCounts {
  fileprivate init(_ facet: ForeignSearch.Findings.Facet) {
    entries = facet.values.map { Entry(text: $0.text, count: $0.count) }
    statistics = facet.statistics.map {
      Statistics(minimum: $0.minimum, maximum: $0.maximum, sum: $0.sum, count: $0.count)
    }
  }
}
