import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

struct HighlightedStringTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var input: String
    var text: String
    var marked: [String]
    var plain: [String]

    init(_ input: String, _ text: String, _ marked: [String], _ plain: [String]) {
      self.input = input
      self.text = text
      self.marked = marked
      self.plain = plain
    }

    var testDescription: String { input }
  }

  static let rows = [
    Row(
      "Woodstock is <em>Snoopy</em>'s friend", "Woodstock is Snoopy's friend", ["Snoopy"],
      ["Woodstock is ", "'s friend"]),
    Row("<em>Live</em> as <em>x</em>", "Live as x", ["Live", "x"], [" as "]),
    Row("<em>whole string</em>", "whole string", ["whole string"], []),
    Row("Just a string", "Just a string", [], ["Just a string"]),
    Row("", "", [], [""]),
    Row("a <em>b <em>c</em> d</em> e", "a b c d e", ["b c d"], ["a ", " e"]),
    Row("<em><em>x</em></em>y", "xy", ["x"], ["y"]),
    Row("a <em>b <em>c</em> d", "a b c d", ["c"], ["a b ", " d"]),
    Row("a <em>b</em> c</em>d", "a b cd", ["b"], ["a ", " cd"]),
    Row("<em>x", "x", [], ["x"]),
    Row("x</em>y", "xy", [], ["xy"]),
    Row("<em>a</em><em>b</em>c", "abc", ["ab"], ["c"]),
    Row("<em></em>x", "x", [], ["x"]),
    Row("<em></em>", "", [], [""]),
    Row("a < b and c > d <em>x</em>", "a < b and c > d x", ["x"], ["a < b and c > d "]),
    Row("<b>bold</b> <em>x</em>", "<b>bold</b> x", ["x"], ["<b>bold</b> "]),
    Row("<em>E</em>\u{301}t", "E\u{301}t", ["E"], ["\u{301}t"]),
    Row("e\u{301}<em>\u{301}x</em>", "e\u{301}\u{301}x", ["\u{301}x"], ["e\u{301}"]),
    Row("<em>日本</em>語 👩‍👩‍👧<em>👩‍👩‍👧</em>", "日本語 👩‍👩‍👧👩‍👩‍👧", ["日本", "👩‍👩‍👧"], ["語 👩‍👩‍👧"]),
    Row("<em", "<em", [], ["<em"]),
    Row("<EM>x</EM>", "<EM>x</EM>", [], ["<EM>x</EM>"]),
  ]

  @Test(arguments: rows)
  func tagsBecomeRanges(row: Row) {
    let string = HighlightedString(row.input)
    let text = string.text
    expectEqual(Array(text.unicodeScalars), Array(row.text.unicodeScalars))
    expectEqual(string.ranges.map { String(text[$0]) }, row.marked)
    expectEqual(string.plainRanges.map { String(text[$0]) }, row.plain)
    expectEqual(string.isHighlighted, !row.marked.isEmpty)
  }

  @Test(arguments: rows)
  func segmentsFormTheTextInOrder(row: Row) {
    let segments = HighlightedString(row.input).segments
    expectEqual(
      Array(segments.map(\.text).joined().unicodeScalars), Array(row.text.unicodeScalars))
    expectEqual(segments.filter(\.isHighlighted).map(\.text), row.marked)
    expectEqual(segments.filter { !$0.isHighlighted }.map(\.text), row.plain)
  }

  @Test(arguments: rows)
  func invertingExchangesMarkedAndPlain(row: Row) {
    let inverted = HighlightedString(row.input).inverted
    expectEqual(inverted.text, row.text)
    expectEqual(
      inverted.segments.filter(\.isHighlighted).map(\.text), row.plain.filter { $0 != "" })
    expectEqual(inverted.inverted.segments, HighlightedString(row.input).segments)
  }

  @Test func invertingTextWithoutMarksMarksAllOfIt() {
    expectEqual(HighlightedString("phone").inverted.raw, "<em>phone</em>")
  }

  @Test func tagsBelongToTheInstance() {
    let string = HighlightedString("<em>a</em> **b** [c]", preTag: "[", postTag: "]")
    expectEqual(string.text, "<em>a</em> **b** c")
    expectEqual(string.segments.last, .init(text: "c", isHighlighted: true))
  }

  @Test func everySecondOfEqualTagsCloses() {
    let string = HighlightedString("a **b** c **d", preTag: "**", postTag: "**")
    expectEqual(string.text, "a b c d")
    expectEqual(string.ranges.map { String(string.text[$0]) }, ["b"])
  }

  @Test func longerOfTwoTagsAtOneOffsetWins() {
    let string = HighlightedString("a _b__ c", preTag: "_", postTag: "__")
    expectEqual(string.text, "a b c")
    expectEqual(string.ranges.map { String(string.text[$0]) }, ["b"])
  }

  @Test func emptyTagsAreNeverFound() {
    let string = HighlightedString("a b", preTag: "", postTag: "")
    expectEqual(string.text, "a b")
    #expect(string.ranges.isEmpty)
  }

  @Test func tagsCanBeReplaced() {
    expectEqual(HighlightedString("a <em>b</em>").tagged(pre: "«", post: "»"), "a «b»")
  }

  @Test(arguments: ModelCoder.allCases)
  func stringIsCodedAsTaggedText(coder: ModelCoder) throws {
    let string = try coder.decode(HighlightedString.self, #""a <em>b</em>""#)
    expectEqual(string, "a <em>b</em>")
    try expectEqual(coder.encode(string), #""a <em>b</em>""#)
    expectEqual("\(string)", "a b")
  }

  /// Every text of tags and letters up to a length, against the definition in its simplest form.
  @Test func rangesAgreeWithRepeatedDeletionOfTags() {
    let pieces = ["<em>", "</em>", "a", "<"]
    var inputs = [""]
    var all = inputs
    for _ in 0..<6 {
      inputs = inputs.flatMap { input in pieces.map { input + $0 } }
      all += inputs
    }
    for input in all {
      let string = HighlightedString(input)
      let (text, marked) = Self.byDeletion(input)
      let ranges = string.ranges.map { range in
        string.text.distance(
          from: string.text.startIndex, to: range.lowerBound)..<string.text
          .distance(from: string.text.startIndex, to: range.upperBound)
      }
      if string.text != text || ranges != marked {
        Issue.record("\(input): \(string.text) \(ranges), expected \(text) \(marked)")
      }
    }
  }

  private static func byDeletion(_ input: String) -> (String, [Range<Int>]) {
    var rest = Array(input)
    var text: [Character] = []
    var open: [Int] = []
    var isMarked: [Bool] = []
    while !rest.isEmpty {
      if rest.starts(with: "<em>") {
        open.append(text.count)
        rest.removeFirst(4)
      } else if rest.starts(with: "</em>") {
        if let start = open.popLast() { for index in start..<text.count { isMarked[index] = true } }
        rest.removeFirst(5)
      } else {
        text.append(rest.removeFirst())
        isMarked.append(false)
      }
    }
    var ranges: [Range<Int>] = []
    for index in isMarked.indices where isMarked[index] {
      if let last = ranges.last, last.upperBound == index {
        ranges[ranges.count - 1] = last.lowerBound..<(index + 1)
      } else {
        ranges.append(index..<(index + 1))
      }
    }
    return (String(text), ranges)
  }

  // MARK: HTML

  @Test func htmlIsEscaped() {
    let title = HighlightedString(
      #"<script>alert("x")</script> & <em>Tom's</em> <img src='a' onerror="b">"#)
    expectEqual(
      title.html(),
      """
      &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; <em>Tom&#39;s</em> \
      &lt;img src=&#39;a&#39; onerror=&quot;b&quot;&gt;
      """)
    expectEqual(
      HighlightedString("a < <em>b</em>").html(pre: #"<mark class="m">"#, post: "</mark>"),
      #"a &lt; <mark class="m">b</mark>"#)
    #expect(title.tagged(pre: "<b>", post: "</b>").contains("<script>"), "marks are not escaped")
  }

  @Test func escapedMarksAreEscapedAsText() {
    // A mark inside a text's tags does not leave half an entity.
    let split = HighlightedString("&<em>lt;</em>script>")
    expectEqual(split.html(), "&amp;<em>lt;</em>script&gt;")
    let own = HighlightedString("<em>__a__b</em>", preTag: "__a__", postTag: "__/a__")
    expectEqual(own.html(), "&lt;em&gt;b&lt;/em&gt;")
  }

  @Test(arguments: rows)
  func withoutMarksHTMLIsTheEscapedText(row: Row) {
    let string = HighlightedString(row.input)
    expectEqual(string.html(pre: "", post: ""), HighlightedString.escapingHTML(string.text))
    #expect(!string.html(pre: "", post: "").contains { "<>\"'".contains($0) })
  }

  @Test func textIsEscapedForAnAttribute() {
    expectEqual(
      HighlightedString.escapingHTML(#"" onclick='x' & <é👩‍👩‍👧>"#),
      "&quot; onclick=&#39;x&#39; &amp; &lt;é👩‍👩‍👧&gt;")
    expectEqual(HighlightedString.escapingHTML(""), "")
    expectEqual(HighlightedString.escapingHTML("&amp;"), "&amp;amp;")
  }
}
