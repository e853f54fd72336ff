import AsyncInstantSearch

extension Frame {
  /// Draws a state.
  init(_ state: ScreenState) {
    self.init(size: state.size)
    let layout = state.layout
    drawBox(state)
    add(state.statistics, row: layout.statistics)
    add(state.currentFilters, row: layout.filters)
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
        StyledText("\(item.count)", .dim), width)
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
