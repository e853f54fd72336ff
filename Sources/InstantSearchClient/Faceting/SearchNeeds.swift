/// The needs of widgets, which a search covers in addition to its request.
///
/// A custom widget adds its needs when the search calls `declare(in:for:)`.
///
/// Widgets declare facets, so that their counts are requested. Declarations of several widgets are
/// combined, so the number of requests does not depend on the number of widgets. The request's own
/// `facets`, and its filters on them, need no declaration.
public struct SearchNeeds: Sendable, Hashable {
  /// The facets whose refinements are joined by AND. `*` requests all facets.
  public var conjunctiveFacets: Set<String> = []
  /// The facets with refinements joined by OR or with numeric refinements. Each is counted without
  /// its own refinements.
  public var disjunctiveFacets: Set<String> = []
  /// The hierarchies.
  public private(set) var hierarchies: [HierarchicalFacet] = []
  /// The number of values of each facet, if any widget needs a certain number.
  public var maxValuesPerFacet: Int? {
    // Without a number, the server's default has at least as many.
    let counted = countedValues > FacetCounts.defaultLimit ? countedValues : nil
    return listedValues.map { max($0, countedValues) } ?? counted
  }
  private var listedValues: Int?
  private var countedValues = 0
  /// The problem with the options of a widget, which prevents a search; `nil` if all options are
  /// valid.
  package var problem: SearchError?
  /// Filters that are not refinements: they are not listed and not cleared.
  public var fixedFilters = FilterGroups()
  /// Further parameters, which override the parameters of the state.
  public var query = SearchQuery()
  /// Parameters that apply where the state has none, such as a number of hits.
  public var defaultQuery = SearchQuery()
  /// Refinements that apply in addition to the state's refinements, such as the values of a switch
  /// that is off. No action can remove them, and no URL contains them.
  public var defaultFilters = FilterGroups()

  /// Whether facets that are filtered by OR or by numbers, and hierarchies, have additional
  /// queries.
  package var isDisjunctive = true
  /// Whether selected values without matching records are included with count 0.
  package var keepsSelected = true

  /// Creates needs without anything declared.
  public init() {}

  /// Creates needs without anything declared.
  package init(isDisjunctive: Bool, keepsSelected: Bool = true) {
    self.isDisjunctive = isDisjunctive
    self.keepsSelected = keepsSelected
  }

  /// Whether a response without other queries is to be changed.
  var changesCounts: Bool {
    !conjunctiveFacets.isEmpty || !disjunctiveFacets.isEmpty || !hierarchies.isEmpty
      || listedValues != nil || countedValues > 0
  }

  /// The values of a facet that remain though its own query does not list them: all of them if it
  /// was declared.
  func kept(of facet: String) -> FacetCounts.Kept {
    if conjunctiveFacets.contains(facet) || disjunctiveFacets.contains(facet) { return .all }
    return keepsSelected ? .selected : .none
  }

  /// The values of the levels of a hierarchy that remain.
  func kept(of hierarchy: HierarchicalFacet) -> FacetCounts.Kept {
    hierarchies.contains { $0.name == hierarchy.name } ? .all : .selected
  }

  /// Requests at least a number of values of each facet.
  public mutating func requireValuesPerFacet(_ count: Int) {
    listedValues = max(listedValues ?? 0, count)
  }

  /// Requests enough values of each facet that a number of them have counts, which need not be
  /// listed: of the values that a switch or a rating sums up, or that are selected.
  public mutating func requireCounts(ofValues count: Int) {
    countedValues = max(countedValues, count)
  }

  /// The number of values of each facet that a query requests, and the number that is listed;
  /// `nil` for the server's default.
  func valuesPerFacet(in query: SearchQuery) -> (requested: Int?, listed: Int?) {
    func largest(_ count: Int?) -> Int? {
      [query.maxValuesPerFacet, count].compactMap(\.self).max()
    }
    let requested = largest(maxValuesPerFacet)
    return (requested, largest(listedValues) ?? requested.map { _ in FacetCounts.defaultLimit })
  }

  /// Requests the levels of a hierarchy. The first declaration of a hierarchy counts, so a
  /// breadcrumb does not change the display of a menu.
  public mutating func declare(_ hierarchy: HierarchicalFacet) {
    if !hierarchies.contains(where: { $0.name == hierarchy.name }) { hierarchies.append(hierarchy) }
  }

  /// The declared hierarchy with a name; `nil` without one.
  package func hierarchy(named name: String) -> HierarchicalFacet? {
    hierarchies.first { $0.name == name }
  }
}

extension SearchNeeds {
  /// Adds defaults that the request lacks: default parameters and filters, and the root paths of
  /// hierarchies.
  package func complete(_ query: inout SearchQuery, _ filters: inout FilterGroups) {
    let own = filters
    if !defaultQuery.isEmpty { query = defaultQuery.merging(query) }
    for (id, added) in defaultFilters.groups {
      switch id {
      case .and(let name): filters[and: name].add(contentsOf: added)
      case .or(let name, _):
        filters[or: name].add(contentsOf: added.compactMap(Filter.Facet.init))
      case .hierarchical: break
      }
    }
    for hierarchy in hierarchies where hierarchy.rootPath != nil {
      filters.filter(by: own.path(of: hierarchy), of: hierarchy)
    }
  }

  /// The needs of widgets, including the needs of the outer screen.
  package func inheriting(_ outer: SearchNeeds) -> SearchNeeds {
    var needs = self
    needs.problem = problem ?? outer.problem
    needs.isDisjunctive = outer.isDisjunctive
    needs.keepsSelected = outer.keepsSelected
    needs.conjunctiveFacets.formUnion(outer.conjunctiveFacets)
    needs.disjunctiveFacets.formUnion(outer.disjunctiveFacets)
    for hierarchy in outer.hierarchies { needs.declare(hierarchy) }
    needs.listedValues = listedValues ?? outer.listedValues
    needs.countedValues = max(countedValues, outer.countedValues)
    for (id, filters) in outer.fixedFilters.groups {
      if case .and(let name) = id { needs.fixedFilters[and: name].add(contentsOf: filters) }
    }
    needs.query = outer.query.merging(query)
    needs.defaultQuery = outer.defaultQuery.merging(defaultQuery)
    needs.defaultFilters = outer.defaultFilters.overridden(by: defaultFilters)
    return needs
  }
}
