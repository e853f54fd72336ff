/// The queries of one search whose facets are joined by OR, are held to numbers, or lead down a
/// hierarchy.
///
/// The counts of an attribute that is filtered by OR must not be narrowed by its own filters: they
/// say what each further value would add. So for each such attribute there is one more query,
/// without those filters. The same goes for an attribute that is held to numbers, whose smallest
/// and largest value are the bounds of a slider: they must not move with what the user chose
/// between them. Of a hierarchy each level above the selected one has a query that shows what lies
/// beside the path.
struct FacetQueries: Sendable {
  /// One more query, asked for the counts of one attribute.
  struct Extra: Sendable, Hashable {
    var attribute: Attribute
    var query: SearchQuery
  }

  /// The query for hits, first in the request.
  let main: SearchQuery
  /// The queries for counts, in the order of their attributes' names; those of hierarchies last.
  let extras: [Extra]
  /// The attributes filtered by OR whose counts are asked for.
  let disjunctive: [Attribute]

  /// All queries in the order in which they are sent.
  func all(in indexName: String) -> [MultiQuery] {
    [.hits(indexName: indexName, main)]
      + extras.map { .hits(indexName: indexName, $0.query) }
  }

  /// The query for hits of a request, and no others.
  init(onlyHitsOf request: SearchRequest<some Decodable & Sendable>) {
    main = request.sentQuery
    extras = []
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
    func extra(
      for attribute: Attribute, by facet: String? = nil, filteredBy groups: FilterGroups
    ) -> Extra {
      let counting = query.counting(facet ?? attribute.rawValue)
      return Extra(attribute: attribute, query: counting.filtered(by: groups.text))
    }
    let relaxed = Set(disjunctive).union(groups.numericAttributes.filter(isAsked))
    var extras = relaxed.sorted { $0.rawValue < $1.rawValue }.map { attribute in
      // Numbers can be filtered without a declaration as a facet, and `*` does not say there is
      // one.
      let isCertain = asked.contains(attribute.rawValue) || disjunctive.contains(attribute)
      return extra(
        for: attribute, by: isCertain ? nil : "*",
        filteredBy: groups.withoutAlternatives(on: attribute))
    }
    for (name, hierarchy) in groups.hierarchies {
      for (level, attribute) in hierarchy.attributes.prefix(hierarchy.path.count).enumerated()
      where isAsked(attribute) {
        var above = groups
        above[hierarchical: name].path = Array(hierarchy.path.prefix(level))
        extras.append(extra(for: attribute, filteredBy: above))
      }
    }
    main = request.sentQuery
    self.extras = extras
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
