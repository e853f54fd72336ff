@testable import AsyncInstantSearch
import TestSupport
import Testing

@testable import SearchAsYouType

struct ScreenStateTests {
  private let genre = FilmFacet.all[0]

  @Test func typedTextIsSearched() {
    let screen = TestScreen(80, 24)
    expectEqual(screen.press(.text("go"), .text("d")), [.setQuery("go"), .setQuery("god")])
    expectEqual(screen.press(.backspace), [.setQuery("go")])
    expectEqual(screen.press(.left, .home, .end, .control("a")), [])
    expectEqual(screen.press(.control("k")), [.setQuery("")])
    expectEqual(screen.press(.control("u"), .control("w"), .backspace), [])
    expectEqual(screen.press(.enter), [.submit])
  }

  @Test(arguments: [Key.escape, .control("c"), .control("d")])
  func keyEndsFromEverywhere(key: Key) {
    let screen = TestScreen(80, 24, .someFacets)
    for _ in 0..<5 {
      expectEqual(screen.press(key), [.end])
      screen.press(.tab)
    }
  }

  @Test func tabGoesThroughBoxListsAndHits() {
    let screen = TestScreen(80, 24)
    let order: [Focus] = [.facet(0), .facet(1), .facet(2), .hits, .box]
    for focus in order {
      screen.press(.tab)
      expectEqual(screen.focus, focus)
    }
    for focus in order.dropLast().reversed() + [.box] {
      screen.press(.backTab)
      expectEqual(screen.focus, focus)
    }
  }

  @Test func spaceAndReturnToggleTheValueAtTheCursor() {
    let screen = TestScreen(80, 24, .someFacets)
    expectEqual(screen.press(.tab, .text(" ")), [.toggle(genre, "Drama")])
    expectEqual(screen.press(.down, .enter), [.toggle(genre, "Comedy")])
    expectEqual(
      screen.press(.end, .text("  ")), [.toggle(genre, "War"), .toggle(genre, "War")])
    expectEqual(
      screen.press(.right, .right, .right, .text(" ")), [.toggle(FilmFacet.all[2], "1950s")])
    expectEqual(screen.press(.left, .text(" ")), [.toggle(FilmFacet.all[1], "Japan")])
  }

  @Test func listWithoutValuesTogglesNothing() {
    let screen = TestScreen(80, 24)
    expectEqual(screen.press(.tab, .down, .pageDown, .end, .text(" "), .enter), [])
  }

  @Test func keysThatEditGoToTheBoxFromAnyList() {
    let screen = TestScreen(80, 24, .someFacets)
    expectEqual(
      screen.press(.text("war"), .tab, .text("s")), [.setQuery("war"), .setQuery("wars")])
    expectEqual(screen.focus, .box)
    expectEqual(screen.press(.backTab, .backspace), [.setQuery("war")])
    expectEqual(screen.focus, .box)
    // Keys that only move the cursor do not.
    expectEqual(screen.press(.backTab, .left, .control("a")), [])
    expectEqual(screen.focus, .hits)
  }

  @Test func cursorFollowsItsValue() {
    let screen = TestScreen(80, 24, .someFacets)
    screen.press(.tab, .end)
    screen.apply(.genres(choosing: "War"))
    expectEqual(screen.facets[0].items.map(\.value), ["War", "Drama", "Comedy"])
    expectEqual(screen.facets[0].currentValue, "War")
    expectEqual(screen.facets[0].items.map(\.isRefined), [true, false, false])
  }

  @Test func filtersAreClearedOnlyIfThereAreSome() {
    let screen = TestScreen(80, 24, .someFacets)
    expectEqual(screen.press(.control("r")), [])
    screen.apply(.chosen("War"))
    expectEqual(screen.press(.control("r")), [.clearFilters])
  }

  @Test func hitsScrollFromTheBox() {
    let titles = (0..<50).map { "Film \($0)" }
    let screen = TestScreen(80, 14, .hits(HitList(titles)))
    let height = screen.layout.hits.listRows
    expectEqual(screen.visibleHits, 0..<height)
    expectEqual(screen.press(.pageDown, .pageDown, .down), [])
    #expect(screen.visibleHits.contains(screen.hitWindow.cursor))
    expectEqual(screen.hitWindow.cursor, 2 * (height - 1) + 1)
    screen.press(.tab, .backTab, .backTab, .end)
    expectEqual(screen.visibleHits, 50 - height..<50)
    // Rows of the same search keep the place; another search begins at the top.
    screen.apply(.hits(HitList(titles)))
    expectEqual(screen.hitWindow.cursor, 49)
    screen.apply(.hits(HitList(titles, generation: 2)))
    expectEqual(screen.visibleHits, 0..<height)
  }

  @Test func listsFollowTheSize() {
    let titles = (0..<50).map { "Film \($0)" }
    let screen = TestScreen(80, 40, .hits(HitList(titles)))
    screen.press(.backTab, .end)
    for rows in [40, 8, 3, 1, 60, 100] {
      screen.resize(80, rows)
      #expect(screen.visibleHits.isEmpty || screen.visibleHits.contains(49))
    }
  }

  @Test func timesBelongToTheHitsThatAreShown() {
    let screen = TestScreen(80, 24)
    screen.apply(.keys([.text("g")]), at: .milliseconds(1000))
    screen.apply(.engineTime(.milliseconds(2)), at: .milliseconds(1022))
    #expect(screen.engineTime == nil)
    screen.apply(.hits(HitList(["Godzilla"])), at: .milliseconds(1024))
    expectEqual(screen.engineTime, .milliseconds(2))
    expectEqual(screen.totalTime, .milliseconds(24))
    // A page of the same search.
    screen.apply(.engineTime(.milliseconds(9)), at: .milliseconds(2000))
    screen.apply(.hits(HitList(["Godzilla"])), at: .milliseconds(2001))
    expectEqual(screen.engineTime, .milliseconds(2))
    expectEqual(screen.totalTime, .milliseconds(24))
    // A search without a key.
    screen.apply(.hits(HitList(["Godzilla"], generation: 2)), at: .milliseconds(3000))
    #expect(screen.totalTime == nil)
  }

  @Test func noticeStaysUntilTheNextKey() {
    let screen = TestScreen(80, 24, .hits(HitList(["A"])))
    let long = String(repeating: "g", count: 600)
    expectEqual(screen.press(.text(long)), [.setQuery(String(repeating: "g", count: 512))])
    screen.apply(.hits(HitList(["B"], generation: 2)))
    expectEqual(screen.statistics.plain, "A query has at most 512 bytes.")
    screen.press(.left)
    #expect(screen.statistics.plain.hasPrefix("1 hit "))
    // Keys that arrive together.
    screen.press(.text(long), .left)
    #expect(screen.statistics.plain.hasPrefix("1 hit "))
  }

  @Test func returnExplainsTheHitAtTheCursor() {
    let screen = TestScreen(80, 14, .someFacets, .hits(HitList(["A", "B"])))
    expectEqual(screen.press(.backTab, .down, .enter), [.explain("1")])
    #expect(screen.explanation == nil)
    screen.apply(.explained("0", ["other"]))
    #expect(screen.explanation == nil)
    screen.apply(.explained("1", ["1: place 1", "  typo  0"]))
    expectEqual(
      screen.frame.text[3...6].map { $0.split(separator: "│").first.map(String.init) ?? "" }
        .map { $0.split(separator: " ").joined(separator: " ") },
      ["Why this result", "1: place 1", "typo 0", ""])
    #expect(screen.press(.enter) == [] && screen.explanation == nil)
    expectEqual(screen.press(.enter), [.explain("1")])
    // Too late, because another key came.
    screen.press(.up)
    screen.apply(.explained("1", ["late"]))
    #expect(screen.explanation == nil)
    screen.press(.enter)
    screen.apply(.explained("0", ["early"]))
    screen.apply(.hits(HitList([], generation: 2)))
    #expect(screen.explanation == nil && screen.press(.enter) == [])
  }

  @Test func failureOfTheSearchIsShownUntilItSucceeds() {
    var failed = HitList(["A"])
    failed.failure = "No host responded."
    let screen = TestScreen(80, 24, .hits(failed))
    expectEqual(screen.frame.text[1], "No host responded.")
    #expect(screen.frame.text.contains { $0.contains("› A") })
    screen.apply(.hits(HitList(["A", "B"], generation: 2)))
    expectEqual(screen.statistics.plain, "2 hits")
  }

  /// Suggestions for a text, with one of them selected.
  private func suggestions(
    for query: String, _ texts: String..., selection: Int? = nil
  ) throws -> ScreenEvent {
    let box = Autocomplete(sources: [], recent: RecentSearches(texts.reversed().reversed()))
    var screen = try SearchScreen(indexName: "films", widgets: [box])
    try screen.perform(box.setQuery(query))
    for _ in 0..<(selection ?? -1) + 1 { try screen.perform(box.selectNext()) }
    return .suggestions(screen.view(of: box))
  }

  @Test func suggestionsBelongToTheTextInTheBox() throws {
    let screen = TestScreen(80, 24)
    screen.press(.text("god"))
    screen.apply(try suggestions(for: "go", "goa"))
    #expect(screen.shownSuggestions == nil && screen.completion == nil)
    screen.apply(try suggestions(for: "god", "godzilla", "godfather"))
    expectEqual(screen.frame.text[2], "Suggestions: godzilla · godfather")
    // The lists have the same keys for themselves.
    expectEqual(screen.press(.control("n"), .control("p")), [.selectNext, .selectPrevious])
    screen.press(.tab)
    #expect(screen.frame.text[2] == "No filters" && screen.press(.control("n")) == [])
  }

  @Test func selectedSuggestionIsSearched() throws {
    let screen = TestScreen(80, 24)
    screen.press(.text("god"))
    screen.apply(try suggestions(for: "god", "godzilla", "godfather", selection: 1))
    expectEqual(screen.press(.enter), [.choose])
    #expect(screen.editor.text == "godfather" && screen.shownSuggestions == nil)
    expectEqual(screen.press(.enter), [.submit])
  }
}
