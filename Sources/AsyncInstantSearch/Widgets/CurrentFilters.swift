/// The attributes whose refinements a widget lists or clears.
public enum FilteredAttributes: Sendable, Hashable {
  /// Only these attributes; `query` is the text of the search.
  case only(Set<String>)
  /// All attributes except these.
  case allExcept(Set<String>)

  /// All refinements, but not the text of the search.
  public static let allButQuery = FilteredAttributes.allExcept([queryName])

  /// The name of the text of the search.
  static let queryName = "query"

  func contains(_ attribute: String) -> Bool {
    switch self {
    case .only(let attributes): attributes.contains(attribute)
    case .allExcept(let attributes): !attributes.contains(attribute)
    }
  }
}

/// The refinements of the search, each of which can be removed.
///
/// Use it where the refining widgets are out of sight: it shows all selected filters, including
/// filters that no widget of the screen shows.
public struct CurrentFilters: SearchWidget {
  /// What current filters display.
  public struct View: Sendable, Hashable {
    /// The refinements by attribute, in the order of their kinds.
    public var groups: [Group] = []
    /// Whether there are refinements.
    public var canRefine: Bool { !groups.isEmpty }
  }

  /// The refinements of one attribute.
  public struct Group: Sendable, Hashable {
    /// The index, or the replica that sorts its records.
    public var indexName: String
    /// The attribute; for a hierarchy, its top-level attribute; `query` for the text.
    public var attribute: String
    /// The refinements.
    public var items: [Item]
  }

  /// One refinement.
  public struct Item: Sendable, Hashable {
    /// The kind of a refinement.
    public enum Kind: Int, Sendable, Hashable {
      /// A value that all records have.
      case facet
      /// A value that no record has.
      case excluded
      /// A value joined by OR: a record has at least one of the selected values.
      case disjunctive
      /// A path of a hierarchy, or the value of a menu.
      case hierarchical
      /// A comparison with a number.
      case numeric
      /// A tag.
      case tag
      /// The text of the search.
      case query
    }

    /// The attribute; for a hierarchy, its top-level attribute; `query` for the text.
    public var attribute: String
    /// The kind.
    public var kind: Kind
    /// The value, path, tag or text; for a comparison, its number.
    public var value: String
    /// The operator of a comparison.
    public var `operator`: Filter.Numeric.Operator?
    /// The bounds of a range or a rating.
    public var range: ClosedRange<Double>?
    /// The number of hits with the value; `nil` if the results do not have it.
    public var count: Int?
    /// Whether the count is exact; `nil` without a count.
    public var isExhaustive: Bool?
    /// The filters; empty for the text of the search.
    public var filters: [Filter] = []

    /// The text to display: the value, with the sign of a comparison, such as `≥ 10`.
    public var label: String {
      if let sign = `operator`?.sign { return "\(sign) \(value)" }
      if let range { return "\(range.lowerBound.plainNumber)–\(range.upperBound.plainNumber)" }
      return value
    }
  }

  /// The attributes whose refinements are listed.
  public var attributes: FilteredAttributes

  /// Creates current filters.
  ///
  /// - Parameter attributes: The attributes whose refinements are listed. Defaults to all
  ///   refinements, but not the text of the search.
  public init(_ attributes: FilteredAttributes = .allButQuery) {
    self.attributes = attributes
  }

  /// Removes a refinement.
  public func remove(_ item: Item) -> Action {
    refining { state in
      state.remove([item])
    }
  }

  /// Requests the counts of the selected values.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.requireCounts(ofValues: state.filters.groups.map(\.filters.count).max() ?? 0)
  }

  /// The selected filters in groups, with their counts in the newest results.
  public func view(_ context: Context) -> View {
    View(groups: groups(in: context.state, context.results?.counts))
  }

  fileprivate func groups(in state: IndexState, _ counts: FacetCounts?) -> [Group] {
    var items = state.filters.groups.flatMap { id, filters in
      if let rating = Item(rating: filters, in: id) { return [rating] }
      let counts = SelectedCounts(of: filters, in: counts)
      return filters.map { Item($0, in: id, counts) }
    }
    if let text = state.query.query, text.contains(where: { !$0.isWhitespace }) {
      items.append(
        Item(attribute: FilteredAttributes.queryName, kind: .query, value: text))
    }
    items = items.filter { attributes.contains($0.attribute) }
    var groups: [Group] = []
    // Sorting is stable, so the values of a kind keep their order.
    for item in items.sorted(by: { $0.kind.rawValue < $1.kind.rawValue }) {
      if let position = groups.firstIndex(where: { $0.attribute == item.attribute }) {
        groups[position].items.append(item)
      } else {
        groups.append(
          Group(
            indexName: state.indexName, attribute: item.attribute, items: [item]))
      }
    }
    return groups.map(\.sortedByNumber)
  }
}

extension Filter.Numeric.Operator {
  /// The sign in mathematics.
  fileprivate var sign: String {
    switch self {
    case .less: "<"
    case .lessOrEqual: "≤"
    case .equal: "="
    case .notEqual: "≠"
    case .greaterOrEqual: "≥"
    case .greater: ">"
    }
  }
}

extension CurrentFilters.Group {
  /// The group with its comparisons sorted by number.
  fileprivate var sortedByNumber: Self {
    guard items.allSatisfy({ $0.kind == .numeric }) else { return self }
    var copy = self
    copy.items.sort { $0.firstNumber < $1.firstNumber }
    return copy
  }
}

extension IndexState {
  /// Removes refinements.
  fileprivate mutating func remove(_ items: [CurrentFilters.Item]) {
    var unwanted: [Filter] = []
    for item in items {
      switch item.kind {
      case .query: query.query = ""
      case .hierarchical: filters[hierarchical: item.attribute] = HierarchicalFilters()
      default: unwanted += item.filters
      }
    }
    if !unwanted.isEmpty { filters.remove(contentsOf: unwanted) }
  }
}

extension ClosedRange<Double> {
  /// The range as it is in filters.
  fileprivate var text: String { "\(lowerBound.plainNumber) TO \(upperBound.plainNumber)" }
}

extension CurrentFilters.Item {
  /// The number of a comparison, or the lower bound of a range.
  fileprivate var firstNumber: Double { range?.lowerBound ?? Double(value) ?? 0 }

  /// The two comparisons of a rating; `nil` for other groups.
  fileprivate init?(rating filters: [Filter], in id: FilterGroups.ID) {
    guard case .and(let name) = id, let attribute = filters.first?.attribute.rawValue,
      name == IndexState.ratingGroup(of: attribute), filters.count == 2,
      filters.allSatisfy({ $0.attribute.rawValue == attribute })
    else { return nil }
    var bounds: [Filter.Numeric.Operator: Double] = [:]
    for case .numeric(let filter) in filters where !filter.isNegated {
      if case .comparison(let sign, let number) = filter.value { bounds[sign] = number }
    }
    guard let lower = bounds[.greaterOrEqual], let upper = bounds[.lessOrEqual], lower <= upper
    else { return nil }
    self.init(
      attribute: attribute, kind: .numeric, value: (lower...upper).text, range: lower...upper,
      filters: filters)
  }

  fileprivate init(_ filter: Filter, in id: FilterGroups.ID, _ counts: SelectedCounts) {
    filters = [filter]
    attribute = filter.attribute.rawValue
    switch (filter, id) {
    case (.facet(let facet), .hierarchical(let name)):
      kind = .hierarchical
      value = facet.value.text
      (count, isExhaustive) = counts.count(of: value, attribute)
      attribute = name
    case (.facet(let facet), _):
      kind =
        switch id {
        case .or: .disjunctive
        default: facet.isNegated ? .excluded : .facet
        }
      value = facet.value.text
      (count, isExhaustive) = counts.count(of: value, attribute)
    case (.numeric(let numeric), _):
      kind = .numeric
      switch numeric.value {
      case .comparison(let sign, let number):
        value = number.plainNumber
        `operator` = sign
      case .range(let range):
        value = range.text
        self.range = range
      }
    case (.tag(let tag), _):
      kind = .tag
      value = tag.value
    }
  }
}

/// The counts of the values in a group of filters.
private struct SelectedCounts {
  let counts: FacetCounts?
  /// The counts by attribute and value. Looking up few values does not need them.
  private var stored: [String: [String: Int]] = [:]

  init(of filters: [Filter], in counts: FacetCounts?) {
    self.counts = counts
    guard let counts, filters.count > 8 else { return }
    for attribute in Set(filters.map(\.attribute.rawValue)) {
      stored[attribute] = counts.all(attribute).map { facet in
        Dictionary(
          facet.values.map { ($0.value, $0.count) }, uniquingKeysWith: { first, _ in first })
      }
    }
  }

  /// The count of a value, and whether it is exact; both `nil` if the results do not have it.
  func count(of value: String, _ attribute: String) -> (count: Int?, isExhaustive: Bool?) {
    let count =
      if let stored = stored[attribute] { stored[value] } else {
        counts?.all(attribute)?[value]
      }
    return (count, count == nil ? nil : counts?.isExhaustive(attribute))
  }
}

/// Removes refinements.
///
/// Use it for a button that removes all refinements at once, or only some attributes' refinements,
/// for example beside a message that nothing was found.
public struct FilterClear: SearchWidget {
  /// What a clear button displays.
  public struct View: Sendable, Hashable {
    /// Whether there are refinements to remove.
    public var canRefine = false
  }

  /// The attributes whose refinements are removed.
  public var attributes: FilteredAttributes

  /// Creates a clear button.
  ///
  /// - Parameter attributes: The attributes whose refinements are removed. Defaults to all
  ///   refinements, but not the text of the search.
  public init(_ attributes: FilteredAttributes = .allButQuery) {
    self.attributes = attributes
  }

  /// Removes the refinements.
  public func clear() -> Action {
    refining { state in
      state.query.page = 0
      state.remove(CurrentFilters(attributes).groups(in: state, nil).flatMap(\.items))
    }
  }

  /// Whether there are filters to remove.
  public func view(_ context: Context) -> View {
    View(canRefine: !CurrentFilters(attributes).groups(in: context.state, nil).isEmpty)
  }
}
