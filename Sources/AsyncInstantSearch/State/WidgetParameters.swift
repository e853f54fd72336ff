/// What the widgets of an index need from a search, in addition to its state.
///
/// Widgets declare facets, so that their counts are requested. Declarations of several widgets are
/// combined, so the number of requests does not depend on the number of widgets.
public struct WidgetParameters: Sendable, Hashable {
  /// The facets whose refinements are joined by AND. `*` requests all facets.
  public var conjunctiveFacets: Set<String> = []
  /// The facets whose refinements are joined by OR, and those with numeric refinements. Each of
  /// them is counted without its own refinements.
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
  /// What is wrong with the options of a widget, so that nothing can be searched; `nil` if nothing
  /// is.
  var problem: SearchError?
  /// Filters that are not refinements: they are not listed and not cleared.
  public var fixedFilters = FilterGroups()
  /// Further parameters, which override those of the state.
  public var query = SearchQuery()
  /// Parameters that apply where the state has none, such as a number of hits.
  public var defaultQuery = SearchQuery()
  /// Refinements that apply in addition to those of the state, such as the values of a switch that
  /// is off. No action can remove them, and no URL contains them.
  public var defaultFilters = FilterGroups()

  /// Creates parameters that need nothing.
  public init() {}

  /// Requests at least a number of values of each facet.
  public mutating func requireValuesPerFacet(_ count: Int) {
    listedValues = max(listedValues ?? 0, count)
  }

  /// Requests enough values of each facet that a number of them have counts, which need not be
  /// listed: of the values that a switch or a rating sums up, or that are chosen.
  public mutating func requireCounts(ofValues count: Int) {
    countedValues = max(countedValues, count)
  }

  /// The number of values of each facet that a search of a state requests, and the number that is
  /// listed; `nil` for the server's default.
  func valuesPerFacet(in state: IndexState) -> (requested: Int?, listed: Int?) {
    func largest(_ count: Int?) -> Int? {
      [state.query.maxValuesPerFacet, count].compactMap(\.self).max()
    }
    let requested = largest(maxValuesPerFacet)
    return (requested, largest(listedValues) ?? requested.map { _ in FacetCounts.defaultLimit })
  }

  /// Requests the levels of a hierarchy. The first declaration of a hierarchy counts, so a
  /// breadcrumb does not change what a menu shows.
  public mutating func declare(_ hierarchy: HierarchicalFacet) {
    if !hierarchies.contains(where: { $0.name == hierarchy.name }) { hierarchies.append(hierarchy) }
  }

  /// The declared hierarchy with a name; `nil` if there is none.
  func hierarchy(named name: String) -> HierarchicalFacet? {
    hierarchies.first { $0.name == name }
  }

  /// The declarations of a request that no widget has made: its facets, and its filters on them.
  init(of request: IndexState) {
    let asked = Set(request.query.facets ?? [])
    let groups = request.filters
    conjunctiveFacets = asked
    disjunctiveFacets = Set(
      groups.disjunctiveAttributes.union(groups.numericAttributes).map(\.rawValue)
        .filter { asked.contains($0) || asked.contains("*") })
    hierarchies = groups.hierarchies.map { name, hierarchy in
      HierarchicalFacet(attributes: hierarchy.attributes.map(\.rawValue), name: name)
    }
  }
}

extension WidgetParameters {
  /// A state with what widgets add where it has nothing: default parameters and filters, and the
  /// root paths of hierarchies.
  package func completing(_ state: IndexState) -> IndexState {
    var completed = state
    if !defaultQuery.isEmpty { completed.query = defaultQuery.merging(state.query) }
    for (id, filters) in defaultFilters.groups {
      switch id {
      case .and(let name): completed.filters[and: name].add(contentsOf: filters)
      case .or(let name, _):
        completed.filters[or: name].add(contentsOf: filters.compactMap(Filter.Facet.init))
      case .hierarchical: break
      }
    }
    for hierarchy in hierarchies where hierarchy.rootPath != nil {
      completed.filter(by: state.path(of: hierarchy), of: hierarchy)
    }
    return completed
  }

  /// The needs of widgets, with those of the screen around them.
  func inheriting(_ outer: WidgetParameters) -> WidgetParameters {
    var parameters = self
    parameters.problem = problem ?? outer.problem
    parameters.conjunctiveFacets.formUnion(outer.conjunctiveFacets)
    parameters.disjunctiveFacets.formUnion(outer.disjunctiveFacets)
    for hierarchy in outer.hierarchies { parameters.declare(hierarchy) }
    parameters.listedValues = listedValues ?? outer.listedValues
    parameters.countedValues = max(countedValues, outer.countedValues)
    for (id, filters) in outer.fixedFilters.groups {
      if case .and(let name) = id { parameters.fixedFilters[and: name].add(contentsOf: filters) }
    }
    parameters.query = outer.query.merging(query)
    parameters.defaultQuery = outer.defaultQuery.merging(defaultQuery)
    parameters.defaultFilters = outer.defaultFilters.overridden(by: defaultFilters)
    return parameters
  }
}
