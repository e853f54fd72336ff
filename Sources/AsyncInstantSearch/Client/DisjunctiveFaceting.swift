/// The queries of one search with disjunctive facets, numeric filters or hierarchies.
///
/// The counts of a disjunctive attribute must not be limited by its own filters, because they show
/// what each further value would add. Each such attribute therefore has an additional query
/// without those filters. The same applies to an attribute with numeric filters, whose minimum and
/// maximum are the bounds of a slider and must not depend on the selected range. Each level of a
/// hierarchy above the selected one has a query that counts the alternatives to the path.
struct DisjunctiveQueries: Sendable {
  /// An additional query for the counts of one attribute.
  struct FacetQuery: Sendable, Hashable {
    var attribute: Attribute
    var query: SearchQuery
  }

  /// The query for hits, which is the first of the request.
  let hitsQuery: SearchQuery
  /// The queries for counts, in the order of attribute names, with those of hierarchies last.
  let facetQueries: [FacetQuery]
  /// The attributes filtered by OR whose counts are requested.
  let disjunctive: [Attribute]

  /// All queries in the order in which they are sent.
  func all(in indexName: String) -> [MultiQuery] {
    [.hits(indexName: indexName, hitsQuery)]
      + facetQueries.map { .hits(indexName: indexName, $0.query) }
  }

  /// Creates only the query for hits.
  init(onlyHitsOf request: SearchRequest<some Decodable & Sendable>) {
    hitsQuery = request.sentQuery
    facetQueries = []
    disjunctive = []
  }

  /// Creates the queries for a request.
  ///
  /// An attribute gets a query if it is filtered by OR or has numeric filters, and if its counts
  /// are requested by name or by `*`.
  init(_ request: SearchRequest<some Decodable & Sendable>) {
    let groups = request.filterGroups
    var query = request.query
    query.adoptAdditional(.facets)
    let asked = Set(query.facets ?? [])
    func isAsked(_ attribute: Attribute) -> Bool {
      asked.contains("*") || asked.contains(attribute.rawValue)
    }
    let disjunctive = groups.disjunctiveAttributes.filter(isAsked)
      .sorted { $0.rawValue < $1.rawValue }
    func facetQuery(
      for attribute: Attribute, by facet: String? = nil, filteredBy groups: FilterGroups
    ) -> FacetQuery {
      let counting = query.counting(facet ?? attribute.rawValue)
      return FacetQuery(attribute: attribute, query: counting.filtered(by: groups.text))
    }
    let relaxed = Set(disjunctive).union(groups.numericAttributes.filter(isAsked))
    var facetQueries = relaxed.sorted { $0.rawValue < $1.rawValue }.map { attribute in
      // Numeric filters do not require a facet declaration, and `*` does not show that there is
      // one.
      let isCertain = asked.contains(attribute.rawValue) || disjunctive.contains(attribute)
      return facetQuery(
        for: attribute, by: isCertain ? nil : "*",
        filteredBy: groups.removingDisjunction(on: attribute))
    }
    for (name, hierarchy) in groups.hierarchies {
      for (level, attribute) in hierarchy.attributes.prefix(hierarchy.path.count).enumerated()
      where isAsked(attribute) {
        var above = groups
        above[hierarchical: name].path = Array(hierarchy.path.prefix(level))
        facetQueries.append(facetQuery(for: attribute, filteredBy: above))
      }
    }
    hitsQuery = request.sentQuery
    self.facetQueries = facetQueries
    self.disjunctive = disjunctive
  }
}

extension SearchQuery {
  /// Returns a query for only the counts of a facet.
  fileprivate func counting(_ facet: String) -> SearchQuery {
    var query = self
    query.facets = [facet]
    query.page = 0
    query.hitsPerPage = 0
    query.attributesToRetrieve = []
    query.attributesToHighlight = []
    query.attributesToSnippet = []
    for parameter in [SearchParameter.offset, .length, .getRankingInfo, .responseFields] {
      query.unset(parameter)
    }
    // Only the query for hits counts as a user's search.
    query.analytics = false
    query.clickAnalytics = false
    return query
  }
}

/// The rules for counting facets that are filtered by OR, and hierarchies.
struct DisjunctiveFaceting: Sendable {
  /// Whether such facets have additional queries.
  let isDisjunctive: Bool
  /// Whether selected values without matching records are included with count 0.
  let keepsSelected: Bool

  /// Returns the queries of a search, without additional ones if they are disabled.
  func queries(for request: SearchRequest<JSON>) -> DisjunctiveQueries {
    isDisjunctive ? DisjunctiveQueries(request) : DisjunctiveQueries(onlyHitsOf: request)
  }

  /// Combines the responses to the queries of one search.
  ///
  /// - Parameters:
  ///   - queries: The queries that were sent, as returned by ``queries(for:)``.
  ///   - position: The position of the search's first response.
  func content(
    of request: SearchRequest<JSON>, to queries: DisjunctiveQueries,
    in responses: MultiQueryResponses,
    at position: Int
  ) throws(SearchError) -> UndecodedHits {
    var contents: [UndecodedHits] = []
    for index in 0...queries.facetQueries.count {
      do throws(SearchError) {
        contents.append(
          try responses.hits(at: position + index, to: index == 0 ? queries.hitsQuery : nil))
      } catch {
        var error = error
        error.indexName = request.indexName
        throw error
      }
    }
    var hits = contents.removeFirst()
    if contents.isEmpty { return hits }
    hits.facets = DisjunctiveFacets(
      contents, to: queries, of: request, keepsSelected: keepsSelected)
    return hits
  }

  /// Searches with one request, which is a plain search if there is only the query for hits.
  func content(
    of request: SearchRequest<JSON>, from client: SearchClient, options: RequestOptions
  ) async throws(SearchError) -> UndecodedHits {
    let queries = queries(for: request)
    if queries.facetQueries.isEmpty {
      return try await client.content(of: request, options: options)
    }
    let responses = try await client.responses(
      to: queries.all(in: request.indexName), strategy: .none, options: options)
    return try content(of: request, to: queries, in: responses, at: 0)
  }
}

/// Several searches in one request, each with the queries for its facets.
struct FacetedBatch {
  private struct Part {
    var request: SearchRequest<JSON>
    var queries: DisjunctiveQueries
    /// The position of the search's first query in the request.
    var position: Int
  }

  private let search: DisjunctiveFaceting
  /// Whether facets that are filtered by OR have additional queries.
  var isDisjunctive: Bool { search.isDisjunctive }
  private var parts: [Part] = []
  /// The queries of all searches, in order.
  private(set) var queries: [MultiQuery] = []

  /// Creates an empty batch.
  ///
  /// - Parameter isDisjunctive: Whether facets that are filtered by OR have additional queries.
  init(isDisjunctive: Bool) {
    search = DisjunctiveFaceting(isDisjunctive: isDisjunctive, keepsSelected: true)
  }

  /// Appends a search.
  mutating func add(_ request: SearchRequest<some Decodable & Sendable>) {
    let request = request.reading(JSON.self)
    let part = Part(
      request: request, queries: search.queries(for: request), position: queries.count)
    parts.append(part)
    queries += part.queries.all(in: request.indexName)
  }

  /// Returns the results of the searches, in order.
  ///
  /// - Throws: The error of the first search that has no result.
  func contents(in responses: MultiQueryResponses) throws(SearchError) -> [UndecodedHits] {
    var contents: [UndecodedHits] = []
    for part in parts {
      contents.append(
        try search.content(
          of: part.request, to: part.queries, in: responses, at: part.position))
    }
    return contents
  }
}

/// The results of the queries for counts, which are merged into the page of hits.
struct DisjunctiveFacets: Sendable {
  /// The result of one query for counts.
  private struct FacetResult: Sendable {
    var attribute: String
    var facet: Facet?
    var stats: FacetStats?
  }

  private let results: [FacetResult]
  /// The selected values of the attributes filtered by OR, which are always included.
  private let selected: [(attribute: String, values: [String])]
  private let isExhaustive: Bool?
  private let processingTimeMS: Int

  /// Reads the responses to the queries for counts, in order.
  ///
  /// - Parameter keepsSelected: Whether to include selected values that are in no response.
  init(
    _ contents: some Sequence<UndecodedHits>,
    to queries: DisjunctiveQueries,
    of request: SearchRequest<JSON>,
    keepsSelected: Bool
  ) {
    let pages = contents.map { $0.page(for: request) }
    results = zip(queries.facetQueries, pages).map { query, page in
      let attribute = query.attribute.rawValue
      return FacetResult(
        attribute: attribute, facet: page.facets[attribute], stats: page.facetStats[attribute])
    }
    selected =
      keepsSelected
      ? queries.disjunctive.map { ($0.rawValue, request.filterGroups.selectedValues(of: $0)) } : []
    let exhaustive = pages.compactMap(\.exhaustive.facetsCount)
    isExhaustive = exhaustive.isEmpty ? nil : exhaustive.allSatisfy(\.self)
    processingTimeMS = pages.reduce(0) { sum, page in
      let (result, isTooLarge) = sum.addingReportingOverflow(page.processingTimeMS)
      return isTooLarge ? .max : result
    }
  }

  /// Merges the counts into the page of hits.
  ///
  /// Each result replaces the page's own counts of its attribute. A selected value that it does
  /// not contain, because other values are more frequent, keeps the page's own count, or else has
  /// none. The page is exhaustive if all results are. Its processing time is the sum of all of
  /// them.
  func merge<Record>(into page: inout HitsPage<Record>) {
    let own = page.facets
    for result in results {
      if let facet = result.facet { page.facets[result.attribute] = facet }
      if let stats = result.stats { page.facetStats[result.attribute] = stats }
    }
    for (attribute, values) in selected {
      var facet = page.facets[attribute] ?? Facet(attribute: attribute)
      let known = Set(facet.values.map(\.value))
      let counts = own[attribute]?.counts ?? [:]
      let missing = values.filter { !known.contains($0) }
        .map { FacetValue(value: $0, count: counts[$0] ?? 0) }
      facet.values += missing.sorted { $0.count > $1.count }
      page.facets[attribute] = facet
    }
    if let isExhaustive {
      page.exhaustive.facetsCount = (page.exhaustive.facetsCount ?? true) && isExhaustive
    }
    let (sum, isTooLarge) = page.processingTimeMS.addingReportingOverflow(processingTimeMS)
    page.processingTimeMS = isTooLarge ? .max : sum
  }
}

extension FilterGroups {
  /// Returns the facet values selected by filters, without duplicates, in the order of the groups.
  fileprivate func selectedValues(of attribute: Attribute) -> [String] {
    var values: [String] = []
    for case .facet(let filter) in filters(for: attribute)
    where !filter.isNegated && !values.contains(filter.value.text) {
      values.append(filter.value.text)
    }
    return values
  }
}
