/// The facets of one response, or of the merged responses of one search.
public struct FacetCounts: Sendable, Equatable {
  /// The facets.
  public var facets: Facets
  /// Statistics of numeric facets, by attribute.
  public var stats: [String: FacetStats]
  /// Whether the counts of all facets are exact, if the server reports it.
  public var isExhaustive: Bool?
  /// Whether the counts of one facet are exact, if they come from an additional query.
  package var exhaustive: [String: Bool] = [:]

  package init(
    facets: Facets = Facets(), stats: [String: FacetStats] = [:], isExhaustive: Bool? = nil
  ) {
    self.facets = facets
    self.stats = stats
    self.isExhaustive = isExhaustive
  }

  package init(of page: HitsPage<some Decodable & Sendable>) {
    self.init(
      facets: page.facets, stats: page.facetStats, isExhaustive: page.exhaustive.facetsCount)
  }

  /// Whether the counts of a facet are exact, if known.
  public func isExhaustive(_ facet: String) -> Bool? { exhaustive[facet] ?? isExhaustive }

  // MARK: Merging

  /// Merges the response to an additional query, and keeps the values that it does not have.
  ///
  /// - Of a disjunctive facet, each value has the larger of both counts: the query for hits may
  ///   list values that the other one cuts off.
  /// - Of a hierarchy, the additional query counts the alternatives to the path, so its counts
  ///   replace the others.
  /// - Above the refined level, the refined root keeps its count, which is that of the hits.
  ///
  /// A level of a hierarchy that the hits do not have is not added.
  package mutating func merge(
    _ other: FacetCounts, for purpose: IndexQueries.Purpose, of state: IndexState
  ) {
    switch purpose {
    case .facet(let name):
      guard let facet = other.facets[name] else { return }
      if let stats = other.stats[name] { self.stats[name] = stats }
      exhaustive[name] = other.isExhaustive
      facets[name] = facets[name].map { $0.maximum(facet) } ?? facet
    case .hierarchy(let hierarchy):
      for facet in other.facets where hierarchy.attributes.contains(facet.attribute) {
        replaceCounts(by: facet)
      }
    case .level(_, let hierarchy):
      let path = state.filters[hierarchical: hierarchy.name].path
      let root = hierarchy.persistsRootCount ? nil : path.first?.value.text
      for facet in other.facets where hierarchy.attributes.contains(facet.attribute) {
        replaceCounts(by: facet, keeping: root)
      }
    }
  }

  private mutating func replaceCounts(by other: Facet, keeping root: String? = nil) {
    guard let own = facets[other.attribute] else { return }
    let counts = other.counts
    var merged = other
    merged.values += own.values.filter { counts[$0.value] == nil }
    if let root, let count = own[root],
      let position = merged.values.firstIndex(where: { $0.value == root })
    {
      merged.values[position].count = count
    }
    facets[other.attribute] = merged
  }

  /// Replaces the counts of a facet or a hierarchy by those of an additional query.
  package mutating func replace(by other: FacetCounts, for purpose: IndexQueries.Purpose) {
    let names =
      switch purpose {
      case .facet(let name): [name]
      case .hierarchy(let hierarchy), .level(_, let hierarchy): hierarchy.attributes
      }
    for name in names {
      if let facet = other.facets[name] { facets[name] = facet }
      if let stats = other.stats[name] { self.stats[name] = stats }
    }
  }

  /// Adds the values that no response has, with count 0: the refined ones of the disjunctive facets
  /// in `counted`, and the excluded ones of all others.
  package mutating func addMissing(
    of state: IndexState, parameters: WidgetParameters, counted: some Sequence<String>
  ) {
    for name in counted { add(state.values(of: name, operator: .or), to: name, isCreated: false) }
    for name in parameters.conjunctiveFacets {
      let excluded = state.filters(of: name, operator: .and).filter(\.isNegated)
      add(excluded.map(\.value.text), to: name, isCreated: true)
    }
  }

  /// Adds values that are not in a facet, with count 0.
  ///
  /// - Parameter isCreated: Whether to create the facet if it has no values.
  package mutating func add(_ values: [String], to name: String, isCreated: Bool) {
    guard var facet = facets[name] ?? (isCreated ? Facet(attribute: name) : nil) else { return }
    var known = Set(facet.values.map(\.value))
    facet.values += values.filter { known.insert($0).inserted }
      .map { FacetValue(value: $0, count: 0) }
    facets[name] = facet
  }
}

extension Facet {
  /// Returns the values of both facets with the larger count of each, those of `other` first.
  fileprivate func maximum(_ other: Facet) -> Facet {
    let counts = counts
    var merged = other
    for index in merged.values.indices {
      let value = merged.values[index]
      merged.values[index].count = max(value.count, counts[value.value] ?? 0)
    }
    let known = Set(other.values.map(\.value))
    merged.values += values.filter { !known.contains($0.value) }
    return merged
  }
}
