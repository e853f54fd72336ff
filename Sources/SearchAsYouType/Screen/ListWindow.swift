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
