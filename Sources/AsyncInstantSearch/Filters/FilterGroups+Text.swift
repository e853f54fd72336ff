extension FilterGroups: CustomStringConvertible {
  /// The groups as the parameter `filters`; `nil` when there are no filters.
  ///
  /// The order is that of the text, not that in which filters were added, so equal groups have
  /// equal texts: groups by name, OR before AND, and the filters of a group by their own text.
  /// Parentheses stand around OR groups of more than one filter and nowhere else:
  /// `("brand":"Apple" OR "brand":"Sony") AND "price" < 500`.
  public var text: String? { Self.text(of: groups.map { ($0.id, $0.filters) }) }

  /// The groups as the parameter `filters`; empty when there are no filters.
  public var description: String { text ?? "" }

  /// Groups of filters as the parameter `filters`.
  static func text(of groups: [(id: ID, filters: [Filter])]) -> String? {
    let parts = groups.compactMap { group -> String? in
      let texts = group.filters.map(\.description).sorted()
      switch group.id {
      case .or where texts.count > 1: return "(" + texts.joined(separator: " OR ") + ")"
      default: return texts.isEmpty ? nil : texts.joined(separator: " AND ")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: " AND ")
  }
}
