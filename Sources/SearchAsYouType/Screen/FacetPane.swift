import AsyncInstantSearch

/// A facet list: its values and the cursor in it.
struct FacetPane {
  let facet: FilmFacet
  private(set) var items: [FacetItem] = []
  var window = ListWindow()

  init(_ facet: FilmFacet) {
    self.facet = facet
  }

  /// The value at the cursor.
  var currentValue: String? {
    items.indices.contains(window.cursor) ? items[window.cursor].value : nil
  }

  /// The number of chosen values.
  var chosenCount: Int { items.count { $0.isRefined } }

  /// Shows other values. The cursor stays on its value, unless nothing moved it there.
  mutating func update(_ items: [FacetItem]) {
    let current = window.cursor == 0 ? nil : currentValue
    self.items = items
    if let current, let row = items.firstIndex(where: { $0.value == current }) {
      window.moveCursor(to: row)
    }
  }
}
