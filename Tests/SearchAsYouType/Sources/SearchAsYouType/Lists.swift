import AsyncInstantSearch

/// The rows of the hits as the screen shows them.
struct HitList: Sendable {
  /// The number of rows, loaded or not.
  var rowCount = 0
  /// The number of hits that the engine counts.
  var hitCount = 0
  /// The number of the search.
  var generation: UInt64 = 0
  /// The error of the newest search.
  var failure: String?
  /// The hit of a row; `nil` if it is not loaded.
  var hit: @Sendable (Int) -> Hit<Film>? = { _ in nil }
}

extension HitList {
  init(_ state: HitsState<Hit<Film>>) {
    let rows = state.hits
    rowCount = rows.count
    hitCount = state.nbHits
    generation = state.generation
    failure = state.failure?.message
    hit = { rows.indices.contains($0) ? rows[$0] : nil }
  }
}

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

/// The cursor in a list, and the part of the list that is visible.
struct ListWindow: Hashable {
  /// The row of the cursor.
  private(set) var cursor = 0
  /// The first visible row.
  private(set) var top = 0

  /// Puts the cursor on a row; ``fit(count:height:)`` makes it visible.
  mutating func moveCursor(to row: Int) {
    cursor = max(0, row)
  }

  /// Moves the cursor in a list of `height` visible rows.
  ///
  /// - Returns: Whether the key moves in a list.
  mutating func move(_ key: Key, count: Int, height: Int) -> Bool {
    switch key {
    case .up, .control("p"): moveCursor(to: cursor - 1)
    case .down, .control("n"): moveCursor(to: cursor + 1)
    case .pageUp: moveCursor(to: cursor - max(1, height - 1))
    case .pageDown: moveCursor(to: cursor + max(1, height - 1))
    case .home: moveCursor(to: 0)
    case .end: moveCursor(to: count - 1)
    default: return false
    }
    cursor = min(cursor, max(0, count - 1))
    return true
  }

  /// Keeps the cursor in the list and in the visible part, which has no rows to spare at its end.
  mutating func fit(count: Int, height: Int) {
    cursor = min(cursor, max(0, count - 1))
    guard height > 0 else { return }
    top = min(max(top, cursor - height + 1), cursor, max(0, count - height))
    top = max(0, top)
  }

  /// The visible rows.
  func visibleRows(count: Int, height: Int) -> Range<Int> {
    let first = min(top, count)
    return first..<min(count, first + max(0, height))
  }
}
