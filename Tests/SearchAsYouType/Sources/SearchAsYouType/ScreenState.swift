import AsyncInstantSearch

/// What the keys go to.
enum Focus: Hashable {
  case box
  case facet(Int)
  case hits
}

/// What happens to the screen.
enum ScreenEvent: Sendable {
  case keys([Key])
  case resized(ScreenSize)
  case hits(HitList)
  /// The values of some facets.
  case facets([FilmFacet: [FacetItem]])
  /// The chosen values of all facets.
  case chosen([CurrentFilters.Group])
  /// The suggestions for a text.
  case suggestions(Autocomplete.View)
  /// The duration of a call of the engine.
  case engineTime(Duration)
  /// Why the hit with an ID is where it is.
  case explained(String, [String])
  /// Whether the newest search takes longer than usual.
  case stalled(Bool)
  /// Something failed. The failure of the newest search is also part of `hits`.
  case failed(String)
}

/// What the screen asks for.
enum ScreenCommand: Hashable {
  case setQuery(String)
  case submit
  case selectNext
  case selectPrevious
  /// Searches the selected suggestion.
  case choose
  /// Chooses a value of a facet, or no longer if it is chosen.
  case toggle(FilmFacet, String)
  case clearFilters
  /// Finds out why the hit with an ID is where it is.
  case explain(String)
  case redraw
  /// Gives the terminal to the shell.
  case suspend
  case end
}

/// Everything that the screen shows, as a value: events change it, and a frame is made from it.
struct ScreenState {
  var size: ScreenSize
  var editor = LineEditor()
  var focus = Focus.box
  /// The facet list that was used last.
  var openFacet = 0
  var facets = FilmFacet.all.map(FacetPane.init)
  var chosen: [CurrentFilters.Group] = []
  /// The suggestions; those of another text than that of the editor are not shown.
  private var suggestions: Autocomplete.View?
  var hits = HitList()
  var hitWindow = ListWindow()
  var isStalled = false
  /// What failed or could not be done, until the next key.
  var notice: String?
  /// Why the hit at the cursor is where it is, until the next key.
  private(set) var explanation: [String]?
  /// The ID of the hit whose explanation is awaited.
  private var explainedID: String?
  /// The time of the engine for the hits that are shown.
  var engineTime: Duration?
  /// The time from the key that changed the request to the hits that are shown.
  var totalTime: Duration?

  /// The time of the newest call of the engine, whose response may not be here yet.
  private var newestEngineTime: Duration?
  /// When a key changed the request, as a time since any moment.
  private var changeTime: Duration?
  /// Whether the newest change waits for the debounce.
  private var isChangeDebounced = false
  /// Whether the hits that are shown have waited for it.
  private(set) var isDebounced = false

  init(size: ScreenSize) {
    self.size = size
  }

  /// Where the parts of the screen are.
  var layout: Layout {
    Layout(size, facetCounts: facets.map(\.items.count), focus: focus, openFacet: openFacet)
  }

  /// The visible rows of the hits.
  var visibleHits: Range<Int> {
    hitWindow.visibleRows(count: hits.rowCount, height: layout.hits.listRows)
  }

  /// Changes the state.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - time: The time of the event since any moment, the same one for all events.
  /// - Returns: What to do, in order.
  mutating func apply(_ event: ScreenEvent, at time: Duration) -> [ScreenCommand] {
    var commands: [ScreenCommand] = []
    switch event {
    case .keys(let keys):
      for key in keys {
        notice = nil
        let isClosed = explanation != nil && key == .enter && focus == .hits
        (explanation, explainedID) = (nil, nil)
        if !isClosed { commands += handle(key) }
        fit()
      }
      if commands.contains(where: \.isSearch) {
        changeTime = time
        // Other changes do not wait.
        isChangeDebounced = commands.allSatisfy(\.isDebounced)
      }
    case .resized(let size): self.size = size
    case .hits(let hits): show(hits, at: time)
    case .facets(let lists):
      for index in facets.indices {
        if let items = lists[facets[index].facet] { facets[index].update(items) }
      }
    case .chosen(let chosen): self.chosen = chosen
    case .suggestions(let suggestions): self.suggestions = suggestions
    case .engineTime(let duration): newestEngineTime = duration
    case .explained(let objectID, let lines): if objectID == explainedID { explanation = lines }
    case .stalled(let isStalled): self.isStalled = isStalled
    case .failed(let message): notice = message
    }
    fit()
    return commands
  }

  /// The suggestions for the text in the box; `nil` while there are none, or the box is left.
  var shownSuggestions: Autocomplete.View? {
    guard focus == .box, let suggestions, suggestions.isOpen, suggestions.query == editor.text,
      !suggestions.items.isEmpty
    else { return nil }
    return suggestions
  }

  /// What the first suggestion adds to the text, if the cursor is at its end.
  var completion: String? { editor.after.isEmpty ? shownSuggestions?.completion : nil }

  private mutating func show(_ hits: HitList, at time: Duration) {
    if hits.generation != self.hits.generation {
      hitWindow = ListWindow()
      (explanation, explainedID) = (nil, nil)
      engineTime = newestEngineTime
      totalTime = changeTime.map { time - $0 }
      isDebounced = isChangeDebounced && totalTime.map { $0 >= FilmSearch.debounce } ?? false
      // Times belong to one search; one that no key caused has none.
      changeTime = nil
    }
    self.hits = hits
  }

  /// Keeps the cursors of all lists in their lists and visible.
  private mutating func fit() {
    let layout = layout
    hitWindow.fit(count: hits.rowCount, height: layout.hits.listRows)
    for index in facets.indices {
      facets[index].window.fit(
        count: facets[index].items.count, height: layout.facets[index].listRows)
    }
  }
}

extension ScreenCommand {
  /// Whether the command leads to a search.
  fileprivate var isSearch: Bool {
    switch self {
    case .setQuery, .submit, .choose, .toggle, .clearFilters: true
    case .selectNext, .selectPrevious, .explain, .redraw, .suspend, .end: false
    }
  }

  /// Whether its search waits for the debounce.
  fileprivate var isDebounced: Bool {
    if case .setQuery = self { true } else { !isSearch }
  }
}

extension ScreenState {
  /// Does what a key means for the part of the screen that has the focus.
  mutating func handle(_ key: Key) -> [ScreenCommand] {
    switch key {
    case .escape, .control("c"), .control("d"): return [.end]
    case .control("l"): return [.redraw]
    case .control("z"): return [.suspend]
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
    switch key {
    case .enter: return submit()
    case .control("n") where shownSuggestions != nil: return [.selectNext]
    case .control("p") where shownSuggestions != nil: return [.selectPrevious]
    case .right:
      if let completion, !completion.isEmpty { return edit(.text(completion)) }
    default: break
    }
    if ![.home, .end].contains(key), moveHits(key) { return [] }
    return edit(key)
  }

  /// Searches the selected suggestion, or else the text at once.
  private mutating func submit() -> [ScreenCommand] {
    guard let selected = shownSuggestions?.selectedItem else { return [.submit] }
    editor = LineEditor()
    editor.insert(selected.text)
    return [.choose]
  }

  private mutating func handleInHits(_ key: Key) -> [ScreenCommand] {
    if key == .enter {
      explainedID = hits.hit(hitWindow.cursor)?.objectID
      return explainedID.map { [.explain($0)] } ?? []
    }
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
