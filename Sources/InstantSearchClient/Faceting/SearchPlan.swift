/// The queries of one search of an index: one for hits, and one for each facet that is counted
/// without its own filters.
///
/// The counts of a disjunctive facet must not be limited by its own filters, because they show the
/// hits that each further value would add. Each such facet therefore has a query without those
/// filters. The same applies to a facet with numeric filters, whose minimum and maximum are the
/// bounds of a slider and must not depend on the selected range. A hierarchy has a query for the
/// levels down to the refined level, without the refinement of the deepest level, and one for each
/// level above.
///
/// The queries equal the queries of InstantSearch.js, so each library can use responses to the
/// other's queries.
package struct SearchPlan: Sendable {
  /// The purpose of an additional query's counts.
  package enum Purpose: Sendable, Hashable {
    /// A facet, without its own filters.
    case facet(String)
    /// A hierarchy, without the refinement of the deepest level.
    case hierarchy(HierarchicalFacet)
    /// A level of a hierarchy, limited only by the level above.
    case level(Int, of: HierarchicalFacet)
  }

  /// An additional query for counts.
  package struct CountQuery: Sendable, Hashable {
    package var purpose: Purpose
    package var query: SearchQuery
  }

  /// The request to search.
  package private(set) var request: SearchRequest<JSON>
  /// The needs in addition to the request.
  package let needs: SearchNeeds
  /// The query for hits, which is the first.
  package private(set) var hitsQuery: SearchQuery
  /// The queries for counts: of facets and hierarchies by name, then of levels.
  package private(set) var countQueries: [CountQuery]
  /// The searches of other indices that are part of the same request.
  package var nested: [SearchPlan] = []
  /// The number that a screen has given to the index; 0 without one.
  package let number: UInt64

  /// Creates the queries of a request.
  ///
  /// - Parameters:
  ///   - request: The request to search.
  ///   - needs: The needs in addition to the request. Defaults to nothing.
  ///   - number: The number that a screen has given to the index. Defaults to 0.
  package init(
    _ request: SearchRequest<JSON>, needs: SearchNeeds = SearchNeeds(), number: UInt64 = 0
  ) {
    let builder = Builder(request, needs)
    self.request = request
    self.needs = needs
    self.number = number
    hitsQuery = builder.hitsQuery
    countQueries = needs.isDisjunctive ? builder.countQueries : []
  }

  /// The index that is searched.
  package var indexName: String { request.indexName }

  /// The queries in the order in which they are sent, without queries of other indices.
  package var queries: [SearchQuery] { [hitsQuery] + countQueries.map(\.query) }

  /// All queries, in the order in which they are sent.
  package var allQueries: [SearchQuery] { queries + nested.flatMap(\.queries) }

  /// The number of all queries.
  package var queryCount: Int {
    nested.reduce(1 + countQueries.count) { $0 + $1.queryCount }
  }

  /// The same search on another page, without the parts that pages share: the facet counts of
  /// additional queries, and the other indices.
  package func onPage(_ page: Int) -> SearchPlan {
    var plan = self
    plan.request.query.setPage(page)
    plan.hitsQuery.setPage(page)
    plan.countQueries = []
    plan.nested = []
    return plan
  }
}

extension SearchRequest {
  /// The request with the defaults that it lacks.
  package func completed(by needs: SearchNeeds) -> SearchRequest {
    var request = self
    needs.complete(&request.query, &request.filterGroups)
    return request
  }
}

extension SearchQuery {
  fileprivate mutating func setPage(_ page: Int) {
    for parameter in [SearchParameter.page, .offset, .length] { unset(parameter) }
    self.page = page
  }

  /// The parameters that are needed, except filters.
  fileprivate mutating func add(_ needs: SearchNeeds) {
    adoptAdditional(.maxValuesPerFacet)
    if !needs.query.isEmpty {
      let facets = (facets ?? []) + (needs.query.facets ?? [])
      self = merging(needs.query)
      self.facets = facets.isEmpty ? nil : facets
    }
    if let count = needs.maxValuesPerFacet {
      maxValuesPerFacet = max(maxValuesPerFacet ?? 0, count)
    }
  }
}

/// Makes the queries of one search.
private struct Builder {
  /// The parameters, without filters.
  private var query: SearchQuery
  /// The filters of the request, with the default filters.
  private var groups: FilterGroups
  private let needs: SearchNeeds
  /// All requested facets: the facets of the request in its order, then the others, sorted. Only
  /// `*` if the others include it.
  private let facets: [String]
  /// The facets that are requested as conjunctive, by name or by `*`.
  private let named: Set<String>
  /// The facets whose refinements are joined by OR, or are numeric.
  private let disjunctive: Set<String>
  private let hierarchies: [HierarchicalFacet]

  init(_ request: SearchRequest<JSON>, _ needs: SearchNeeds) {
    self.needs = needs
    (query, groups) = (request.query, request.filterGroups)
    needs.complete(&query, &groups)
    query.adoptAdditional(.facets)
    let own = query.facets ?? []
    let asked = Set(own)
    query.add(needs)
    named = needs.conjunctiveFacets.union(query.facets ?? [])
    let filtered = groups.disjunctiveAttributes.union(groups.numericAttributes).lazy
      .map(\.rawValue)
    disjunctive = needs.disjunctiveFacets.union(
      filtered.filter { asked.contains($0) || asked.contains("*") })
    let declared = Set(needs.hierarchies.map(\.name))
    hierarchies =
      needs.hierarchies
      + groups.hierarchies.lazy.filter { !declared.contains($0.name) }.map { name, hierarchy in
        HierarchicalFacet(attributes: hierarchy.attributes.map(\.rawValue), name: name)
      }
    let all = Self.facets(named.union(needs.disjunctiveFacets), needs.hierarchies, groups)
    if all.contains("*") {
      facets = asked.contains("*") ? own : ["*"]
    } else {
      facets = own + all.subtracting(asked).sorted(by: String.isBeforeInUTF16)
    }
  }

  private static func facets(
    _ facets: Set<String>, _ hierarchies: [HierarchicalFacet], _ groups: FilterGroups
  ) -> Set<String> {
    var facets = facets
    for hierarchy in hierarchies {
      facets.formUnion(hierarchy.attributes.prefix(path(of: hierarchy, in: groups).count + 1))
    }
    return facets
  }

  var hitsQuery: SearchQuery {
    var query = query
    query.facets = facets.isEmpty ? query.facets : facets
    return filtered(query, by: groups)
  }

  var countQueries: [SearchPlan.CountQuery] {
    if disjunctive.isEmpty, hierarchies.isEmpty { return [] }
    let numeric = groups.numericAttributes
    let refined = disjunctive.filter { name in
      let attribute = Attribute(name)
      return groups.disjunctiveAttributes.contains(attribute) || numeric.contains(attribute)
    }
    let hierarchies = hierarchies.filter { !path(of: $0).isEmpty }
    let counted = hierarchies.filter { isRequested($0.attributes[path(of: $0).count - 1]) }
    let own =
      refined.map { ($0, countQuery(of: $0)) }
      + counted.map { ($0.name, countQuery(of: $0)) }
    return own.sorted { String.isBeforeInUTF16($0.0, $1.0) }.map(\.1)
      + hierarchies.flatMap { hierarchy in
        path(of: hierarchy).indices.dropLast().filter { isRequested(hierarchy.attributes[$0]) }
          .map { countQuery(ofLevel: $0, of: hierarchy) }
      }
  }

  /// Whether the counts of a level of a hierarchy are requested.
  private func isRequested(_ attribute: String) -> Bool {
    facets.contains("*") || facets.contains(attribute)
  }

  private func countQuery(of name: String) -> SearchPlan.CountQuery {
    let attribute = Attribute(name)
    // Numeric filters do not require a facet declaration, and `*` does not prove a declaration.
    let isCertain =
      !named.contains("*") || named.contains(name) || needs.disjunctiveFacets.contains(name)
      || groups.disjunctiveAttributes.contains(attribute)
    let query = query.counting([isCertain ? name : "*"])
    return SearchPlan.CountQuery(
      purpose: .facet(name),
      query: filtered(query, by: groups.removingDisjunction(on: attribute)))
  }

  private func countQuery(of hierarchy: HierarchicalFacet) -> SearchPlan.CountQuery {
    let path = path(of: hierarchy)
    var above = groups
    if let root = hierarchy.rootFilter {
      above[hierarchical: hierarchy.name].path =
        path.count == hierarchy.rootDepth ? [] : [root]
    } else {
      above[hierarchical: hierarchy.name].path.removeLast()
    }
    let query = query.counting(hierarchy.attributes.prefix(path.count).filter(isRequested))
    return SearchPlan.CountQuery(
      purpose: .hierarchy(hierarchy), query: filtered(query, by: above))
  }

  private func countQuery(
    ofLevel level: Int, of hierarchy: HierarchicalFacet
  ) -> SearchPlan.CountQuery {
    let path = path(of: hierarchy)
    var others = groups
    others[hierarchical: hierarchy.name].path = []
    let above: Filter.Facet? = level == 0 ? nil : path[level - 1]
    let position = level == 0 ? min(hierarchy.rootDepth, hierarchy.attributes.count - 1) : level
    let query = query.counting([hierarchy.attributes[position]])
    return SearchPlan.CountQuery(
      purpose: .level(level, of: hierarchy), query: filtered(query, by: others, and: above))
  }

  private func path(of hierarchy: HierarchicalFacet) -> [Filter.Facet] {
    Self.path(of: hierarchy, in: groups)
  }

  private static func path(
    of hierarchy: HierarchicalFacet, in groups: FilterGroups
  ) -> [Filter.Facet] {
    Array(groups[hierarchical: hierarchy.name].path.prefix(hierarchy.attributes.count))
  }

  private func filtered(
    _ query: SearchQuery, by groups: FilterGroups, and last: Filter.Facet? = nil
  ) -> SearchQuery {
    if groups.isEmpty, needs.fixedFilters.isEmpty, last == nil { return query }
    var lists = FilterLists(groups)
    lists.add(needs.fixedFilters)
    if let last { lists.add(last) }
    return lists.filter(query)
  }
}

extension HierarchicalFacet {
  /// The filter that limits records to the root path.
  fileprivate var rootFilter: Filter.Facet? {
    guard let rootPath, attributes.indices.contains(rootDepth - 1) else { return nil }
    return Filter.Facet(attribute: Attribute(attributes[rootDepth - 1]), stringValue: rootPath)
  }
}

extension SearchQuery {
  /// Returns a query for only the counts of facets.
  fileprivate func counting(_ facets: [String]) -> SearchQuery {
    var query = self
    query.facets = facets
    query.page = 0
    query.hitsPerPage = 0
    for parameter in [SearchParameter.offset, .length, .getRankingInfo, .responseFields] {
      query.unset(parameter)
    }
    // Only the query for hits counts as a user's search.
    query.analytics = false
    query.clickAnalytics = false
    return query
  }
}
