extension ScreenState {
  /// Does what a key means for the part of the screen that has the focus.
  mutating func handle(_ key: Key) -> [ScreenCommand] {
    switch key {
    case .escape, .control("c"), .control("d"): return [.end]
    case .control("l"): return [.redraw]
    case .control("r"): return chosen.isEmpty ? [] : [.clearFilters]
    case .tab: moveFocus(by: 1)
    case .backTab: moveFocus(by: -1)
    default:
      switch focus {
      case .box: return handleInBox(key)
      case .hits: return handleInHits(key)
      case .facet(let index): return handle(key, inFacet: index)
      }
    }
    return []
  }

  private mutating func handleInBox(_ key: Key) -> [ScreenCommand] {
    if key == .enter { return [.submit] }
    if ![.home, .end].contains(key), moveHits(key) { return [] }
    return edit(key)
  }

  private mutating func handleInHits(_ key: Key) -> [ScreenCommand] {
    if moveHits(key == .text(" ") ? .pageDown : key) { return [] }
    return edit(key)
  }

  private mutating func handle(_ key: Key, inFacet index: Int) -> [ScreenCommand] {
    let height = layout.facets[index].listRows
    if facets[index].window.move(key, count: facets[index].items.count, height: height) {
      return []
    }
    switch key {
    case .enter: return toggle(inFacet: index)
    // Quick presses arrive together.
    case .text(let text) where text.allSatisfy { $0 == " " }:
      return text.flatMap { _ in toggle(inFacet: index) }
    case .left: setFocus(.facet(max(0, index - 1)))
    case .right: setFocus(.facet(min(facets.count - 1, index + 1)))
    default: return edit(key)
    }
    return []
  }

  private func toggle(inFacet index: Int) -> [ScreenCommand] {
    let pane = facets[index]
    return pane.currentValue.map { [.toggle(pane.facet, $0)] } ?? []
  }

  private mutating func moveHits(_ key: Key) -> Bool {
    hitWindow.move(key, count: hits.rowCount, height: layout.hits.listRows)
  }

  /// Edits the text of the box; a key that edits goes there from any list.
  private mutating func edit(_ key: Key) -> [ScreenCommand] {
    let before = editor.text
    if case .text(let text) = key {
      setFocus(.box)
      let fits = editor.insert(text)
      notice = fits ? nil : "A query has at most \(LineEditor.maximumByteCount) bytes."
    } else if focus == .box || key.changesText {
      if editor.edit(key) { setFocus(.box) }
    }
    return editor.text == before ? [] : [.setQuery(editor.text)]
  }

  private mutating func moveFocus(by distance: Int) {
    let order = [.box] + facets.indices.map(Focus.facet) + [.hits]
    let index = order.firstIndex(of: focus) ?? 0
    setFocus(order[(index + distance + order.count) % order.count])
  }

  private mutating func setFocus(_ focus: Focus) {
    self.focus = focus
    if case .facet(let index) = focus { openFacet = index }
  }
}

extension Key {
  /// Whether the key changes the text of a line, rather than the place of the cursor.
  fileprivate var changesText: Bool {
    switch self {
    case .backspace, .delete, .control("u"), .control("k"), .control("w"): true
    default: false
    }
  }
}
