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
  /// The facets that may have values that are not listed, because as many are listed as were
  /// requested.
  package var cut: Set<String> = []
  /// The facets with more values than are listed, with all of them, for their counts.
  private var long: [String: Facet] = [:]

  /// The number of values of a facet that a server returns unless a search or the settings say
  /// otherwise.
  package static let defaultLimit = 100

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

  /// Limits the facets of a search's response to the listed values, and notes which facets may have
  /// more values.
  ///
  /// A server lists the most frequent values. So widgets that count more values do not change the
  /// values that other widgets list.
  ///
  /// - Parameters:
  ///   - requested: The number of values that were requested; `nil` for the server's default.
  ///   - listed: The number of values that are listed; `nil` for all.
  package mutating func limit(requested: Int?, listed: Int?) {
    let requested = requested ?? Self.defaultLimit
    cut = Set(facets.lazy.filter { $0.values.count >= requested }.map(\.attribute))
    guard let listed = listed.map({ max(0, $0) }), listed < requested else { return }
    for facet in facets where facet.values.count > listed {
      long[facet.attribute] = facet
      facets[facet.attribute]?.values.removeSubrange(listed...)
    }
  }

  /// Returns a facet with all of its values, including unlisted values.
  package func all(_ facet: String) -> Facet? { long[facet] ?? facets[facet] }

  /// Returns the values of a facet that are numbers, with the number of hits of each.
  package func numbers(_ facet: String) -> [(number: Double, count: Int)] {
    (all(facet)?.values ?? []).compactMap { value in
      Double(value.value).map { (number: $0, count: value.count) }
    }
  }

  /// Returns the number of hits with a value, 0 if no hit has it, or `nil` if that is not known:
  /// the value is not listed, and there may be more values than the response lists.
  public func count(of value: String, in facet: String) -> Int? {
    all(facet)?[value] ?? (cut.contains(facet) ? nil : 0)
  }

  /// Whether the counts of a facet are exact, if known.
  public func isExhaustive(_ facet: String) -> Bool? { exhaustive[facet] ?? isExhaustive }

  // MARK: Merging

  /// The values of a facet that remain though its own query does not list them.
  package enum Kept: Sendable {
    /// All values if that query lists all of them, otherwise the selected values. A facet without
    /// values, or a level of a hierarchy without hits, is not added.
    case all
    /// The selected values, so that a page has the requested number of values.
    case selected
    case none
  }

  /// Merges the response to an additional query.
  ///
  /// - Of a disjunctive facet, each value has the larger of both counts: the query for hits may
  ///   list selected values that the additional query cuts off. The query for hits counts
  ///   unselected values too low.
  /// - Of a hierarchy, the additional query counts the alternatives to the path, so its counts
  ///   replace the others.
  /// - Above the refined level, the refined root keeps its count, the number of hits.
  ///
  /// - Parameters:
  ///   - other: The response.
  ///   - purpose: The counts that the query is for.
  ///   - filters: The filters of the search.
  ///   - kept: The values that remain. Defaults to all of them.
  package mutating func merge(
    _ other: FacetCounts, for purpose: SearchPlan.Purpose, filteredBy filters: FilterGroups,
    keeping kept: Kept = .all
  ) {
    switch purpose {
    case .facet(let name):
      guard let facet = other.facets[name] else { return }
      if let stats = other.stats[name] { self.stats[name] = stats }
      exhaustive[name] = other.isExhaustive
      func keeping(_ own: Facet?) -> Facet {
        var own = own ?? Facet(attribute: name)
        switch kept {
        case .all where !other.cut.contains(name): break
        case .all, .selected:
          let selected = Set(filters.selectedValues(of: name))
          own.values.removeAll { !selected.contains($0.value) }
        case .none: own.values = []
        }
        return own
      }
      long[name] = other.long[name].map { keeping(all(name)).maximum($0) }
      facets[name] = keeping(facets[name]).maximum(facet)
      takeCut(of: name, from: other)
    case .hierarchy(let hierarchy):
      for facet in other.facets where hierarchy.attributes.contains(facet.attribute) {
        replaceCounts(by: facet, keeping: kept)
        takeUnlisted(of: facet.attribute, from: other)
      }
    case .level(_, let hierarchy):
      let path = filters[hierarchical: hierarchy.name].path
      let root = hierarchy.persistsRootCount ? nil : path.first?.value.text
      for facet in other.facets where hierarchy.attributes.contains(facet.attribute) {
        replaceCounts(by: facet, keeping: kept, root: root)
        takeUnlisted(of: facet.attribute, from: other)
      }
    }
  }

  /// Takes the known counts of unlisted values of a facet.
  private mutating func takeUnlisted(of name: String, from other: FacetCounts) {
    guard facets[name] != nil else { return }
    long[name] = other.long[name]
    takeCut(of: name, from: other)
  }

  /// Takes whether a facet may have values that are not listed.
  private mutating func takeCut(of name: String, from other: FacetCounts) {
    if other.cut.contains(name) { cut.insert(name) } else { cut.remove(name) }
  }

  private mutating func replaceCounts(by other: Facet, keeping kept: Kept, root: String? = nil) {
    if kept != .all {
      facets[other.attribute] = other
      return
    }
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

  /// Adds values without hits, with count 0: the selected values of the facets in `counted`, and
  /// the excluded values of facets that were declared as conjunctive. Selected values that a cut
  /// list lacks may have hits, and are not added.
  package mutating func addMissing(
    filteredBy filters: FilterGroups, needs: SearchNeeds, counted: some Sequence<String>
  ) {
    for name in counted where !cut.contains(name) {
      let isCreated = needs.kept(of: name) != .all
      add(filters.selectedValues(of: name), to: name, isCreated: isCreated)
    }
    for name in needs.conjunctiveFacets {
      let excluded = filters.filters(of: name, operator: .and).filter(\.isNegated)
      add(excluded.map(\.value.text), to: name, isCreated: true)
    }
  }

  /// Adds values that are not in a facet, with count 0.
  ///
  /// - Parameter isCreated: Whether to create the facet if it has no values.
  package mutating func add(_ values: [String], to name: String, isCreated: Bool) {
    if values.isEmpty { return }
    guard var facet = facets[name] ?? (isCreated ? Facet(attribute: name) : nil) else { return }
    var known = Set(facet.values.map(\.value))
    facet.values += values.filter { known.insert($0).inserted }
      .map { FacetValue(value: $0, count: 0) }
    facets[name] = facet
  }
}

extension FilterGroups {
  /// The values by which filters refine a facet, in any group.
  fileprivate func selectedValues(of facet: String) -> [String] {
    let values = filters(for: Attribute(facet)).compactMap { filter -> String? in
      guard case .facet(let filter) = filter, !filter.isNegated else { return nil }
      return filter.value.text
    }
    return values.sorted(by: String.isBeforeInUTF16)
  }
}

extension Facet {
  /// Returns the values of both facets with the larger count of each, the values of `other` first.
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
