import AsyncInstantSearch
import Testing

@testable import SearchAsYouType

/// The state and the frame with real responses of the engine.
@Suite(.timeLimit(.minutes(30))) struct FilmSearchTests {
  private let search: FilmSearch

  init() async throws {
    search = try await FilmSearch()
  }

  /// The state with the response to the current request.
  private func screen(_ columns: Int, _ rows: Int) async throws -> TestScreen {
    try await search.searcher.search()
    return TestScreen(
      columns, rows, .facets(search.lists.mapValues(\.view.items)),
      .chosen(search.chosen.view.groups), .hits(HitList(search.hits.state)))
  }

  @Test func hitsSayWhyTheyWereFound() async throws {
    try search.box.perform { $0.setQuery("seven samu") }
    let lines = try await screen(120, 20).frame.lines.map(\.plain)
    #expect(lines[4].hasPrefix("› Seven Samurai (1954) · Akira Kurosawa · Japan · Action"))
    try search.box.perform { $0.setQuery("mifune") }
    let byCast = try await screen(120, 20).frame.lines
    #expect(byCast[4].plain.contains(" · with Toshirō Mifune · "))
    #expect(byCast[4].escaped(columns: 120).contains("\u{1B}[1mMifune\u{1B}[0m"))
    try search.box.perform { $0.setQuery("sleepwalker") }
    let byPlot = try await screen(120, 20).frame.lines
    #expect(byPlot[4].escaped(columns: 120).contains("\u{1B}[1msleepwalker\u{1B}[0m"))
  }

  @Test func countsAreDisjunctive() async throws {
    let all = try await screen(80, 40)
    #expect(all.facets.map { $0.items.count } == [21, 42, 11])
    let genres = try #require(search.lists[FilmFacet.all[0]])
    try genres.perform { $0.toggle("Western") }
    let westerns = try await screen(80, 40)
    #expect(
      westerns.facets[0].items.first
        == all.facets[0].items.first { $0.value == "Western" }
        .map { FacetItem(value: $0.value, count: $0.count, isRefined: true) })
    // The other genres count what they would add; the countries count westerns only.
    #expect(westerns.facets[0].items.count == 21)
    #expect(westerns.facets[1].items.map(\.count).reduce(0, +) == westerns.hits.hitCount)
    #expect(westerns.facets[2].items.map(\.value) == westerns.facets[2].items.map(\.value).sorted())
  }

  @Test func chosenValuesWithoutHitsStayFirst() async throws {
    let genres = try #require(search.lists[FilmFacet.all[0]])
    for genre in ["Western", "Crime"] { try genres.perform { $0.toggle(genre) } }
    let chosen = try await screen(80, 40)
    #expect(chosen.facets[0].items.prefix(2).map(\.value) == ["Crime", "Western"])
    #expect(chosen.currentFilters.plain == "Genre: Western, Crime")
    try search.box.perform { $0.setQuery("godfather") }
    let found = try await screen(80, 40).facets[0]
    #expect(found.items.prefix(2).map(\.value) == ["Crime", "Western"])
    #expect(found.items.prefix(2).map(\.count) == [3, 0])
    #expect(found.items.count > 2 && found.chosenCount == 2)
    try search.clear.perform { $0.clear() }
    let cleared = try await screen(80, 40)
    #expect(cleared.facets[0].chosenCount == 0 && cleared.chosen.isEmpty)
    #expect(search.box.view.query == "godfather")
  }

  @Test func filmsHaveTheirDecades() async throws {
    let decades = try #require(search.lists[FilmFacet.all[2]])
    try decades.perform { $0.toggle("1970s") }
    let decade = try await screen(80, 40)
    #expect(decade.hits.hitCount == 86)
    #expect((0..<20).allSatisfy { (1970..<1980).contains(decade.hits.hit($0)?.year ?? 0) })
  }
}
