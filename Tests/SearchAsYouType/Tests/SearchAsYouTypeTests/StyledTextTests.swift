import TestSupport
import Testing

@testable import SearchAsYouType

struct StyledTextTests {
  @Test(arguments: [
    ("godfather", 9, "godfather"), ("godfather", 8, "godfath…"), ("godfather", 1, "…"),
    ("godfather", 0, ""), ("", 0, ""), ("七人の侍", 8, "七人の侍"), ("七人の侍", 7, "七人の…"),
    ("七人の侍", 6, "七人…"), ("七人の侍", 2, "…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ("a👩‍👩‍👧b", 3, "a…"),
  ])
  func textIsCutBetweenCells(text: String, width: Int, expected: String) {
    let cut = StyledText(text).cut(to: width)
    expectEqual(cut.plain, expected)
    expectEqual(cut.width, expected.cellWidth)
  }

  @Test func filledTextHasExactlyTheWidth() {
    for width in 0...12 {
      let text = StyledText("七人の侍").filled(to: width)
      expectEqual(text.width, width)
      expectEqual(text.plain.cellWidth, width)
    }
  }

  @Test func styleOfACutRunIsKept() {
    var text = StyledText("The ")
    text.append("Godfather", .bold)
    text.append(" (1972)")
    expectEqual(text.cut(to: 8).escaped, "The \u{1B}[1mGod\u{1B}[0m\u{1B}[1m…\u{1B}[0m")
    expectEqual(text.adding(.inverse).runs.map(\.style), [.inverse, [.bold, .inverse], .inverse])
  }

  @Test func escapedTextContainsOnlyItsOwnSequences() {
    let text = StyledText("a\u{1B}]0;title\u{7}b", .red)
    expectEqual(text.escaped, "\u{1B}[31ma ]0;title b\u{1B}[0m")
  }

  @Test(arguments: [
    (["LANG": "C"], TerminalCharacters.ascii), (["LC_ALL": "", "LANG": "POSIX"], .ascii),
    (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], .ascii),
    (["LC_CTYPE": "C.UTF-8", "LANG": "C"], .unicode),
    ([:], .unicode), (["LANG": "en_US.UTF-8"], .unicode),
  ])
  func theLocaleNamesTheCharacters(
    environment: [String: String], characters: TerminalCharacters
  ) {
    expectEqual(TerminalCharacters(environment), characters)
  }

  @Test(arguments: [
    ("Amélie", "Amelie"), ("e\u{301}a", "ea"), ("› 1–4 …", "> 1-4 ."), ("七人", "????"), ("ß", "?"),
    ("a👩‍👩‍👧b", "a??b"), ("\u{1B}[1mé\u{1B}[0m", "\u{1B}[1me\u{1B}[0m"), ("m\u{301}", "m"),
  ])
  func textOfATerminalWithoutUnicodeHasAsManyCells(text: String, expected: String) {
    expectEqual(TerminalCharacters.ascii.encode(text), expected)
    expectEqual(TerminalCharacters.unicode.encode(text), text)
  }
}
