/// Filters as they are sent: as the parameters with nested lists, in the order of InstantSearch.js:
/// values that all must match, negated values, disjunctions, then hierarchies. So a server that
/// caches, and a page that was rendered with InstantSearch.js, have the same queries.
package struct FilterLists {
  /// An element and its attribute, by which lists are sorted.
  private struct Element {
    var attribute: String
    var text: String

    static func isBefore(_ first: Element, _ second: Element) -> Bool {
      first.attribute == second.attribute
        ? String.isBeforeInUTF16(first.text, second.text)
        : String.isBeforeInUTF16(first.attribute, second.attribute)
    }
  }

  private var all: [Element] = []
  private var negated: [Element] = []
  private var disjunctions: [[Element]] = []
  private var hierarchies: [NestedFilters] = []
  private var last: [String] = []
  private var numbers: [NestedFilters] = []
  private var tags: [NestedFilters] = []
  /// The filters that a list cannot express.
  private var text: [String] = []

  package init(_ groups: FilterGroups) {
    add(groups)
  }

  /// Adds groups after the others.
  package mutating func add(_ groups: FilterGroups) {
    let groups = groups.groups.sorted {
      String.isBeforeInUTF16($0.filters[0].attribute.rawValue, $1.filters[0].attribute.rawValue)
    }
    for (id, filters) in groups {
      switch id {
      case .and: for filter in filters { add(filter) }
      case .or(_, let kind): addDisjunction(of: filters, kind)
      case .hierarchical: for filter in filters { addPath(filter) }
      }
    }
  }

  /// Adds a filter after all others.
  package mutating func add(_ filter: Filter.Facet) {
    if let element = filter.filter.listElement {
      last.append(element)
    } else {
      addText([filter.filter])
    }
  }

  private mutating func add(_ filter: Filter) {
    guard let element = filter.listElement else { return addText([filter]) }
    switch filter.kind {
    case .facet where filter.isNegated:
      negated.append(Element(attribute: filter.attribute.rawValue, text: element))
    case .facet: all.append(Element(attribute: filter.attribute.rawValue, text: element))
    case .numeric: numbers.append(.filter(element))
    case .tag: tags.append(.filter(element))
    }
  }

  private mutating func addDisjunction(of filters: [Filter], _ kind: Filter.Kind) {
    let elements = filters.compactMap(\.listElement)
    guard elements.count == filters.count else { return addText(filters) }
    switch kind {
    case .facet:
      disjunctions.append(
        zip(filters, elements).map { Element(attribute: $0.attribute.rawValue, text: $1) }
          .sorted(by: Element.isBefore))
    case .numeric: numbers.append(.group(elements.map(NestedFilters.filter)))
    case .tag: tags.append(.group(elements.map(NestedFilters.filter)))
    }
  }

  private mutating func addPath(_ filter: Filter) {
    guard let element = filter.listElement else { return addText([filter]) }
    hierarchies.append(.group([.filter(element)]))
  }

  private mutating func addText(_ filters: [Filter]) {
    let texts = filters.map(\.description)
    text.append(texts.count == 1 ? texts[0] : "(" + texts.joined(separator: " OR ") + ")")
  }

  /// Returns a query with these filters, and its own.
  package func filter(_ query: SearchQuery) -> SearchQuery {
    var query = query
    let facets =
      (all.sorted(by: Element.isBefore) + negated.sorted(by: Element.isBefore))
      .map { NestedFilters.filter($0.text) }
      + disjunctions.map { .group($0.map { .filter($0.text) }) } + hierarchies
      + last.map(NestedFilters.filter)
    query.add(facets, to: \.facetFilters, .facetFilters)
    query.add(numbers, to: \.numericFilters, .numericFilters)
    query.add(tags, to: \.tagFilters, .tagFilters)
    return text.isEmpty ? query : query.filtered(by: text.joined(separator: " AND "))
  }
}

extension SearchQuery {
  /// Adds filters to the filters of a parameter: a record must match both.
  fileprivate mutating func add(
    _ filters: [NestedFilters], to property: WritableKeyPath<SearchQuery, NestedFilters?>,
    _ parameter: SearchParameter
  ) {
    if filters.isEmpty { return }
    adoptAdditional(parameter)
    let own: [NestedFilters] =
      switch self[keyPath: property] {
      case nil: []
      case .filter(let filter): [.filter(filter)]
      case .group(let group): group
      }
    self[keyPath: property] = .group(own + filters)
  }
}

extension Filter {
  /// The filter as an element of a list; `nil` if lists cannot express it.
  fileprivate var listElement: String? {
    guard let element = try? listString() else { return nil }
    if case .numeric(let filter) = self, case .comparison(let sign, let number) = filter.value {
      // Without spaces, as InstantSearch.js writes it.
      return "\(filter.attribute)\(sign.rawValue)\(number.plainNumber)"
    }
    return element
  }
}

extension String {
  /// Whether a text is before another by UTF-16 code units, which is the order of JavaScript.
  package static func isBeforeInUTF16(_ first: String, _ second: String) -> Bool {
    comparedInUTF16(first, second) < 0
  }

  /// Compares two texts by UTF-16 code units: a negative number if the first is smaller, 0 if both
  /// are equal.
  package static func comparedInUTF16(_ first: String, _ second: String) -> Int {
    var (others, isLonger) = (second.utf8.makeIterator(), false)
    for byte in first.utf8 {
      guard let other = others.next() else {
        isLonger = true
        break
      }
      if byte == other { continue }
      // UTF-8 has the same order, except that characters of four bytes, which begin with F0 or
      // more, are surrogates in UTF-16 and precede U+E000 to U+FFFF, which begin with EE or EF.
      if byte >= 0xEE, other >= 0xEE, (byte >= 0xF0) != (other >= 0xF0) {
        return byte >= 0xF0 ? -1 : 1
      }
      return byte < other ? -1 : 1
    }
    return isLonger ? 1 : others.next() == nil ? 0 : -1
  }
}
