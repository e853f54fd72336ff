/// The queries of one search whose facets are joined by OR, are held to numbers, or lead down a
/// hierarchy.
///
/// The counts of an attribute that is filtered by OR must not be narrowed by its own filters: they
/// say what each further value would add. So for each such attribute there is one more query,
/// without those filters. The same goes for an attribute that is held to numbers, whose smallest
/// and largest value are the bounds of a slider: they must not move with what the user chose
/// between them. Of a hierarchy each level above the selected one has a query that shows what lies
/// beside the path.
struct DisjunctiveQueries: Sendable {
  /// One more query, asked for the counts of one attribute.
  struct FacetQuery: Sendable, Hashable {
    var attribute: Attribute
    var query: SearchQuery
  }

  /// The query for hits, first in the request.
  let hitsQuery: SearchQuery
  /// The queries for counts, in the order of their attributes' names; those of hierarchies last.
  let facetQueries: [FacetQuery]
  /// The attributes filtered by OR whose counts are asked for.
  let disjunctive: [Attribute]

  /// All queries in the order in which they are sent.
  func all(in indexName: String) -> [MultiQuery] {
    [.hits(indexName: indexName, hitsQuery)]
      + facetQueries.map { .hits(indexName: indexName, $0.query) }
  }

  /// The query for hits of a request, and no others.
  init(onlyHitsOf request: SearchRequest<some Decodable & Sendable>) {
    hitsQuery = request.sentQuery
    facetQueries = []
    disjunctive = []
  }

  /// The queries for a request.
  ///
  /// An attribute gets a query when it is filtered by OR or held to numbers and its counts are
  /// asked for, by name or by `*`.
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
      // Numbers can be filtered without a declaration as a facet, and `*` does not say there is
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
  /// The query for nothing but the counts of a facet.
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
    // Only the query for hits counts as a search of the user.
    query.analytics = false
    query.clickAnalytics = false
    return query
  }
}

/// How a search counts facets that are filtered by OR, and hierarchies.
struct DisjunctiveFaceting: Sendable {
  /// Whether they have queries of their own.
  let isDisjunctive: Bool
  /// Whether selected values that no record has any more are shown with count 0.
  let keepsSelected: Bool

  /// The queries of a search; only the one for hits when others are not wanted.
  func queries(for request: SearchRequest<JSON>) -> DisjunctiveQueries {
    isDisjunctive ? DisjunctiveQueries(request) : DisjunctiveQueries(onlyHitsOf: request)
  }

  /// The answer to a search, made of the answers to its queries.
  ///
  /// - Parameters:
  ///   - queries: The queries that were sent, as ``queries(for:)`` made them.
  ///   - position: Where in the answers those of this search begin.
  func content(
    of request: SearchRequest<JSON>, to queries: DisjunctiveQueries,
    in answers: MultiQueryResponses,
    at position: Int
  ) throws(SearchError) -> UndecodedHits {
    var contents: [UndecodedHits] = []
    for index in 0...queries.facetQueries.count {
      do throws(SearchError) {
        contents.append(
          try answers.hits(at: position + index, to: index == 0 ? queries.hitsQuery : nil))
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

  /// Searches with one request: a plain one when there is only the query for hits.
  func content(
    of request: SearchRequest<JSON>, from client: SearchClient, options: RequestOptions
  ) async throws(SearchError) -> UndecodedHits {
    let queries = queries(for: request)
    if queries.facetQueries.isEmpty {
      return try await client.content(of: request, options: options)
    }
    let answers = try await client.answers(
      to: queries.all(in: request.indexName), strategy: .none, options: options)
    return try content(of: request, to: queries, in: answers, at: 0)
  }
}

/// Several searches of one request, each with the queries that its facets need.
struct FacetedBatch {
  private struct Part {
    var request: SearchRequest<JSON>
    var queries: DisjunctiveQueries
    /// Where in the request the queries of this search begin.
    var position: Int
  }

  private let search: DisjunctiveFaceting
  /// Whether facets that are filtered by OR have queries of their own.
  var isDisjunctive: Bool { search.isDisjunctive }
  private var parts: [Part] = []
  /// The queries of all searches, in their order.
  private(set) var queries: [MultiQuery] = []

  /// A batch without searches.
  ///
  /// - Parameter isDisjunctive: Whether facets that are filtered by OR have queries of their own.
  init(isDisjunctive: Bool) {
    search = DisjunctiveFaceting(isDisjunctive: isDisjunctive, keepsSelected: true)
  }

  /// Adds a search behind the others.
  mutating func add(_ request: SearchRequest<some Decodable & Sendable>) {
    let request = request.reading(JSON.self)
    let part = Part(
      request: request, queries: search.queries(for: request), position: queries.count)
    parts.append(part)
    queries += part.queries.all(in: request.indexName)
  }

  /// The answers to the searches, in their order.
  ///
  /// - Throws: The error of the first search that has no answer.
  func contents(in answers: MultiQueryResponses) throws(SearchError) -> [UndecodedHits] {
    var contents: [UndecodedHits] = []
    for part in parts {
      contents.append(
        try search.content(
          of: part.request, to: part.queries, in: answers, at: part.position))
    }
    return contents
  }
}

/// What the queries for counts found out, to be put into the page of hits.
struct DisjunctiveFacets: Sendable {
  /// The answer of one query for counts.
  private struct Answer: Sendable {
    var attribute: String
    var facet: Facet?
    var stats: FacetStats?
  }

  private let answers: [Answer]
  /// The selected values of the attributes filtered by OR, to be shown in any case.
  private let selected: [(attribute: String, values: [String])]
  private let isExhaustive: Bool?
  private let processingTimeMS: Int

  /// Reads the answers to the queries for counts, in their order.
  ///
  /// - Parameter keepsSelected: Whether selected values that are in no answer are shown as well.
  init(
    _ contents: some Sequence<UndecodedHits>,
    to queries: DisjunctiveQueries,
    of request: SearchRequest<JSON>,
    keepsSelected: Bool
  ) {
    let pages = contents.map { $0.page(for: request) }
    answers = zip(queries.facetQueries, pages).map { query, page in
      let attribute = query.attribute.rawValue
      return Answer(
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

  /// Puts the counts into the page of hits.
  ///
  /// An answer takes the place of the page's own counts of its attribute. A selected value that it
  /// does not have, because there are many more frequent ones, keeps the page's own count; without
  /// one it has none. The page is exhaustive when all answers are; its time is the sum of all.
  func merge<Record>(into page: inout HitsPage<Record>) {
    let own = page.facets
    for answer in answers {
      if let facet = answer.facet { page.facets[answer.attribute] = facet }
      if let stats = answer.stats { page.facetStats[answer.attribute] = stats }
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
  /// The facet values of an attribute that filters ask for, each once, in the order of the groups.
  fileprivate func selectedValues(of attribute: Attribute) -> [String] {
    var values: [String] = []
    for case .facet(let filter) in filters(for: attribute)
    where !filter.isNegated && !values.contains(filter.value.text) {
      values.append(filter.value.text)
    }
    return values
  }
}
