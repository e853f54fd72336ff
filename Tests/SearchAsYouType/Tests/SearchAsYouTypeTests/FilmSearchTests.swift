import AsyncInstantSearch
import TestSupport
import Testing

@testable import SearchAsYouType

/// The state and the frame with real responses of the engine.
struct FilmSearchTests {
  private let search: FilmSearch

  init() async throws {
    search = try await FilmSearch()
  }

  /// The state with the response to the current request.
  private func screen(_ columns: Int, _ rows: Int) async throws -> TestScreen {
    try await search.searcher.search()
    return TestScreen(
      columns, rows, .facets(search.lists.mapValues { search.live.view(of: $0).items }),
      .chosen(search.live.view(of: search.chosen).groups), .hits(HitList(search.hits.state)))
  }

  @Test func hitsSayWhyTheyWereFound() async throws {
    try search.live.perform(search.box.setQuery("seven samu"))
    let lines = try await screen(120, 20).frame.lines.map(\.plain)
    #expect(lines[4].hasPrefix("› Seven Samurai (1954) · Akira Kurosawa · Japan · Action"))
    try search.live.perform(search.box.setQuery("mifune"))
    let byCast = try await screen(120, 20).frame.lines
    #expect(byCast[4].plain.contains(" · with Toshirō Mifune · "))
    #expect(byCast[4].escaped(columns: 120).contains("\u{1B}[1mMifune\u{1B}[0m"))
    try search.live.perform(search.box.setQuery("sleepwalker"))
    let byPlot = try await screen(120, 20).frame.lines
    #expect(byPlot[4].escaped(columns: 120).contains("\u{1B}[1msleepwalker\u{1B}[0m"))
  }

  @Test func aHitIsExplained() async throws {
    try search.live.perform(search.box.setQuery("hitchcok"))
    let genres = try #require(search.lists[FilmFacet.all[0]])
    try search.live.perform(genres.toggle("Thriller"))
    let first = try #require(try await screen(120, 20).state.hits.hit(0))
    let lines = await search.explanation(of: first.objectID)
    expectEqual(lines.first, "\(first.objectID): place 0")
    #expect(lines.contains { $0.contains("hitchcok is hitchcock in directors") }, "\(lines)")
    let other = await search.explanation(of: "f-the-kid-1921")
    #expect(other.first?.contains("does not match the filter") == true, "\(other)")
  }

  @Test func countsAreDisjunctive() async throws {
    let all = try await screen(80, 40)
    expectEqual(all.facets.map { $0.items.count }, [21, 42, 11])
    let genres = try #require(search.lists[FilmFacet.all[0]])
    try search.live.perform(genres.toggle("Western"))
    let westerns = try await screen(80, 40)
    expectEqual(
      westerns.facets[0].items.first,
      all.facets[0].items.first { $0.value == "Western" }
        .map { FacetItem(value: $0.value, count: $0.count, isRefined: true) })
    // The other genres count what they would add; the countries count westerns only.
    expectEqual(westerns.facets[0].items.count, 21)
    expectEqual(westerns.facets[1].items.compactMap(\.count).reduce(0, +), westerns.hits.hitCount)
    expectEqual(
      westerns.facets[2].items.map(\.value), westerns.facets[2].items.map(\.value).sorted())
  }

  @Test func chosenValuesWithoutHitsStayFirst() async throws {
    let genres = try #require(search.lists[FilmFacet.all[0]])
    for genre in ["Western", "Crime"] { try search.live.perform(genres.toggle(genre)) }
    let chosen = try await screen(80, 40)
    expectEqual(chosen.facets[0].items.prefix(2).map(\.value), ["Crime", "Western"])
    expectEqual(chosen.currentFilters.plain, "Genre: Western, Crime")
    try search.live.perform(search.box.setQuery("godfather"))
    let found = try await screen(80, 40).facets[0]
    expectEqual(found.items.prefix(2).map(\.value), ["Crime", "Western"])
    expectEqual(found.items.prefix(2).map(\.count), [3, 0])
    #expect(found.items.count > 2 && found.chosenCount == 2)
    try search.live.perform(search.clear.clear())
    let cleared = try await screen(80, 40)
    #expect(cleared.facets[0].chosenCount == 0 && cleared.chosen.isEmpty)
    expectEqual(search.live.view(of: search.box).query, "godfather")
  }

  @Test func filmsHaveTheirDecades() async throws {
    let decades = try #require(search.lists[FilmFacet.all[2]])
    try search.live.perform(decades.toggle("1970s"))
    let decade = try await screen(80, 40)
    expectEqual(decade.hits.hitCount, 86)
    #expect((0..<20).allSatisfy { (1970..<1980).contains(decade.hits.hit($0)?.year ?? 0) })
  }

  @Test func namesAndTitlesAreSuggested() async throws {
    let screen = TestScreen(80, 24)
    screen.press(.text("kuro"))
    try search.live.perform(search.box.setQuery("kuro"))
    let view = try await search.live.interactor(of: search.box).settledView()
    screen.apply(.suggestions(view))
    #expect(screen.frame.text[2].hasPrefix("Suggestions: Akira Kurosawa · "))
    try search.live.perform(search.box.selectNext())
    try search.live.perform(search.box.submit())
    try await search.searcher.settled()
    #expect(search.hits.state.nbHits > 3 && search.searcher.request.query.query == "Akira Kurosawa")
  }
}
