import TestSupport
import Testing

@testable import SearchAsYouType

struct CellWidthTests {
  @Test(arguments: [
    ("", 0), ("godfather", 9), ("é", 1), ("e\u{301}", 1), ("Häxan", 5), ("七人の侍", 8), ("ｱ", 1),
    ("Ａ", 2), ("기생충", 6), ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👩‍👩‍👧", 2), ("👍🏽", 2),
    ("🇯🇵", 2), ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("1", 1), ("©", 1), ("नमस्ते", 4), ("Ω…›│", 4),
    ("a\u{200B}b", 2), ("\u{7}\u{1B}\n", 0), ("\r\n", 0), ("𠮷", 2),
  ])
  func textHasItsNumberOfCells(text: String, width: Int) {
    expectEqual(text.cellWidth, width)
  }

  @Test(arguments: [
    ("Häxan 七人の侍 👩‍👩‍👧", "Häxan 七人の侍 👩‍👩‍👧"), ("a\u{1B}[31mb", "a [31mb"), ("a\r\nb\tc", "a b c"),
    ("\u{9B}2J", " 2J"), ("a\u{202E}b", "ab"), ("\u{2028}", " "), ("x\u{0}\u{7F}", "x  "),
    ("\u{FEFF}a", "a"),
  ])
  func printableTextHasNoControlCharacters(text: String, printable: String) {
    expectEqual(text.printable, printable)
  }

  @Test func longSequencesOfMarksAreCut() {
    let text = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(text.printable.unicodeScalars.count < 20)
  }
}
