/// The queries of one search.
///
/// The counts of a disjunctive facet must not be limited by its own filters, because they show
/// what each further value would add. Each such facet therefore has a query without those filters.
/// The same applies to a facet with numeric filters, whose minimum and maximum are the bounds of a
/// slider and must not depend on the selected range. A hierarchy has a query for the levels down to
/// the refined one, without the refinement of the deepest level, and one for each level above.
package struct IndexQueries: Sendable, Hashable {
  /// What the counts of an additional query are for.
  package enum Purpose: Sendable, Hashable {
    /// A facet, without its own filters.
    case facet(String)
    /// A hierarchy, without the refinement of the deepest level.
    case hierarchy(HierarchicalFacet)
    /// A level of a hierarchy, limited only by the level above.
    case level(Int, of: HierarchicalFacet)
  }

  /// An additional query for counts.
  package struct FacetQuery: Sendable, Hashable {
    package var purpose: Purpose
    package var query: SearchQuery
  }

  /// The parameters in which the filters of the state are sent.
  enum FilterForm: Sendable {
    /// As text, in `filters`.
    case text
    /// As lists, in `facetFilters`, `numericFilters` and `tagFilters`. These are the queries of
    /// InstantSearch.js, so each can use responses to the queries of the other. Filters that a list
    /// cannot express are sent as text.
    case lists
  }

  /// The query for hits, which is the first.
  package let hitsQuery: SearchQuery
  /// The queries for counts: of facets and hierarchies by name, then of levels.
  package let facetQueries: [FacetQuery]

  /// The queries in the order in which they are sent.
  package var all: [SearchQuery] { [hitsQuery] + facetQueries.map(\.query) }

  /// Creates only the query for hits.
  init(onlyHitsOf request: SearchRequest<some Decodable & Sendable>) {
    hitsQuery = request.sentQuery
    facetQueries = []
  }

  /// Creates the queries of a request that no widget has made. It requests the counts itself, by
  /// name or by `*`.
  init(_ request: SearchRequest<some Decodable & Sendable>) {
    let search = WidgetSearch(of: request)
    var state = search.state
    state.query.adoptAdditional(.facets)
    hitsQuery = request.sentQuery
    facetQueries =
      Builder(state: state, parameters: search.parameters, form: .text).facetQueries
  }

  private init(hitsQuery: SearchQuery) {
    self.hitsQuery = hitsQuery
    facetQueries = []
  }

  /// Only the query for hits.
  var onlyHits: IndexQueries { IndexQueries(hitsQuery: hitsQuery) }

  /// Creates the queries of a state and of what its widgets need.
  package init(_ state: IndexState, parameters: WidgetParameters) {
    let builder = Builder(
      state: parameters.completing(state).applying(parameters), parameters: parameters,
      form: .lists)
    hitsQuery = builder.hitsQuery
    facetQueries = builder.facetQueries
  }
}

extension IndexState {
  /// The state with the parameters that widgets need, except facets and filters.
  fileprivate func applying(_ parameters: WidgetParameters) -> IndexState {
    var state = self
    state.query.adoptAdditional(.facets)
    state.query.adoptAdditional(.maxValuesPerFacet)
    let facets = (state.query.facets ?? []) + (parameters.query.facets ?? [])
    state.query = state.query.merging(parameters.query)
    state.query.facets = facets.isEmpty ? nil : facets
    if let count = parameters.maxValuesPerFacet {
      state.query.maxValuesPerFacet = max(state.query.maxValuesPerFacet ?? 0, count)
    }
    return state
  }
}

/// Makes the queries of one state.
private struct Builder {
  let state: IndexState
  let parameters: WidgetParameters
  let form: IndexQueries.FilterForm

  private var groups: FilterGroups { state.filters }

  var hitsQuery: SearchQuery {
    var query = state.query
    let facets = requestedFacets
    query.facets = facets.isEmpty ? nil : facets
    return filtered(query, by: groups)
  }

  /// All facets that are requested, sorted, or only `*`.
  private var requestedFacets: [String] {
    var facets = Array(parameters.conjunctiveFacets)
    facets += parameters.disjunctiveFacets
    facets += state.query.facets ?? []
    for hierarchy in parameters.hierarchies {
      facets += hierarchy.attributes.prefix(path(of: hierarchy).count + 1)
    }
    if facets.contains("*") { return ["*"] }
    // Sorting makes the same ones neighbors, for less than a set of them costs.
    facets.sort(by: String.isBeforeInUTF16)
    var distinct: [String] = []
    for facet in facets where facet != distinct.last { distinct.append(facet) }
    return distinct
  }

  var facetQueries: [IndexQueries.FacetQuery] {
    let numeric = groups.numericAttributes
    let refined = parameters.disjunctiveFacets.filter { name in
      let attribute = Attribute(name)
      return groups.disjunctiveAttributes.contains(attribute) || numeric.contains(attribute)
    }
    let hierarchies = parameters.hierarchies.filter { !path(of: $0).isEmpty }
    let counted = hierarchies.filter { isAsked($0.attributes[path(of: $0).count - 1]) }
    let own =
      refined.map { ($0, facetQuery(of: $0)) }
      + counted.map { ($0.name, facetQuery(of: $0)) }
    return own.sorted { String.isBeforeInUTF16($0.0, $1.0) }.map(\.1)
      + hierarchies.flatMap { hierarchy in
        path(of: hierarchy).indices.dropLast().filter { isAsked(hierarchy.attributes[$0]) }
          .map { facetQuery(ofLevel: $0, of: hierarchy) }
      }
  }

  /// Whether the counts of a level are requested. Widgets request all levels of their hierarchies.
  private func isAsked(_ attribute: String) -> Bool {
    form == .lists || parameters.conjunctiveFacets.contains(attribute)
      || parameters.conjunctiveFacets.contains("*")
  }

  private func facetQuery(of name: String) -> IndexQueries.FacetQuery {
    let attribute = Attribute(name)
    // Numeric filters do not require a facet declaration, and `*` does not show that there is one.
    let isCertain =
      !parameters.conjunctiveFacets.contains("*") || parameters.conjunctiveFacets.contains(name)
      || groups.disjunctiveAttributes.contains(attribute) || form == .lists
    let query = state.query.counting([isCertain ? name : "*"])
    return IndexQueries.FacetQuery(
      purpose: .facet(name),
      query: filtered(query, by: groups.removingDisjunction(on: attribute)))
  }

  private func facetQuery(of hierarchy: HierarchicalFacet) -> IndexQueries.FacetQuery {
    let path = path(of: hierarchy)
    var above = groups
    if let root = hierarchy.rootFilter {
      above[hierarchical: hierarchy.name].path =
        path.count == hierarchy.rootDepth ? [] : [root]
    } else {
      above[hierarchical: hierarchy.name].path.removeLast()
    }
    let query = state.query.counting(hierarchy.attributes.prefix(path.count).filter(isAsked))
    return IndexQueries.FacetQuery(
      purpose: .hierarchy(hierarchy), query: filtered(query, by: above))
  }

  private func facetQuery(
    ofLevel level: Int, of hierarchy: HierarchicalFacet
  ) -> IndexQueries.FacetQuery {
    let path = path(of: hierarchy)
    var others = groups
    others[hierarchical: hierarchy.name].path = []
    let above: Filter.Facet? = level == 0 ? nil : path[level - 1]
    let position = level == 0 ? min(hierarchy.rootDepth, hierarchy.attributes.count - 1) : level
    let query = state.query.counting([hierarchy.attributes[position]])
    return IndexQueries.FacetQuery(
      purpose: .level(level, of: hierarchy), query: filtered(query, by: others, and: above))
  }

  private func path(of hierarchy: HierarchicalFacet) -> [Filter.Facet] {
    Array(groups[hierarchical: hierarchy.name].path.prefix(hierarchy.attributes.count))
  }

  private func filtered(
    _ query: SearchQuery, by groups: FilterGroups, and last: Filter.Facet? = nil
  ) -> SearchQuery {
    switch form {
    case .text:
      let query = query.filtered(by: groups.text)
      return last.map { query.filtered(by: $0.description) } ?? query
    case .lists:
      var lists = FilterLists(groups)
      lists.add(parameters.fixedFilters)
      if let last { lists.add(last) }
      return lists.filter(query)
    }
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
