/// One criterion by which the values of a facet are sorted.
///
/// ```swift
/// FacetList(attribute: "brand", sortBy: [.isRefined, .count(.descending), .name(.ascending)])
/// ```
public struct FacetSortCriterion: Sendable, Hashable, Codable {
  /// The compared property.
  public enum Field: String, Sendable, Hashable, Codable {
    /// Whether the value is refined.
    case isRefined
    /// The number of hits with the value.
    case count
    /// The value, or the last segment of a path. Compared by UTF-16 code units.
    case name
    /// The whole path; no criterion for values that are not paths.
    case path
    /// The value as it is written in filters, with a backslash before a leading minus sign.
    case escapedValue
  }

  /// The direction.
  public enum Order: String, Sendable, Hashable, Codable {
    /// The smallest first.
    case ascending
    /// The largest first; refined values before the others.
    case descending
  }

  /// The compared property.
  public var field: Field
  /// The direction.
  public var order: Order

  /// Creates a criterion.
  public init(_ field: Field, _ order: Order) {
    self.field = field
    self.order = order
  }

  /// Refined values first.
  public static let isRefined = FacetSortCriterion(.isRefined, .descending)
  /// Sorts by count.
  public static func count(_ order: Order) -> FacetSortCriterion { .init(.count, order) }
  /// Sorts by name.
  public static func name(_ order: Order) -> FacetSortCriterion { .init(.name, order) }
}

/// A value of a facet, as widgets show it.
public struct FacetItem: Sendable, Hashable {
  /// The value, which refines the search.
  public var value: String
  /// The value with the matches of a search for values marked; `nil` without such a search.
  public var highlighted: HighlightedString?
  /// The number of hits with the value; `nil` if it is not known, because more values have hits
  /// than the search asked for. Only values that refine the search have no count.
  public var count: Int?
  /// Whether the search is refined by the value.
  public var isRefined: Bool
  /// Whether records with the value are excluded.
  public var isExcluded: Bool

  /// Creates a value of a facet. Defaults to a value that is not refined.
  public init(
    value: String, highlighted: HighlightedString? = nil, count: Int?, isRefined: Bool = false,
    isExcluded: Bool = false
  ) {
    self.value = value
    self.highlighted = highlighted
    self.count = count
    self.isRefined = isRefined
    self.isExcluded = isExcluded
  }
}

extension FacetItem: SortableFacetValue {
  package var name: String { value }
  package var path: String? { nil }
  package var sortedCount: Int { count ?? 0 }
}

/// A value of a facet that may be displayed. It is smaller than an item, and sorting moves values.
struct CountedValue: Sendable, SortableFacetValue {
  let name: String
  let count: Int?
  var isRefined = false
  var isExcluded = false
  var path: String? { nil }
  var sortedCount: Int { count ?? 0 }

  var item: FacetItem {
    FacetItem(value: name, count: count, isRefined: isRefined, isExcluded: isExcluded)
  }
}

extension Facet {
  /// Returns the values as items of a state.
  public func items(in state: IndexState, operator: FacetOperator) -> [FacetItem] {
    rows(in: state, operator: `operator`).map(\.item)
  }

  /// The values of a state, in the order of the facet.
  func rows(in state: IndexState, operator: FacetOperator) -> [CountedValue] {
    let filters = state.filters(of: attribute, operator: `operator`)
    if filters.isEmpty { return values.map { CountedValue(name: $0.value, count: $0.count) } }
    let refined = Set(filters.lazy.filter { !$0.isNegated }.map(\.value.text))
    let excluded = Set(filters.lazy.filter(\.isNegated).map(\.value.text))
    return values.map {
      CountedValue(
        name: $0.value, count: $0.count, isRefined: refined.contains($0.value),
        isExcluded: excluded.contains($0.value))
    }
  }
}

/// A value that can be sorted by criteria.
package protocol SortableFacetValue {
  var name: String { get }
  var path: String? { get }
  /// The count, or 0 if it is not known.
  var sortedCount: Int { get }
  var isRefined: Bool { get }
}

extension SortableFacetValue {
  /// The name by which an ordering of the server refers to the value.
  fileprivate var orderedName: String { path ?? name }
  fileprivate var escapedValue: String { orderedName.escapedFacetValue }
}

extension String {
  /// The value as it is written in lists of filters.
  ///
  /// A backslash is added before a leading minus sign, and before backslashes in front of it, so
  /// that different values are never written alike.
  package var escapedFacetValue: String { isMinusAfterBackslashes() ? #"\"# + self : self }

  /// The value without the backslash that escaping adds.
  package var unescapedFacetValue: String {
    isMinusAfterBackslashes(atLeast: 1) ? String(unicodeScalars.dropFirst()) : self
  }

  private func isMinusAfterBackslashes(atLeast count: Int = 0) -> Bool {
    let backslashes = unicodeScalars.prefix { $0 == #"\"# }.count
    return backslashes >= count && unicodeScalars.dropFirst(backslashes).first == "-"
  }
}

extension Array where Element: SortableFacetValue {
  /// Returns the values in the order of criteria. Equal values keep their order.
  fileprivate func sorted(by criteria: [FacetSortCriterion]) -> [Element] {
    // The server sends values by their counts.
    let isSorted = indices.dropFirst().allSatisfy { !criteria.isBefore(self[$0], self[$0 - 1]) }
    if isSorted { return self }
    // Positions are sorted, because moving values costs more than comparing them.
    return indices.sorted { criteria.isBefore(self[$0], self[$1]) }.map { self[$0] }
  }
}

extension [FacetSortCriterion] {
  /// The order of a list of facet values: refined ones first, then by count, then by name.
  package static var facetListDefault: Self {
    [.isRefined, .count(.descending), .name(.ascending)]
  }

  /// Whether a value is before another one.
  fileprivate func isBefore(
    _ first: some SortableFacetValue, _ second: some SortableFacetValue
  ) -> Bool {
    for criterion in self {
      let comparison = criterion.compare(first, second)
      if comparison != 0 { return (comparison < 0) == (criterion.order == .ascending) }
    }
    return false
  }
}

extension FacetSortCriterion {
  /// A negative number if the first value is smaller, 0 if both are equal.
  fileprivate func compare(
    _ first: some SortableFacetValue, _ second: some SortableFacetValue
  ) -> Int {
    switch field {
    case .isRefined: (first.isRefined ? 1 : 0) - (second.isRefined ? 1 : 0)
    case .count: first.sortedCount - second.sortedCount
    case .name: String.comparedInUTF16(first.name, second.name)
    case .path: String.comparedInUTF16(first.path ?? "", second.path ?? "")
    case .escapedValue: String.comparedInUTF16(first.escapedValue, second.escapedValue)
    }
  }
}

extension Array where Element: SortableFacetValue {
  /// Returns the values in the order to display.
  ///
  /// - Parameters:
  ///   - criteria: The criteria, the most significant first. Equal values keep their order.
  ///   - ordering: The server's ordering of the facet; `nil` without one.
  ///   - isOverriding: Whether the criteria replace the server's order. Values that it hides are
  ///     hidden in any case.
  package func ordered(
    by criteria: [FacetSortCriterion], _ ordering: FacetValuesOrder?, isOverriding: Bool
  ) -> [Element] {
    guard let ordering else { return sorted(by: criteria) }
    let hidden = Set(ordering.hide)
    let shown = filter { !hidden.contains($0.orderedName) }
    if isOverriding { return shown.sorted(by: criteria) }
    var positions: [String: Int] = [:]
    for (position, name) in ordering.order.enumerated() { positions[name] = position }
    let pinned = shown.filter { positions[$0.orderedName] != nil }
      .sorted { (positions[$0.orderedName] ?? 0) < (positions[$1.orderedName] ?? 0) }
    let rest = shown.filter { positions[$0.orderedName] == nil }
    return switch ordering.sortRemainingBy {
    case .hidden: pinned
    case .alphabetical:
      pinned
        + rest.sorted(by: [FacetSortCriterion(.path, .ascending), .name(.ascending)])
    default: pinned + rest.sorted(by: [FacetSortCriterion.count(.descending)])
    }
  }
}
