extension FilterGroups {
  /// The attributes that are held to numbers, by AND or by OR.
  var numericAttributes: Set<Attribute> {
    Set(filters.lazy.filter { $0.kind == .numeric }.map(\.attribute))
  }

  /// The groups without the alternatives on an attribute: its facet filters joined by OR and the
  /// numbers it is held to.
  ///
  /// An OR of numbers that holds others beside those of the attribute is left out as a whole:
  /// without a part of it, it would admit fewer records than before.
  func withoutAlternatives(on attribute: Attribute) -> FilterGroups {
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
