import InstantSearchClient
import InstantSearchJSON
import TestSupport
import Testing

/// A record with an attribute of every type that patterns accept.
struct Thing: Codable, Sendable {
  enum Kind: String, Codable, MatchableValue { case tool = "Tool <1>" }

  var text = "a"
  var texts: [String] = []
  var optionalText: String?
  var optionalTexts: [String]?
  var textsWithGaps: [String?] = []
  var integer = 0
  var integers: [Int] = []
  var optionalInteger: Int?
  var decimal = 0.0
  var decimals: [Double] = []
  var float: Float = 0
  var byte: Int8 = 0
  var largeNumbers: [UInt64] = []
  var flag = false
  var flags: [Bool] = []
  var optionalFlag: Bool?
  var kind = Kind.tool
}

struct MatchingPatternTests {
  private typealias Pattern = MatchingPattern<Thing>

  private static func optionalFilters(
    _ thing: Thing, _ patterns: [MatchingPattern<Thing>]
  ) throws(SearchError) -> NestedFilters? {
    var query = SearchQuery()
    try query.setRelatedItems(to: Hit(objectID: "1", object: thing), matching: patterns)
    return query.optionalFilters
  }

  /// A record, a pattern, and the resulting filters.
  struct Row: Sendable {
    var thing: Thing
    var pattern: MatchingPattern<Thing>
    var filters: NestedFilters?

    init<Value: MatchableValue>(
      _ thing: Thing, _ path: any KeyPath<Thing, Value> & Sendable, score: Int = 3,
      _ filters: NestedFilters?
    ) {
      self.thing = thing
      self.filters = filters
      pattern = MatchingPattern(attribute: "a", score: score, filterPath: path)
    }
  }

  private static let rows: [Row] = [
    Row(Thing(text: "x"), \.text, ["a:x<score=3>"]),
    Row(Thing(texts: ["y", "x", "y"]), \.texts, [["a:y<score=3>", "a:x<score=3>"]]),
    Row(Thing(texts: ["x"]), \.texts, [["a:x<score=3>"]]),
    Row(Thing(), \.texts, nil),
    Row(Thing(), \.optionalText, nil),
    Row(Thing(optionalText: "x"), \.optionalText, ["a:x<score=3>"]),
    Row(Thing(), \.optionalTexts, nil),
    Row(Thing(optionalTexts: []), \.optionalTexts, nil),
    Row(Thing(optionalTexts: ["x"]), \.optionalTexts, [["a:x<score=3>"]]),
    Row(Thing(textsWithGaps: [nil, "x", nil]), \.textsWithGaps, [["a:x<score=3>"]]),
    Row(Thing(textsWithGaps: [nil]), \.textsWithGaps, nil),
    Row(Thing(integer: .max), \.integer, ["a:9223372036854775807<score=3>"]),
    Row(Thing(integer: -12), \.integer, [#"a:\-12<score=3>"#]),
    Row(Thing(integers: [1, 2]), \.integers, [["a:1<score=3>", "a:2<score=3>"]]),
    Row(Thing(), \.optionalInteger, nil),
    Row(Thing(optionalInteger: 0), \.optionalInteger, ["a:0<score=3>"]),
    Row(Thing(decimal: 4), \.decimal, ["a:4<score=3>"]),
    Row(Thing(decimal: -0.25), \.decimal, [#"a:\-0.25<score=3>"#]),
    Row(Thing(decimal: .nan), \.decimal, nil),
    Row(Thing(decimals: [1e16, .infinity]), \.decimals, [["a:10000000000000000<score=3>"]]),
    Row(Thing(float: 0.1), \.float, ["a:0.1<score=3>"]),
    Row(Thing(float: 16_777_216), \.float, ["a:16777216<score=3>"]),
    Row(Thing(float: .infinity), \.float, nil),
    Row(Thing(byte: -128), \.byte, [#"a:\-128<score=3>"#]),
    Row(Thing(largeNumbers: [.max]), \.largeNumbers, [["a:18446744073709551615<score=3>"]]),
    Row(Thing(flag: true), \.flag, ["a:true<score=3>"]),
    Row(Thing(flags: [false, true]), \.flags, [["a:false<score=3>", "a:true<score=3>"]]),
    Row(Thing(), \.optionalFlag, nil),
    Row(Thing(), \.kind, ["a:Tool <1><score=3>"]),
    Row(Thing(), \.text, score: 70_000, ["a:a<score=65535>"]),
    Row(Thing(), \.text, score: -1, ["a:a<score=0>"]),
  ]

  @Test(arguments: rows)
  func patternMakesOptionalFiltersOfARecordsValues(_ row: Row) throws {
    try expectEqual(Self.optionalFilters(row.thing, [row.pattern]), row.filters)
  }

  @Test(
    arguments: [
      ("", "a:<score=2>"), (" ", "a: <score=2>"), (#"a "b" c:d"#, #"a:a "b" c:d<score=2>"#),
      ("-x", #"a:\-x<score=2>"#), (#"\x"#, #"a:\x<score=2>"#),
      ("x<score=9>", "a:x<score=9><score=2>"),
      ("AND", "a:AND<score=2>"), ("🧵", "a:🧵<score=2>"), ("-\u{301}", "a:\\-\u{301}<score=2>"),
    ])
  func valuesAreNotChanged(value: String, filter: String) throws {
    let pattern = Pattern(attribute: "a", score: 2, filterPath: \.text)
    try expectEqual(Self.optionalFilters(Thing(text: value), [pattern]), [.filter(filter)])
  }

  @Test func filtersFollowTheOrderOfThePatterns() throws {
    let filters = try Self.optionalFilters(
      Thing(text: "t", texts: ["z", "b"], flag: true),
      [
        MatchingPattern(attribute: "z", score: 1, filterPath: \.texts),
        MatchingPattern(attribute: "b", score: 2, filterPath: \.text),
        MatchingPattern(attribute: "none", score: 2, filterPath: \.optionalText),
        MatchingPattern(attribute: "a", score: 3, filterPath: \.flag),
      ])
    expectEqual(
      filters, [["z:z<score=1>", "z:b<score=1>"], "b:t<score=2>", "a:true<score=3>"])
  }

  @Test(arguments: [("a:b", "x"), ("", "x"), ("a", #"\-x"#)])
  func unsupportedValueIsRejectedAndTheQueryUnchanged(attribute: String, value: String) {
    let before = SearchQuery("q").setting(\.optionalFilters, to: "a:b")
    var query = before
    let error = #expect(throws: SearchError.self) {
      try query.setRelatedItems(
        to: Hit(objectID: "1", object: Thing(text: value)),
        matching: [
          MatchingPattern(attribute: Attribute(attribute), score: 1, filterPath: \.text)
        ])
    }
    expectEqual(error?.code, .invalidRequest)
    expectEqual(query, before)
  }
}
