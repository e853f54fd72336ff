extension FilterGroups {
  /// The groups without the alternatives on an attribute: its facet filters joined by OR and the
  /// numbers it is held to.
  func withoutAlternatives(on attribute: Attribute) -> FilterGroups {
    var copy = self
    copy.removeAll { filter, id in
      guard filter.attribute == attribute else { return false }
      return switch id {
      case .or: true
      case .and, .hierarchical: filter.kind == .numeric
      }
    }
    return copy
  }
}
