/// The name of a part of a state: a key, and the name in it for a key that has values by name.
package struct PartName: Sendable, Hashable, CustomStringConvertible {
  package let key: String
  package let name: String?

  init(_ key: String, _ name: String? = nil) {
    self.key = key
    self.name = name
  }

  /// The part as a URL names it, such as `refinementList[brand]`.
  package var description: String { name.map { "\(key)[\($0)]" } ?? key }

  /// The attribute whose values the part refines; `nil` for other parts.
  package var facet: String? {
    switch IndexUIState.Key(rawValue: key) {
    case .refinementList, .menu, .hierarchicalMenu, .range, .numericMenu, .ratingMenu, .toggle: name
    // The comparison follows the attribute.
    case .comparison: name.map { String($0.prefix { !"<>=!".contains($0) }) }
    default: nil
    }
  }
}

extension IndexUIState {
  /// The parts that are set with their values, in the order in which they are written.
  var parts: [(name: PartName, value: RouteValue)] {
    route.flatMap { key, value in
      guard Key(rawValue: key)?.hasNames == true, case .object(let members) = value else {
        return [(PartName(key), value)]
      }
      return members.sorted { $0.key < $1.key }.map { (PartName(key, $0.key), $0.value) }
    }
  }

  /// Creates a state with parts. Values of a form that their keys do not expect are omitted.
  init(_ parts: [(name: PartName, value: RouteValue)]) {
    var values: [String: RouteValue] = [:]
    // Apart from the values, so that adding a name copies no others.
    var members: [String: [String: RouteValue]] = [:]
    for (part, value) in parts {
      if let name = part.name {
        members[part.key, default: [:]][name] = value
      } else {
        values[part.key] = value
      }
    }
    values.merge(members.mapValues(RouteValue.object)) { $1 }
    var problems: [UIState.Problem] = []
    self.init(
      route: values.map { (name: $0.key, value: $0.value) }, path: [], problems: &problems)
  }

  /// The value of a part as in a URL; `nil` if it is not set.
  subscript(part: PartName) -> RouteValue? {
    get {
      Key(rawValue: part.key) == nil
        ? additional[part.key] : parts.first { $0.name == part }?.value
    }
    set {
      if Key(rawValue: part.key) == nil {
        additional[part.key] = newValue
      } else {
        let others = parts.filter { $0.name != part }
        set(others + (newValue.map { [(part, $0)] } ?? []))
      }
    }
  }

  /// Adds the included parts of another state, and replaces parts with the same names.
  mutating func add(_ other: IndexUIState, where isIncluded: (PartName) -> Bool) {
    let added = other.parts.filter { isIncluded($0.name) }
    if !added.isEmpty { set(parts + added) }
  }

  private mutating func set(_ parts: [(name: PartName, value: RouteValue)]) {
    let configure = configure
    self = IndexUIState(parts)
    self.configure = configure
  }
}

extension IndexUIState.Key {
  /// Whether the property has values by name.
  fileprivate var hasNames: Bool {
    switch self {
    case .refinementList, .menu, .hierarchicalMenu, .range, .numericMenu, .ratingMenu, .toggle,
      .comparison, .filters, .showMore, .facetQuery:
      true
    case .query, .page, .hitsPerPage, .sortBy, .geoSearch, .relevantSort, .configure: false
    }
  }
}
