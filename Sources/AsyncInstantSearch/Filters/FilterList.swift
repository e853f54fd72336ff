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
