extension IndexUIState {
  /// A part of a state: a property, or the value that a property has for one name.
  ///
  /// Each widget with a part in URLs names it, so a screen knows what none of its widgets reads.
  public enum Part: Sendable, Hashable {
    /// The text of the search box.
    case query
    /// The number of the page.
    case page
    /// The number of hits on a page.
    case hitsPerPage
    /// The index that sorts the hits.
    case sortBy
    /// The selected values of an attribute.
    case refinementList(String)
    /// The selected value of a menu.
    case menu(String)
    /// The selected path of a hierarchy, by its first attribute.
    case hierarchicalMenu(String)
    /// The selected bounds of an attribute.
    case range(String)
    /// The selected item of a menu of numbers.
    case numericMenu(String)
    /// The minimum rating of an attribute.
    case ratingMenu(String)
    /// The switch of an attribute.
    case toggle(String)
    /// The number that an attribute is compared with, by the comparison, such as `price>=`.
    case comparison(String)
    /// The selected filters of a group.
    case filters(String)
    /// The part of the map.
    case geoSearch
    /// The minimum relevance of sorted hits.
    case relevantSort
    /// Whether more values of an attribute are shown.
    case showMore(String)
    /// The text for which values of an attribute are searched.
    case facetQuery(String)
    /// A key without a property, for widgets of one's own.
    case additional(String)
  }
}

extension IndexUIState.Part: CustomStringConvertible {
  /// The part as a URL names it, such as `refinementList[brand]`.
  public var description: String {
    let (key, name) = keyAndName
    return name.map { "\(key)[\($0)]" } ?? key
  }

  /// The attribute whose values the part refines; `nil` for other parts.
  package var facet: String? {
    switch self {
    case .refinementList(let name), .menu(let name), .hierarchicalMenu(let name),
      .range(let name), .numericMenu(let name), .ratingMenu(let name), .toggle(let name):
      name
    case .comparison(let text): String(text.prefix { !"<>=!".contains($0) })
    default: nil
    }
  }

  /// The key of the part, and the name in it; `nil` for a part that is the whole key.
  fileprivate var keyAndName: (key: String, name: String?) {
    func key(_ key: IndexUIState.Key, _ name: String? = nil) -> (String, String?) {
      (key.rawValue, name)
    }
    return switch self {
    case .query: key(.query)
    case .page: key(.page)
    case .hitsPerPage: key(.hitsPerPage)
    case .sortBy: key(.sortBy)
    case .refinementList(let name): key(.refinementList, name)
    case .menu(let name): key(.menu, name)
    case .hierarchicalMenu(let name): key(.hierarchicalMenu, name)
    case .range(let name): key(.range, name)
    case .numericMenu(let name): key(.numericMenu, name)
    case .ratingMenu(let name): key(.ratingMenu, name)
    case .toggle(let name): key(.toggle, name)
    case .comparison(let name): key(.comparison, name)
    case .filters(let name): key(.filters, name)
    case .geoSearch: key(.geoSearch)
    case .relevantSort: key(.relevantSort)
    case .showMore(let name): key(.showMore, name)
    case .facetQuery(let name): key(.facetQuery, name)
    case .additional(let name): (name, nil)
    }
  }
}

extension IndexUIState {
  /// The parts that are set, in the order in which they are written.
  var parts: [Part] {
    func names<Value>(_ values: [String: Value], _ part: (String) -> Part) -> [Part] {
      values.isEmpty ? [] : values.keys.sorted().map(part)
    }
    var parts: [Part] = []
    if !query.isEmpty { parts.append(.query) }
    if page != 1 { parts.append(.page) }
    if hitsPerPage != nil { parts.append(.hitsPerPage) }
    if sortBy != nil { parts.append(.sortBy) }
    parts += names(refinementList, Part.refinementList) + names(menu, Part.menu)
    parts += names(hierarchicalMenu, Part.hierarchicalMenu) + names(range, Part.range)
    parts += names(numericMenu, Part.numericMenu) + names(ratingMenu, Part.ratingMenu)
    parts += names(toggle, Part.toggle) + names(comparison, Part.comparison)
    parts += names(filters, Part.filters)
    if geoSearch != nil { parts.append(.geoSearch) }
    if relevantSort != nil { parts.append(.relevantSort) }
    parts += names(showMore, Part.showMore) + names(facetQuery, Part.facetQuery)
    return parts + names(additional, Part.additional)
  }

  /// Copies a part of another state.
  mutating func copy(_ part: Part, from other: IndexUIState) {
    switch part {
    case .query: query = other.query
    case .page: page = other.page
    case .hitsPerPage: hitsPerPage = other.hitsPerPage
    case .sortBy: sortBy = other.sortBy
    case .refinementList(let name): refinementList[name] = other.refinementList[name]
    case .menu(let name): menu[name] = other.menu[name]
    case .hierarchicalMenu(let name): hierarchicalMenu[name] = other.hierarchicalMenu[name]
    case .range(let name): range[name] = other.range[name]
    case .numericMenu(let name): numericMenu[name] = other.numericMenu[name]
    case .ratingMenu(let name): ratingMenu[name] = other.ratingMenu[name]
    case .toggle(let name): toggle[name] = other.toggle[name]
    case .comparison(let name): comparison[name] = other.comparison[name]
    case .filters(let name): filters[name] = other.filters[name]
    case .geoSearch: geoSearch = other.geoSearch
    case .relevantSort: relevantSort = other.relevantSort
    case .showMore(let name): showMore[name] = other.showMore[name]
    case .facetQuery(let name): facetQuery[name] = other.facetQuery[name]
    case .additional(let name): additional[name] = other.additional[name]
    }
  }

  /// The problem of a part that has no effect.
  func problem(of part: Part, _ path: [String]) -> UIState.Problem {
    let (key, name) = part.keyAndName
    let value = route.first { $0.name == key }?.value
    let member = name.flatMap { name in value?.members?.first { $0.name == name }?.value }
    return UIState.Problem(
      path: path + [key] + [name].compactMap { $0 },
      text: (name == nil ? value : member)?.summary ?? "",
      expected: "a value that a widget of the screen reads and offers")
  }

  /// Whether a part has the same value in another state.
  func hasEqual(_ part: Part, in other: IndexUIState) -> Bool {
    var copy = self
    copy.copy(part, from: other)
    return copy == self
  }

}
