/// Filters in named groups, all of which a record must fulfil.
///
/// The filters of an AND group must all be fulfilled, of an OR group at least one; an OR group
/// holds filters of one kind, because the contract joins no others. A hierarchical group is a path
/// down the levels of a category tree.
///
/// ```swift
/// var groups = FilterGroups()
/// groups[or: "brand"].add("brand" == "Apple", "brand" == "Sony")
/// groups[and: "price"].add("price" < 500)
/// groups.text  // ("brand":"Apple" OR "brand":"Sony") AND "price" < 500
/// ```
public struct FilterGroups: Sendable, Hashable {
  /// What tells groups apart: two groups of one name but of different kinds are two groups.
  public enum ID: Sendable, Hashable {
    /// A group whose filters must all be fulfilled.
    case and(String)
    /// A group one of whose filters, all of that kind, must be fulfilled.
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

  /// Creates no groups.
  public init() {}

  /// The AND group of a name; empty when there is none. One that becomes empty is no more.
  public subscript(and name: String) -> FilterList<Filter> {
    get { filterLists[.and(name)] ?? FilterList() }
    set { filterLists[.and(name)] = newValue.isEmpty ? nil : newValue }
  }

  /// The OR group of a name, of facet filters; empty when there is none.
  public subscript(or name: String) -> FilterList<Filter.Facet> {
    get { self[or: name, Filter.Facet.self] }
    set { self[or: name, Filter.Facet.self] = newValue }
  }

  /// The OR group of a name, of filters of one kind; empty when there is none.
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

  /// The hierarchical group of a name; empty when there is none.
  public subscript(hierarchical name: String) -> HierarchicalFilters {
    get { paths[name] ?? HierarchicalFilters() }
    set { paths[name] = newValue == HierarchicalFilters() ? nil : newValue }
  }
}

/// A path down the levels of a category tree: `Clothing`, `Clothing > Men`, …
public struct HierarchicalFilters: Sendable, Hashable {
  /// The attributes of the levels, from the top: `categories.lvl0`, `categories.lvl1`, …
  public var attributes: [Attribute]
  /// The filters that select the path, one for each level from the top.
  public var path: [Filter.Facet]

  /// Creates a path; nothing is selected and there are no levels by default.
  public init(attributes: [Attribute] = [], path: [Filter.Facet] = []) {
    self.attributes = attributes
    self.path = path
  }
}

// MARK: - All groups

extension FilterGroups {
  /// The groups that have filters, in the order of their text: by name, OR before AND.
  ///
  /// Of a hierarchical group only the deepest filter counts, which contains those above it.
  public var groups: [(id: ID, filters: [Filter])] {
    var groups = filterLists.map { (id: $0.key, filters: Array($0.value)) }
    for (name, hierarchy) in paths {
      if let deepest = hierarchy.path.last {
        groups.append((id: .hierarchical(name), filters: [.facet(deepest)]))
      }
    }
    return groups.sorted { ($0.id.name, $0.id.rank) < ($1.id.name, $1.id.rank) }
  }

  /// All filters, group by group; of a path the deepest.
  public var filters: [Filter] { groups.flatMap(\.filters) }

  /// The filters on an attribute, group by group.
  public func filters(for attribute: Attribute) -> [Filter] {
    filters.filter { $0.attribute == attribute }
  }

  /// Whether there are no filters.
  public var isEmpty: Bool { filterLists.isEmpty && paths.values.allSatisfy { $0.path.isEmpty } }

  /// Whether a filter is in any group, also above the deepest level of a path.
  public func contains(_ filter: some FilterElement) -> Bool {
    let filter = filter.filter
    return filterLists.values.contains { $0.contains(filter) }
      || paths.values.contains { $0.path.contains { .facet($0) == filter } }
  }

  /// The attributes of the facet filters joined by OR.
  public var disjunctiveAttributes: Set<Attribute> {
    var attributes: Set<Attribute> = []
    for case (.or(_, .facet), let filters) in filterLists {
      attributes.formUnion(filters.map(\.attribute))
    }
    return attributes
  }

  /// Removes a filter from every group; whether it was in one.
  @discardableResult
  public mutating func remove(_ filter: some FilterElement) -> Bool {
    removeAll { candidate, _ in candidate == filter.filter }
  }

  /// Removes filters from every group; whether one of them was in one.
  @discardableResult
  public mutating func remove(contentsOf filters: some Sequence<some FilterElement>) -> Bool {
    let unwanted = Set(filters.map(\.filter))
    return removeAll { candidate, _ in unwanted.contains(candidate) }
  }

  /// Removes the filters on an attribute from every group.
  public mutating func removeAll(for attribute: Attribute) {
    removeAll { candidate, _ in candidate.attribute == attribute }
  }

  /// Removes the filters of every group; the levels of hierarchical groups stay.
  public mutating func removeAll() {
    removeAll { _, _ in true }
  }

  /// Removes the filters of every group but some.
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

  /// Removes the filters that a predicate picks by the filter and its group; with a filter of a
  /// path also those below it, which mean nothing without it. Returns whether one was removed.
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
  /// The place among groups of one name.
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
  /// The attributes that are held to numbers, by AND or by OR.
  package var numericAttributes: Set<Attribute> {
    Set(filters.lazy.filter { $0.kind == .numeric }.map(\.attribute))
  }

  /// The groups without the alternatives on an attribute: its facet filters joined by OR and the
  /// numbers it is held to.
  ///
  /// An OR of numbers that holds others beside those of the attribute is left out as a whole:
  /// without a part of it, it would admit fewer records than before.
  package func removingDisjunction(on attribute: Attribute) -> FilterGroups {
    let numbers = Set(
      groups.lazy.filter { group in
        group.id.isAlternativeOfNumbers && group.filters.contains { $0.attribute == attribute }
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
  /// Whether the group joins filters on numbers by OR.
  fileprivate var isAlternativeOfNumbers: Bool {
    if case .or(_, .numeric) = self { true } else { false }
  }
}

/// Filters without duplicates, in the order in which they were added: one group of a
/// ``FilterGroups``.
///
/// Two lists are equal when they hold the same filters, in whatever order.
public struct FilterList<Element: FilterElement>: Sendable {
  private var elements: [Element] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list; filters that come again are left out.
  public init(_ filters: some Sequence<Element>) {
    add(contentsOf: filters)
  }

  /// Adds filters; one that is in the list already changes nothing.
  public mutating func add(_ filters: Element...) {
    add(contentsOf: filters)
  }

  /// Adds filters; one that is in the list already changes nothing.
  public mutating func add(contentsOf filters: some Sequence<Element>) {
    var known = Set(elements)
    for filter in filters where known.insert(filter).inserted { elements.append(filter) }
  }

  /// Removes a filter; whether it was there.
  @discardableResult
  public mutating func remove(_ filter: Element) -> Bool {
    remove(contentsOf: CollectionOfOne(filter))
  }

  /// Removes filters; whether one of them was there.
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

  /// Removes each filter that is there, adds each that is not.
  public mutating func toggle(_ filters: Element...) {
    for filter in filters where !remove(filter) { add(filter) }
  }

  /// The filters on an attribute.
  public func filters(for attribute: Attribute) -> [Element] {
    elements.filter { $0.attribute == attribute }
  }
}

extension FilterList where Element == Filter {
  /// Adds filters of any kinds; one that is in the list already changes nothing.
  public mutating func add<each Kind: FilterType>(_ filters: repeat each Kind) {
    repeat add((each filters).filter)
  }

  /// Removes a filter of one kind; whether it was there.
  @discardableResult
  public mutating func remove(_ filter: some FilterType) -> Bool { remove(filter.filter) }

  /// Removes a filter of one kind that is there, adds one that is not.
  public mutating func toggle(_ filter: some FilterType) { toggle(filter.filter) }

  /// Whether a filter of one kind is there.
  public func contains(_ filter: some FilterType) -> Bool { contains(filter.filter) }
}

extension FilterList: RandomAccessCollection {
  /// The position of the first filter.
  public var startIndex: Int { elements.startIndex }
  /// The position after the last filter.
  public var endIndex: Int { elements.endIndex }
  /// The filter at a position, which must be one of ``indices``.
  public subscript(position: Int) -> Element { elements[position] }
}

extension FilterList: ExpressibleByArrayLiteral {
  /// Creates a list; filters that come again are left out.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension FilterList: Hashable {
  /// Whether two lists hold the same filters, in whatever order.
  public static func == (left: FilterList, right: FilterList) -> Bool {
    left.elements == right.elements || Set(left.elements) == Set(right.elements)
  }

  /// Hashes the filters without their order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Set(elements))
  }
}
