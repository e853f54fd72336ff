import AsyncInstantSearch

extension FacetPane {
  /// The title of the list, with the number of chosen values.
  var title: String { chosenCount > 0 ? "\(facet.title) (\(chosenCount))" : facet.title }
}

extension ScreenState {
  /// The title of the hits: the visible rows and the number of all.
  var hitsTitle: String {
    if explanation != nil { return "Why this result" }
    let visible = visibleHits
    return visible.isEmpty
      ? "Hits" : "Hits \(visible.lowerBound + 1)–\(visible.upperBound) of \(hits.rowCount)"
  }

  /// The number of hits, and the times: of the engine, and the total from the key to the hits with
  /// the debounce in it. What failed replaces it. What does not fit is left out, the total first.
  var statistics: StyledText {
    if let failure = hits.failure ?? notice { return StyledText(failure, .failure) }
    guard hits.generation > 0 else { return StyledText("Searching…", .dim) }
    let count = StyledText("\(hits.hitCount) \(hits.hitCount == 1 ? "hit" : "hits")", .bold)
    let engine = engineTime.map { StyledText("engine \($0.milliseconds)") }
    let total = totalTime.map {
      let wait = isDebounced ? ", \(FilmSearch.debounce.milliseconds) of them debounce" : ""
      return StyledText("total \($0.milliseconds)\(wait)", .dim)
    }
    let stalled = isStalled ? StyledText("searching…", .dim) : nil
    let lines = [
      [count, engine, total, stalled], [count, engine, stalled],
    ].map { $0.compactMap(\.self).joined(separator: "  ") }
    return lines.first { $0.width <= size.columns } ?? count
  }

  /// The line below the statistics: suggestions while there are some, or else the filters.
  var details: StyledText { shownSuggestions.map(Self.text) ?? currentFilters }

  /// Suggestions in one line. What is not typed is bold, and the selected one is inverse.
  private static func text(for view: Autocomplete.View) -> StyledText {
    var text = StyledText("Suggestions: ", .dim)
    for (index, item) in view.items.enumerated() {
      if index > 0 { text.append(" · ", .dim) }
      let style: Style = index == view.selection ? .inverse : []
      for segment in item.highlighted.segments {
        text.append(segment.text, segment.isHighlighted ? style.union(.bold) : style)
      }
    }
    return text
  }

  /// The chosen values of all facets.
  var currentFilters: StyledText {
    var text = StyledText()
    for group in chosen {
      let facet = FilmFacet.all.first { $0.attribute == group.attribute }
      if text.width > 0 { text.append("  ") }
      text.append("\(facet?.title ?? group.attribute): ", .dim)
      text.append(group.items.map(\.label).joined(separator: ", "), .bold)
    }
    return text.width > 0 ? text : StyledText("No filters", .dim)
  }

  /// The lists of a narrow screen; the visible one is inverse.
  var tabs: StyledText {
    var tabs: [(title: String, isVisible: Bool)] = [(hitsTitle, true)]
    for (index, pane) in facets.enumerated() {
      tabs.append((pane.title, focus == .facet(index)))
      if focus == .facet(index) { tabs[0] = ("Hits", false) }
    }
    var text = StyledText()
    for (title, isVisible) in tabs {
      if text.width > 0 { text.append(" ") }
      text.append(" \(title) ", isVisible ? [.bold, .inverse] : [])
    }
    return text
  }

  /// What the keys do, as much of it as fits; the most important first.
  func help(columns: Int) -> StyledText {
    let keys =
      switch focus {
      case .box:
        shownSuggestions == nil
          ? ["↑↓ scroll", "^U ^W ^K clear", "return search now"]
          : ["→ complete", "^N ^P select", "return search", "↑↓ scroll"]
      case .facet: ["space choose", "↑↓ move", "←→ lists"]
      case .hits: explanation == nil ? ["↑↓ move", "return why", "home end"] : ["return hits"]
      }
    let all = ["esc ends", "tab next list"] + keys + (!chosen.isEmpty ? ["^R no filters"] : [])
    var text = ""
    for help in all {
      let longer = text.isEmpty ? help : "\(text)  \(help)"
      guard longer.cellWidth <= columns else { break }
      text = longer
    }
    return StyledText(text, .dim)
  }
}

extension Duration {
  /// The time in milliseconds, with two decimals below one and one above.
  fileprivate var milliseconds: String {
    let milliseconds = self / .milliseconds(1)
    let scale = milliseconds < 1 ? 100.0 : 10
    let rounded = (milliseconds * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int(rounded)) ms" : "\(rounded) ms"
  }
}

extension StyledText {
  /// A film as one line: its title, why it was found if not by its title, and facts. Matches are
  /// bold.
  init(_ hit: Hit<Film>) {
    self.init()
    append(hit.highlighted("title"), else: hit.title)
    append(" (\(hit.year))")
    for part in [Self.reason(hit), Self.directors(of: hit)].compactMap(\.self) {
      append(" · ", .dim)
      append(part)
    }
    append(" · \(hit.country) · \(hit.genres.joined(separator: ", "))", .dim)
  }

  /// The match among the cast, or else in the plot if nothing that is shown anyway matches.
  private static func reason(_ hit: Hit<Film>) -> StyledText? {
    var text = StyledText()
    if let name = hit.highlighted("cast"), name.isHighlighted {
      text.append("with ", .dim)
      text.append(name, else: "")
      return text
    }
    let isShown = ["title", "directors"].contains { hit.highlighted($0)?.isHighlighted == true }
    guard !isShown, let plot = hit.snippeted("plot"), plot.isHighlighted else { return nil }
    text.append(plot, else: "")
    return text
  }

  private static func directors(of hit: Hit<Film>) -> StyledText? {
    var text = StyledText()
    for (index, name) in hit.directors.enumerated() {
      if index > 0 { text.append(", ") }
      text.append(hit.highlighted("directors.\(index)"), else: name)
    }
    return text.width > 0 ? text : nil
  }

  private mutating func append(_ highlighted: HighlightedString?, else text: String) {
    guard let highlighted else { return append(text) }
    for segment in highlighted.segments {
      append(segment.text, segment.isHighlighted ? .bold : [])
    }
  }
}
