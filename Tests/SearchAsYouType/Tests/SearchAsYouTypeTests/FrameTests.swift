import AsyncInstantSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

@testable import SearchAsYouType

struct FrameTests {
  private static let hits = HitList([
    "[Seven] Samurai", "The [Seven] Year Itch", "七人の侍, a title that is much too long for a line",
  ])

  @Test func narrowScreen() {
    let screen = TestScreen(50, 12, .someFacets, .hits(Self.hits), .keys([.text("seven")]))
    let frame = screen.frame
    expectEqual(
      frame.text,
      [
        "> seven", "3 hits", "No filters", " Hits 1–3 of 3   Genre   Country   Decade",
        "› Seven Samurai (1954) · Akira Kurosawa · Japan ·…",
        "  The Seven Year Itch (1954) · Akira Kurosawa · J…",
        "  七人の侍, a title that is much too long for a l…", "", "", "", "",
        "esc ends  tab next list  ↑↓ scroll  ^U ^W ^K clear",
      ])
    expectEqual(frame.cursor, Frame.Position(row: 0, column: 7))
  }

  @Test func listOfANarrowScreen() {
    let screen = TestScreen(
      50, 12, .someFacets, .genres(choosing: "Comedy"), .chosen("Comedy"), .hits(Self.hits))
    screen.press(.tab, .down)
    let frame = screen.frame
    expectEqual(
      frame.text,
      [
        ">", "3 hits", "Genre: Comedy", " Hits   Genre (1)   Country   Decade",
        "[x] Comedy                                     137",
        "[ ] Drama                                      458",
        "[ ] War                                         64", "", "", "", "",
        "esc ends  tab next list  space choose  ↑↓ move",
      ])
    #expect(frame.cursor == nil)
    #expect(frame.lines[5].escaped(columns: 50).contains("\u{1B}[7m[ ] Drama"))
    #expect(frame.lines[4].escaped(columns: 50).contains("\u{1B}[1m[x] Comedy"))
  }

  @Test func wideScreenHasTheListsBesideTheHits() {
    let screen = TestScreen(
      80, 14, .someFacets, .genres(choosing: "War"), .chosen("War"), .hits(Self.hits))
    expectEqual(
      screen.frame.text.prefix(9),
      [
        ">", "3 hits", "Genre: War",
        "Hits 1–3 of 3                                       │ Genre (1)",
        "› Seven Samurai (1954) · Akira Kurosawa · Japan ·…  │ [x] War                64",
        "  The Seven Year Itch (1954) · Akira Kurosawa · J…  │ [ ] Drama             458",
        "  七人の侍, a title that is much too long for a l…  │ [ ] Comedy            137",
        "                                                    │ Country",
        "                                                    │ [ ] Japan              43",
      ])
  }

  @Test func matchesAreBold() {
    let frame = TestScreen(80, 14, .hits(Self.hits)).frame
    #expect(
      frame.lines[4].escaped(columns: 80).contains("› \u{1B}[1mSeven\u{1B}[0m Samurai (1954)"))
  }

  @Test func missingRowsAreShownAsMissing() {
    let hits = HitList((0..<9).map { "Film \($0)" }, loaded: 0..<2)
    let text = TestScreen(80, 14, .hits(hits)).frame.text
    #expect(text[5].hasPrefix("  Film 1 (1954)"))
    #expect(text[6].hasPrefix("  …"))
  }

  @Test func searchWithoutHitsSaysSo() {
    let text = TestScreen(80, 14, .hits(HitList([]))).frame.text
    #expect(text[4].hasPrefix("  No film matches."))
  }

  @Test func linesFitScreensOfAnySize() {
    for columns in [1, 2, 3, 5, 39, 40, 50, 69, 70, 72, 90, 149, 150, 200, 1000] {
      for rows in [1, 2, 4, 5, 6, 7, 8, 12, 60] {
        let screen = TestScreen(
          columns, rows, .someFacets, .genres(choosing: "War"), .chosen("War"), .hits(Self.hits))
        screen.press(.text("seven samurai 七人の侍"))
        for _ in 0..<5 {
          let frame = screen.frame
          expectEqual(frame.lines.count, rows)
          #expect(frame.lines.allSatisfy { $0.endColumn <= columns })
          #expect(frame.lines.allSatisfy { $0.plain.cellWidth == $0.endColumn })
          if let cursor = frame.cursor { #expect(cursor.column < columns && cursor.row < rows) }
          screen.press(.tab)
        }
      }
    }
  }

  @Test func controlCharactersOfRecordsAreNotWritten() {
    let hostile = "\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}31m\r\n\u{0}\u{202E}"
    let screen = TestScreen(
      100, 20, .hits(HitList(["[\(hostile)] Film"])),
      .facets([FilmFacet.all[0]: [FacetItem(value: hostile, count: 1)]]), .chosen(hostile),
      .failed("a\(hostile)"))
    for _ in 0..<2 {
      let output = screen.frame.output(after: nil)
      // Cursor positions, styles and the end of a line are all that is left.
      let rest = output.replacing(/\u{1B}\[(\?25[lh]|[0-9;]*[HGmK])/, with: "")
      expectEqual(rest, rest.printable)
      screen.press(.left)
    }
  }

  @Test func onlyChangedLinesAreWritten() {
    let screen = TestScreen(80, 14, .someFacets, .hits(Self.hits))
    let first = screen.frame
    expectEqual(screen.frame.output(after: first), "")
    screen.press(.text("s"))
    let second = screen.frame
    expectEqual(
      second.output(after: first),
      "\u{1B}[?25l\u{1B}[1;1H\u{1B}[1m> \u{1B}[0m\u{1B}[3Gs\u{1B}[K"
        + "\u{1B}[1;4H\u{1B}[?25h")
    // On another size every line is written.
    screen.resize(81, 14)
    let output = screen.frame.output(after: second)
    #expect((1...14).allSatisfy { output.contains("\u{1B}[\($0);1H") })
    #expect(!output.contains("\u{1B}[2J"))
  }

  @Test func fullLineIsNotCleared() {
    var line = ScreenLine()
    line.add(StyledText("abc"), width: 3)
    expectEqual(line.escaped(columns: 3), "abc")
    expectEqual(line.escaped(columns: 4), "abc\u{1B}[K")
  }

  @Test(arguments: [
    (Duration.microseconds(412), "engine 0.41 ms"), (.microseconds(2_000), "engine 2 ms"),
    (.microseconds(12_345), "engine 12.3 ms"), (.zero, "engine 0 ms"),
  ])
  func timesHaveFewDigits(time: Duration, text: String) {
    let screen = TestScreen(80, 14, .engineTime(time), .hits(Self.hits))
    expectEqual(screen.statistics.plain, "3 hits  \(text)")
  }

  @Test func statisticsLeaveOutWhatDoesNotFit() {
    let screen = TestScreen(
      80, 14, .keys([.text("s")]), .engineTime(.microseconds(1500)), .stalled(true))
    screen.apply(.hits(Self.hits), at: .milliseconds(24))
    let all = "3 hits  engine 1.5 ms  total 24 ms, 20 ms of them debounce  searching…"
    expectEqual(screen.statistics.plain, all)
    screen.resize(60, 14)
    expectEqual(screen.statistics.plain, "3 hits  engine 1.5 ms  searching…")
    screen.resize(10, 14)
    expectEqual(screen.statistics.plain, "3 hits")
  }

  @Test(arguments: Seed.all(50))
  func anyKeysAndSizesAreDrawn(seed: Seed) {
    var random = SeededGenerator(seed: seed.value)
    let keys: [Key] = [
      .text("g"), .text(" "), .text("七"), .enter, .tab, .backTab, .backspace, .delete, .left,
      .right, .up, .down, .home, .end, .pageUp, .pageDown, .control("w"), .control("u"), .wordLeft,
    ]
    let screen = TestScreen(80, 24, .someFacets)
    for step in 0..<50 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        screen.resize(
          Int.random(in: 1...220, using: &random), Int.random(in: 1...70, using: &random))
      case 1:
        let count = Int.random(in: 0...40, using: &random)
        let titles = (0..<count).map { "Film \($0)" }
        screen.apply(.hits(HitList(titles, generation: UInt64(step / 20))))
      case 2:
        let isEmpty = Bool.random(using: &random)
        screen.apply(isEmpty ? .facets([FilmFacet.all[0]: []]) : .genres(choosing: "War"))
      case 3: screen.apply(.chosen("War", "Western"))
      default: screen.press(keys.randomElement(using: &random) ?? .tab)
      }
      let frame = screen.frame
      #expect(frame.lines.allSatisfy { $0.endColumn <= screen.size.columns })
    }
  }
}

extension ScreenLine {
  /// The column after the last text.
  fileprivate var endColumn: Int { pieces.last.map { $0.column + $0.text.width } ?? 0 }
}
