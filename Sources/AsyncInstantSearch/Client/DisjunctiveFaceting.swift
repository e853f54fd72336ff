extension IndexQueries {
  /// All queries as those of one request.
  func all(in indexName: String) -> [MultiQuery] {
    all.map { .hits(indexName: indexName, $0) }
  }
}

/// The rules for counting facets that are filtered by OR, and hierarchies.
struct DisjunctiveFaceting: Sendable {
  /// Whether such facets have additional queries.
  let isDisjunctive: Bool
  /// Whether selected values without matching records are included with count 0.
  let keepsSelected: Bool

  /// The rules of searches that are not configured.
  static let standard = DisjunctiveFaceting(isDisjunctive: true, keepsSelected: true)

  /// Returns the queries of a search, without additional ones if they are disabled.
  func queries(for request: SearchRequest<JSON>) -> IndexQueries {
    isDisjunctive ? IndexQueries(request) : IndexQueries(onlyHitsOf: request)
  }

  /// Combines the responses to the queries of one search.
  ///
  /// - Parameters:
  ///   - queries: The queries that were sent, as returned by ``queries(for:)``.
  ///   - position: The position of the search's first response.
  func content(
    of request: SearchRequest<JSON>, to queries: IndexQueries,
    in responses: MultiQueryResponses,
    at position: Int
  ) throws(SearchError) -> UndecodedHits {
    merged(
      try contents(of: request.indexName, to: queries, in: responses, at: position),
      to: queries, of: request)
  }

  /// Combines the responses to the queries of one search, in order; at least one.
  func merged(
    _ contents: [UndecodedHits], to queries: IndexQueries, of request: SearchRequest<JSON>
  ) -> UndecodedHits {
    var hits = contents[0]
    if contents.count > 1 {
      hits.facets = AdditionalCounts(
        contents.dropFirst(), to: queries, of: request, keepsSelected: keepsSelected)
    }
    return hits
  }

  /// Returns the responses to the queries of one search of an index, in order.
  func contents(
    of indexName: String, to queries: IndexQueries, in responses: MultiQueryResponses,
    at position: Int
  ) throws(SearchError) -> [UndecodedHits] {
    var contents: [UndecodedHits] = []
    for index in 0...queries.facetQueries.count {
      do throws(SearchError) {
        contents.append(
          try responses.hits(at: position + index, to: index == 0 ? queries.hitsQuery : nil))
      } catch {
        var error = error
        error.indexName = indexName
        throw error
      }
    }
    return contents
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
    var queries: IndexQueries
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

/// The responses to the queries for counts, which are merged into the page of hits.
struct AdditionalCounts: Sendable {
  private struct Part: Sendable {
    var purpose: IndexQueries.Purpose
    var counts: FacetCounts
  }

  private let parts: [Part]
  /// The facets of a search with widgets, which are merged already.
  private let merged: IndexAnswer?
  /// The refined values of the facets filtered by OR, which are always included.
  private let refined: [(facet: String, values: [String])]
  private let processingTimeMS: Int

  /// Reads the responses to the queries for counts, in order.
  ///
  /// - Parameter keepsSelected: Whether to include selected values that are in no response.
  init(
    _ contents: some Sequence<UndecodedHits>, to queries: IndexQueries,
    of request: SearchRequest<JSON>, keepsSelected: Bool
  ) {
    let pages = contents.map { $0.page(for: request) }
    parts = zip(queries.facetQueries, pages).map {
      Part(purpose: $0.purpose, counts: FacetCounts(of: $1))
    }
    refined =
      keepsSelected
      ? parts.compactMap { part in
        guard case .facet(let name) = part.purpose,
          request.filterGroups.disjunctiveAttributes.contains(Attribute(name))
        else { return nil }
        let values = request.filterGroups.selectedValues(of: Attribute(name))
        return values.isEmpty ? nil : (name, values)
      } : []
    processingTimeMS = pages.reduce(0) { $0.addingUpToMaximum($1.processingTimeMS) }
    merged = nil
  }

  /// Uses the facets of a search with widgets.
  init(merged: IndexAnswer) {
    self.merged = merged
    parts = []
    refined = []
    processingTimeMS = 0
  }

  /// Merges the counts into the page of hits.
  ///
  /// Each response replaces the page's own counts of its facet. A refined value that it does not
  /// contain, because other values are more frequent, keeps the page's own count, or else has none.
  /// The page is exhaustive if all responses are. Its processing time is the sum of all of them.
  func merge<Record>(into page: inout HitsPage<Record>) {
    if let merged {
      page.facets = merged.page.facets
      page.facetStats = merged.page.facetStats
      page.processingTimeMS = merged.page.processingTimeMS
      return
    }
    var counts = FacetCounts(of: page)
    for part in parts { counts.replace(by: part.counts, for: part.purpose) }
    for (name, values) in refined {
      var facet = counts.facets[name] ?? Facet(attribute: name)
      let known = Set(facet.values.map(\.value))
      let hits = page.facets[name]?.counts ?? [:]
      let missing = values.filter { !known.contains($0) }
        .map { FacetValue(value: $0, count: hits[$0] ?? 0) }
      facet.values += missing.sorted { $0.count > $1.count }
      counts.facets[name] = facet
    }
    page.facets = counts.facets
    page.facetStats = counts.stats
    let exhaustive = parts.compactMap(\.counts.isExhaustive)
    if !exhaustive.isEmpty {
      page.exhaustive.facetsCount =
        (page.exhaustive.facetsCount ?? true) && exhaustive.allSatisfy(\.self)
    }
    page.processingTimeMS = page.processingTimeMS.addingUpToMaximum(processingTimeMS)
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
