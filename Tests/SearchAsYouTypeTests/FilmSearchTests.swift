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
    let page = try await search.searcher.search(of: Hit<Film>.self)
    let values = Dictionary(uniqueKeysWithValues: page.facets.map { ($0.attribute, $0.values) })
    return TestScreen(
      columns, rows, .facets(values), .filters(search.filters.groups),
      .hits(HitList(try await search.hits.settledState())))
  }

  @Test func hitsSayWhyTheyWereFound() async throws {
    search.searcher.setQuery("seven samu")
    let lines = try await screen(120, 20).frame.lines.map(\.plain)
    #expect(lines[4].hasPrefix("› Seven Samurai (1954) · Akira Kurosawa · Japan · Action"))
    search.searcher.setQuery("mifune")
    let byCast = try await screen(120, 20).frame.lines
    #expect(byCast[4].plain.contains(" · with Toshirō Mifune · "))
    #expect(byCast[4].escaped(columns: 120).contains("\u{1B}[1mMifune\u{1B}[0m"))
    search.searcher.setQuery("sleepwalker")
    let byPlot = try await screen(120, 20).frame.lines
    #expect(byPlot[4].escaped(columns: 120).contains("\u{1B}[1msleepwalker\u{1B}[0m"))
  }

  @Test func countsAreDisjunctive() async throws {
    let all = try await screen(80, 40)
    #expect(all.facets.map { $0.items.count } == [21, 42, 11])
    let genres = FilmFacet.all[0]
    search.filters.update { $0[or: "genres"].toggle(genres.filter("Western")) }
    let westerns = try await screen(80, 40)
    #expect(
      westerns.facets[0].items.first
        == all.facets[0].items.first { $0.value == "Western" }
        .map { FacetListItem(value: $0.value, count: $0.count, isSelected: true) })
    // The other genres count what they would add; the countries count westerns only.
    #expect(westerns.facets[0].items.count == 21)
    #expect(westerns.facets[1].items.map(\.count).reduce(0, +) == westerns.hits.hitCount)
    #expect(westerns.facets[2].items.map(\.value) == westerns.facets[2].items.map(\.value).sorted())
  }

  @Test func filmsHaveTheirDecades() async throws {
    let decades = FilmFacet.all[2]
    search.filters.update { $0[or: "decade"].toggle(decades.filter("1970s")) }
    let decade = try await screen(80, 40)
    #expect(decade.hits.hitCount == 86)
    #expect((0..<20).allSatisfy { (1970..<1980).contains(decade.hits.hit($0)?.year ?? 0) })
  }
}
