import AsyncInstantSearch

/// One value of a facet list.
struct FacetListItem: Hashable, Sendable {
  let value: String
  let count: Int
  let isSelected: Bool
}

/// A facet list: its values, the chosen ones first, and the cursor in it.
struct FacetPane {
  let facet: FilmFacet
  private(set) var items: [FacetListItem] = []
  var window = ListWindow()

  init(_ facet: FilmFacet) {
    self.facet = facet
  }

  /// The value at the cursor.
  var currentValue: String? {
    items.indices.contains(window.cursor) ? items[window.cursor].value : nil
  }

  /// The number of chosen values.
  var selectedCount: Int { items.count { $0.isSelected } }

  /// Shows other values. The cursor stays on its value, unless nothing moved it there.
  ///
  /// - Parameters:
  ///   - values: The values with their counts, in the order of the response.
  ///   - selected: The chosen values, with or without counts.
  mutating func update(_ values: [FacetValue], selected: [String]) {
    let current = window.cursor == 0 ? nil : currentValue
    let chosen = Set(selected)
    let counts = Dictionary(values.map { ($0.value, $0.count) }) { first, _ in first }
    let rest = values.filter { !chosen.contains($0.value) }
    items =
      selected.map { FacetListItem(value: $0, count: counts[$0] ?? 0, isSelected: true) }
      + (facet.isSortedByValue ? rest.sorted { $0.value < $1.value } : rest)
      .map { FacetListItem(value: $0.value, count: $0.count, isSelected: false) }
    if let current, let row = items.firstIndex(where: { $0.value == current }) {
      window.moveCursor(to: row)
    }
  }
}
