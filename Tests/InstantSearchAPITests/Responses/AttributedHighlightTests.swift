import InstantSearchAPI
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct AttributedHighlightTests {
  private enum Mark: AttributedStringKey {
    typealias Value = Int
    static let name = "mark"
  }

  @Test(arguments: [
    ("Woodstock is <em>Snoopy</em>'s friend", ["Woodstock is |-", "Snoopy|1", "'s friend|-"]),
    ("<em>a</em><em>b</em>", ["ab|1"]), ("a < b", ["a < b|-"]), ("", []),
    // A combining mark stays with its highlighted letter.
    ("<em>E</em>\u{301}", ["E|1", "\u{301}|-"]),
  ]) func markedPartsHaveTheAttributes(_ raw: String, _ runs: [String]) {
    var attributes = AttributeContainer()
    attributes[Mark.self] = 1
    let text = AttributedString(HighlightedString(raw), marking: attributes)
    var found: [String] = []
    for run in text.runs {
      var part = String.UnicodeScalarView()
      part.append(contentsOf: text.unicodeScalars[run.range])
      found.append(String(part) + (run[Mark.self] == nil ? "|-" : "|1"))
    }
    expectEqual(found, runs)
    expectEqual(String(text.characters), HighlightedString(raw).text)
  }
}
