import AsyncInstantSearch

/// One row of the screen: texts at columns.
struct ScreenLine: Hashable {
  struct Piece: Hashable {
    let column: Int
    let text: StyledText
  }

  private(set) var pieces: [Piece] = []

  /// Adds text at a column that is not to the left of the end of the line, in at most `width`
  /// cells.
  mutating func add(_ text: StyledText, at column: Int = 0, width: Int) {
    let text = text.cut(to: width)
    if text.width > 0 { pieces.append(Piece(column: column, text: text)) }
  }

  /// The text without styles.
  var plain: String {
    pieces.reduce(into: "") { text, piece in
      text += String(repeating: " ", count: max(0, piece.column - text.cellWidth))
      text += piece.text.plain
    }
  }

  /// The line with escape sequences, as it is written to a row of `columns` cells.
  ///
  /// Each text begins at its column, even if the terminal measures the characters before it in
  /// another way.
  func escaped(columns: Int) -> String {
    var line = ""
    var end = 0
    for piece in pieces {
      line += String(repeating: " ", count: max(0, piece.column - end))
      if piece.column > 0 { line += "\u{1B}[\(piece.column + 1)G" }
      line += piece.text.escaped
      end = piece.column + piece.text.width
    }
    // After a full line, the cursor is still in its last cell, which must not be cleared.
    return end < columns ? line + "\u{1B}[K" : line
  }
}

/// What a terminal shows at one moment: its lines and the cursor.
struct Frame: Equatable {
  /// A cell, counted from 0.
  struct Position: Hashable {
    var row: Int
    var column: Int
  }

  let size: ScreenSize
  /// One line for each row.
  private(set) var lines: [ScreenLine]
  /// The cursor; `nil` while it is hidden.
  var cursor: Position?

  init(size: ScreenSize) {
    self.size = size
    lines = Array(repeating: ScreenLine(), count: max(0, size.rows))
  }

  /// Adds text to a row, cut at the end of the row. A row that the screen does not have is ignored.
  mutating func add(_ text: StyledText, row: Int?, column: Int = 0, width: Int? = nil) {
    guard let row, lines.indices.contains(row) else { return }
    let free = max(0, size.columns - column)
    lines[row].add(text, at: column, width: min(width ?? free, free))
  }

  /// The output that makes the terminal show this frame: only lines that differ from the previous
  /// frame, and nothing is cleared before it is written again.
  func output(after previous: Frame?) -> String {
    let known = previous?.size == size ? previous : nil
    if let known, known == self { return "" }
    var output = "\u{1B}[?25l"
    for (row, line) in lines.enumerated() where line != known?.lines[row] {
      output += "\u{1B}[\(row + 1);1H" + line.escaped(columns: size.columns)
    }
    if let cursor {
      output += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
    }
    return output
  }
}

extension Frame {
  /// Draws a state.
  init(_ state: ScreenState) {
    self.init(size: state.size)
    let layout = state.layout
    drawBox(state)
    add(state.statistics, row: layout.statistics)
    add(state.details, row: layout.filters)
    if let row = layout.tabs { add(state.tabs, row: row) }
    if let row = layout.help { add(state.help(columns: size.columns), row: row) }
    drawHits(state, in: layout)
    for (pane, index) in zip(state.facets, layout.facets.indices) {
      draw(pane, in: layout.facets[index], hasFocus: state.focus == .facet(index), layout)
    }
  }

  private mutating func drawBox(_ state: ScreenState) {
    let prompt = StyledText("> ", state.focus == .box ? .bold : .dim)
    let (text, cursor) = state.editor.visible(in: size.columns - prompt.width)
    add(prompt, row: 0)
    add(StyledText(text), row: 0, column: prompt.width)
    if let completion = state.completion {
      // The cursor is in its first cell.
      add(StyledText(completion, .dim), row: 0, column: prompt.width + cursor)
    }
    // A screen that is narrower than the prompt has no cell for the cursor.
    if state.focus == .box, size.columns > prompt.width {
      self.cursor = Position(row: 0, column: prompt.width + cursor)
    }
  }

  private mutating func drawHits(_ state: ScreenState, in layout: Layout) {
    let area = layout.hits
    let hasFocus = state.focus == .hits
    var row = area.row
    if area.hasHeader {
      let header = StyledText(state.hitsTitle, hasFocus ? [.bold, .underlined] : .bold)
      add(header, row: row, width: area.columns - 2)
      row += 1
    }
    if let explanation = state.explanation {
      for line in explanation.prefix(area.listRows) {
        add(StyledText(line), row: row, width: layout.isWide ? area.columns - 2 : area.columns)
        row += 1
      }
      return
    }
    if state.hits.generation > 0, state.hits.rowCount == 0, area.listRows > 0 {
      add(StyledText("  No film matches.", .dim), row: row, width: area.columns)
    }
    for index in state.visibleHits {
      let isCurrent = index == state.hitWindow.cursor
      var text = StyledText(isCurrent ? "› " : "  ")
      text.append(state.hits.hit(index).map(StyledText.init) ?? StyledText("…", .dim))
      // A cell stays free between the hits and the facets.
      let width = layout.isWide ? area.columns - 2 : area.columns
      if isCurrent, hasFocus { text = text.filled(to: width).adding(.inverse) }
      add(text, row: row, width: width)
      row += 1
    }
  }

  private mutating func draw(
    _ pane: FacetPane, in area: Area, hasFocus: Bool, _ layout: Layout
  ) {
    guard area.rows > 0 else { return }
    var row = area.row
    let visible = pane.window.visibleRows(count: pane.items.count, height: area.listRows)
    // Beside other lists, a line separates them, with a cell before and after it.
    let column = area.column + (layout.isWide ? 2 : 0)
    let width = area.columns - (layout.isWide ? 3 : 0)
    if layout.isWide {
      for row in area.row..<area.row + area.rows {
        add(StyledText("│", .dim), row: row, column: area.column, width: 1)
      }
    }
    if area.hasHeader {
      let header = StyledText(pane.title, hasFocus ? [.bold, .underlined] : .bold)
      let range =
        visible.count < pane.items.count && !visible.isEmpty
        ? "\(visible.lowerBound + 1)–\(visible.upperBound) of \(pane.items.count)" : ""
      add(Self.line(header, StyledText(range, .dim), width), row: row, column: column)
      row += 1
    }
    for index in visible {
      let item = pane.items[index]
      let text = Self.line(
        StyledText((item.isRefined ? "[x] " : "[ ] ") + item.value, item.isRefined ? .bold : []),
        StyledText(item.count.map(String.init) ?? "", .dim), width)
      let isCurrent = hasFocus && index == pane.window.cursor
      add(isCurrent ? text.adding(.inverse) : text, row: row, column: column)
      row += 1
    }
  }

  /// One text at the left and one at the right, with at least one cell between them.
  private static func line(
    _ left: StyledText, _ right: StyledText, _ width: Int
  ) -> StyledText {
    guard right.width > 0, right.width < width else { return left.cut(to: width) }
    var line = left.filled(to: width - right.width - 1)
    line.append(" ")
    line.append(right)
    return line
  }
}
