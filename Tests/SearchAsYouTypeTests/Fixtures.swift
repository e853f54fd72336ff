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
    hitCount = titles.count
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

  @discardableResult
  func apply(_ event: ScreenEvent, at time: Duration = .zero) -> [ScreenCommand] {
    state.apply(event, at: time)
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
    "genres": [
      FacetValue(value: "Drama", count: 458), FacetValue(value: "Comedy", count: 137),
      FacetValue(value: "War", count: 64),
    ],
    "country": [FacetValue(value: "Japan", count: 43), FacetValue(value: "Italy", count: 35)],
    "decade": [FacetValue(value: "1970s", count: 86), FacetValue(value: "1950s", count: 68)],
  ])

  /// Chosen values of the genres.
  static func genres(_ values: String...) -> ScreenEvent {
    var groups = FilterGroups()
    for value in values { groups[or: "genres"].add(Attribute("genres") == value) }
    return .filters(groups)
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
