import AsyncInstantSearch

@testable import SearchAsYouType

extension Film {
  static func fixture(_ title: String, year: Int = 1954) -> Film {
    Film(
      objectID: title, title: title, year: year, directors: ["Akira Kurosawa"],
      cast: ["Toshiro Mifune"], genres: ["Action", "Drama"], country: "Japan", runtime: 207,
      oscars: 0, plot: "Villagers hire seven swordsmen.")
  }
}

extension HitList {
  /// Hits with the given titles, in which the part between brackets matches.
  init(_ titles: [String], generation: UInt64 = 1, loaded: Range<Int>? = nil) {
    self.init()
    rowCount = titles.count
    self.generation = generation
    let loaded = loaded ?? titles.indices
    hit = { row in
      guard loaded.contains(row), titles.indices.contains(row) else { return nil }
      let title = HighlightedString(titles[row], preTag: "[", postTag: "]")
      return Hit(
        objectID: "\(row)", object: .fixture(title.text),
        highlightResult: .dictionary([
          "title": .value(HighlightResult(value: title, matchLevel: .full))
        ]))
    }
  }
}

/// A state and the events that change it, at the same time unless a test says when.
@dynamicMemberLookup
final class TestScreen {
  private(set) var state: ScreenState

  init(_ columns: Int, _ rows: Int, _ events: ScreenEvent...) {
    state = ScreenState(size: ScreenSize(columns: columns, rows: rows))
    for event in events { apply(event) }
  }

  subscript<Value>(dynamicMember keyPath: KeyPath<ScreenState, Value>) -> Value {
    state[keyPath: keyPath]
  }

  var frame: Frame { Frame(state) }

  /// Applies an event. All hits of a list are counted.
  @discardableResult
  func apply(_ event: ScreenEvent, at time: Duration = .zero) -> [ScreenCommand] {
    guard case .hits(var hits) = event else { return state.apply(event, at: time) }
    hits.hitCount = max(hits.hitCount, hits.rowCount)
    return state.apply(.hits(hits), at: time)
  }

  /// Applies keys, and returns what they ask for.
  @discardableResult
  func press(_ keys: Key...) -> [ScreenCommand] { apply(.keys(keys)) }

  func resize(_ columns: Int, _ rows: Int) {
    apply(.resized(ScreenSize(columns: columns, rows: rows)))
  }
}

extension ScreenEvent {
  static let someFacets = ScreenEvent.facets([
    FilmFacet.all[0]: genres, FilmFacet.all[1]: items(["Japan": 43, "Italy": 35]),
    FilmFacet.all[2]: items(["1950s": 68, "1970s": 86]),
  ])

  /// The genres, the chosen one first.
  static func genres(choosing value: String) -> ScreenEvent {
    let items = genres.map {
      FacetItem(value: $0.value, count: $0.count, isRefined: $0.value == value)
    }
    return .facets([FilmFacet.all[0]: items.filter(\.isRefined) + items.filter { !$0.isRefined }])
  }

  /// Chosen values of the genres.
  static func chosen(_ values: String...) -> ScreenEvent {
    var groups = FilterGroups()
    for value in values { groups[or: "genres"].add(Attribute("genres") == value) }
    let widget = CurrentFilters()
    let context = WidgetContext(widget, state: IndexState("films", filters: groups))
    return .chosen(widget.view(context).groups)
  }

  private static let genres = items(["Drama": 458, "Comedy": 137, "War": 64])

  private static func items(_ counts: KeyValuePairs<String, Int>) -> [FacetItem] {
    counts.map { FacetItem(value: $0, count: $1) }
  }
}

extension Frame {
  /// The lines without styles and without spaces at their ends.
  var text: [String] {
    lines.map { line in
      String(line.plain.reversed().drop { $0 == " " }.reversed())
    }
  }
}
