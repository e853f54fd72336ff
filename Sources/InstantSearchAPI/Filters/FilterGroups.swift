/// Named groups of filters. A record matches if it matches every group.
///
/// All filters of an AND group must match, and at least one of an OR group. An OR group has
/// filters of one kind, because the contract has no OR of different kinds. A hierarchical group is
/// a path down the levels of a category tree.
///
/// ```swift
/// var groups = FilterGroups()
/// groups[or: "brand"].add("brand" == "Apple", "brand" == "Sony")
/// groups[and: "price"].add("price" < 500)
/// groups.text  // ("brand":"Apple" OR "brand":"Sony") AND "price" < 500
/// ```
public struct FilterGroups: Sendable, Hashable {
  /// The identity of a group. Groups with the same name but of different types are different
  /// groups.
  public enum ID: Sendable, Hashable {
    /// An AND group: all filters must match.
    case and(String)
    /// An OR group: at least one of its filters, all of the given kind, must match.
    case or(String, Filter.Kind)
    /// A path down the levels of a tree.
    case hierarchical(String)

    /// The group's name.
    public var name: String {
      switch self {
      case .and(let name), .or(let name, _), .hierarchical(let name): name
      }
    }
  }

  private var filterLists: [ID: FilterList<Filter>] = [:]
  private var paths: [String: HierarchicalFilters] = [:]

  /// Creates an empty set of groups.
  public init() {}

  /// The AND group with a name; empty if it doesn't exist. Empty groups are removed.
  public subscript(and name: String) -> FilterList<Filter> {
    get { filterLists[.and(name)] ?? FilterList() }
    set { filterLists[.and(name)] = newValue.isEmpty ? nil : newValue }
  }

  /// The OR group of facet filters with a name; empty if it doesn't exist.
  public subscript(or name: String) -> FilterList<Filter.Facet> {
    get { self[or: name, Filter.Facet.self] }
    set { self[or: name, Filter.Facet.self] = newValue }
  }

  /// The OR group of filters of one kind with a name; empty if it doesn't exist.
  public subscript<Element: FilterType>(
    or name: String, kind: Element.Type
  ) -> FilterList<Element> {
    get {
      FilterList((filterLists[.or(name, Element.kind)] ?? FilterList()).compactMap(Element.init))
    }
    set {
      filterLists[.or(name, Element.kind)] =
        newValue.isEmpty ? nil : FilterList(newValue.map(\.filter))
    }
  }

  /// The hierarchical group with a name; empty if it doesn't exist.
  public subscript(hierarchical name: String) -> HierarchicalFilters {
    get { paths[name] ?? HierarchicalFilters() }
    set { paths[name] = newValue == HierarchicalFilters() ? nil : newValue }
  }
}

extension FilterGroups {
  /// Returns these filters together with others, which replace filters on the same attributes.
  package func overridden(by others: FilterGroups) -> FilterGroups {
    let attributes = Set(
      others.groups.flatMap { $0.filters.map(\.attribute) }
        + others.paths.values.flatMap(\.attributes))
    var merged = others
    for (id, filters) in filterLists {
      let kept = filters.filter { !attributes.contains($0.attribute) }
      if kept.isEmpty { continue }
      merged.filterLists[id, default: FilterList()].add(contentsOf: kept)
    }
    for (name, path) in paths where attributes.isDisjoint(with: path.attributes) {
      merged.paths[name] = path
    }
    return merged
  }
}

/// A path down the levels of a category tree: `Clothing`, `Clothing > Men`, …
public struct HierarchicalFilters: Sendable, Hashable {
  /// The attributes of the levels, from the top: `categories.lvl0`, `categories.lvl1`, …
  public var attributes: [Attribute]
  /// The filters that select the path, one per level from the top.
  public var path: [Filter.Facet]

  /// Creates a path. By default it has no levels and no selection.
  public init(attributes: [Attribute] = [], path: [Filter.Facet] = []) {
    self.attributes = attributes
    self.path = path
  }
}

// MARK: - All groups

extension FilterGroups {
  /// The groups that have filters, in the order of their text: by name, OR before AND.
  ///
  /// Only the deepest filter of a hierarchical group counts, because it includes the filters above
  /// it.
  public var groups: [(id: ID, filters: [Filter])] {
    var groups = filterLists.map { (id: $0.key, filters: Array($0.value)) }
    for (name, hierarchy) in paths {
      if let deepest = hierarchy.path.last {
        groups.append((id: .hierarchical(name), filters: [.facet(deepest)]))
      }
    }
    return groups.sorted { ($0.id.name, $0.id.rank) < ($1.id.name, $1.id.rank) }
  }

  /// All filters, group by group, with only the deepest one of a path.
  public var filters: [Filter] { groups.flatMap(\.filters) }

  /// Returns the filters on an attribute, group by group.
  public func filters(for attribute: Attribute) -> [Filter] {
    filters.filter { $0.attribute == attribute }
  }

  /// Whether there are no filters.
  public var isEmpty: Bool { filterLists.isEmpty && paths.values.allSatisfy { $0.path.isEmpty } }

  /// Whether a filter is in any group, including above the deepest level of a path.
  public func contains(_ filter: some FilterElement) -> Bool {
    let filter = filter.filter
    return filterLists.values.contains { $0.contains(filter) }
      || paths.values.contains { $0.path.contains { .facet($0) == filter } }
  }

  /// The attributes of facet filters that are joined by OR.
  public var disjunctiveAttributes: Set<Attribute> {
    var attributes: Set<Attribute> = []
    for case (.or(_, .facet), let filters) in filterLists {
      attributes.formUnion(filters.map(\.attribute))
    }
    return attributes
  }

  /// Removes a filter from every group, and returns whether it was in one.
  @discardableResult
  public mutating func remove(_ filter: some FilterElement) -> Bool {
    removeAll { candidate, _ in candidate == filter.filter }
  }

  /// Removes filters from every group, and returns whether any of them was in one.
  @discardableResult
  public mutating func remove(contentsOf filters: some Sequence<some FilterElement>) -> Bool {
    let unwanted = Set(filters.map(\.filter))
    return removeAll { candidate, _ in unwanted.contains(candidate) }
  }

  /// Removes the filters on an attribute from every group.
  public mutating func removeAll(for attribute: Attribute) {
    removeAll { candidate, _ in candidate.attribute == attribute }
  }

  /// Removes all filters. The levels of hierarchical groups stay.
  public mutating func removeAll() {
    removeAll { _, _ in true }
  }

  /// Removes the filters of every group except the given ones.
  public mutating func removeAll(except ids: ID...) {
    for id in filterLists.keys where !ids.contains(id) { filterLists[id] = nil }
    for name in paths.keys where !ids.contains(.hierarchical(name)) {
      self[hierarchical: name].path = []
    }
  }

  /// The hierarchical groups by name.
  package var hierarchies: [(name: String, hierarchy: HierarchicalFilters)] {
    paths.sorted { $0.key < $1.key }.map { (name: $0.key, hierarchy: $0.value) }
  }

  /// Removes the filters that match a predicate, given the filter and its group, and returns
  /// whether any was removed. Removing a filter of a path also removes the filters below it, which
  /// have no meaning without it.
  @discardableResult
  mutating func removeAll(where isUnwanted: (Filter, ID) -> Bool) -> Bool {
    var isChanged = false
    for (id, list) in filterLists {
      let kept = list.filter { !isUnwanted($0, id) }
      if kept.count == list.count { continue }
      isChanged = true
      filterLists[id] = kept.isEmpty ? nil : FilterList(kept)
    }
    for (name, hierarchy) in paths {
      let cut = hierarchy.path.firstIndex { isUnwanted(.facet($0), .hierarchical(name)) }
      guard let cut else { continue }
      isChanged = true
      self[hierarchical: name].path = Array(hierarchy.path[..<cut])
    }
    return isChanged
  }
}

extension FilterGroups.ID {
  /// The order among groups of one name.
  fileprivate var rank: Int {
    switch self {
    case .or(_, .facet): 0
    case .or(_, .numeric): 1
    case .or(_, .tag): 2
    case .and: 3
    case .hierarchical: 4
    }
  }
}

extension FilterGroups {
  /// The attributes that are limited by numeric filters, by AND or by OR.
  package var numericAttributes: Set<Attribute> {
    Set(filters.lazy.filter { $0.kind == .numeric }.map(\.attribute))
  }

  /// Returns the groups without the disjunction on an attribute: its facet filters joined by OR,
  /// and its numeric filters.
  ///
  /// An OR of numeric filters on several attributes is removed as a whole: without a part of it,
  /// it would match fewer records than before.
  package func removingDisjunction(on attribute: Attribute) -> FilterGroups {
    let numbers = Set(
      groups.lazy.filter { group in
        group.id.isNumericDisjunction && group.filters.contains { $0.attribute == attribute }
      }.map(\.id))
    var copy = self
    copy.removeAll { filter, id in
      if numbers.contains(id) { return true }
      guard filter.attribute == attribute else { return false }
      return switch id {
      case .or: true
      case .and, .hierarchical: filter.kind == .numeric
      }
    }
    return copy
  }
}

extension FilterGroups.ID {
  /// Whether the group joins numeric filters by OR.
  fileprivate var isNumericDisjunction: Bool {
    if case .or(_, .numeric) = self { true } else { false }
  }
}

/// The filters of one group of ``FilterGroups``: without duplicates, in the order of their
/// addition.
///
/// Two lists are equal if they contain the same filters in any order.
public struct FilterList<Element: FilterElement>: Sendable {
  private var elements: [Element] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list without duplicates.
  public init(_ filters: some Sequence<Element>) {
    add(contentsOf: filters)
  }

  /// Adds filters. A filter that is already in the list is ignored.
  public mutating func add(_ filters: Element...) {
    add(contentsOf: filters)
  }

  /// Adds filters. A filter that is already in the list is ignored.
  public mutating func add(contentsOf filters: some Sequence<Element>) {
    var known = Set(elements)
    for filter in filters where known.insert(filter).inserted { elements.append(filter) }
  }

  /// Removes a filter, and returns whether it was in the list.
  @discardableResult
  public mutating func remove(_ filter: Element) -> Bool {
    remove(contentsOf: CollectionOfOne(filter))
  }

  /// Removes filters, and returns whether any of them was in the list.
  @discardableResult
  public mutating func remove(contentsOf filters: some Sequence<Element>) -> Bool {
    let unwanted = Set(filters)
    let count = elements.count
    elements.removeAll(where: unwanted.contains)
    return elements.count != count
  }

  /// Removes the filters on an attribute.
  public mutating func removeAll(for attribute: Attribute) {
    elements.removeAll { $0.attribute == attribute }
  }

  /// Removes all filters.
  public mutating func removeAll() {
    elements.removeAll()
  }

  /// Removes each filter that is in the list, and adds each one that is not.
  public mutating func toggle(_ filters: Element...) {
    for filter in filters where !remove(filter) { add(filter) }
  }

  /// Returns the filters on an attribute.
  public func filters(for attribute: Attribute) -> [Element] {
    elements.filter { $0.attribute == attribute }
  }
}

extension FilterList where Element == Filter {
  /// Adds filters of any kinds. A filter that is already in the list is ignored.
  public mutating func add<each Kind: FilterType>(_ filters: repeat each Kind) {
    repeat add((each filters).filter)
  }

  /// Removes a filter of one kind, and returns whether it was in the list.
  @discardableResult
  public mutating func remove(_ filter: some FilterType) -> Bool { remove(filter.filter) }

  /// Removes a filter of one kind if it is in the list, and adds it otherwise.
  public mutating func toggle(_ filter: some FilterType) { toggle(filter.filter) }

  /// Whether a filter of one kind is in the list.
  public func contains(_ filter: some FilterType) -> Bool { contains(filter.filter) }
}

extension FilterList: RandomAccessCollection {
  /// The index of the first filter.
  public var startIndex: Int { elements.startIndex }
  /// The index after the last filter.
  public var endIndex: Int { elements.endIndex }
  /// The filter at an index, which must be one of ``indices``.
  public subscript(position: Int) -> Element { elements[position] }
}

extension FilterList: ExpressibleByArrayLiteral {
  /// Creates a list without duplicates.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension FilterList: Hashable {
  /// Whether two lists contain the same filters in any order.
  public static func == (left: FilterList, right: FilterList) -> Bool {
    left.elements == right.elements || Set(left.elements) == Set(right.elements)
  }

  /// Hashes the filters regardless of their order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Set(elements))
  }
}
