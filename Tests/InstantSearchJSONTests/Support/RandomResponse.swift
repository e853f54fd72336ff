import AsyncInstantSearchTesting

/// Writes search responses like a server: many hits with the same members, nested highlights, texts
/// in several scripts, some of them escaped.
struct RandomResponse {
  var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private static let words = [
    "phone", "camera", "Zürich", "café", "東京", "naïve", "Ελλάδα", "привет", "😀", "👩‍👩‍👧", "e\u{301}",
    "\\\"quoted\\\"", "a\\/b", "tab\\t", "line\\n", "\\u00e9t\\u00e9", "\\ud83d\\ude00", "\\u20AC",
    "<em>", "</em>", "12\\u2033", "\u{2028}", "x", "longerwordwithoutspaces",
  ]

  private mutating func words(_ count: Int) -> String {
    (0..<count).map { _ in Self.words[pick(Self.words.count)] }.joined(separator: " ")
  }

  private mutating func highlight() -> String {
    let level = ["none", "partial", "full"][pick(3)]
    return #"{"value":"<em>\#(words(3))</em> \#(words(pick(4)))","matchLevel":"\#(level)","#
      + #""fullyHighlighted":\#(pick(2) == 0),"matchedWords":["\#(words(1))"]}"#
  }

  private mutating func number() -> String {
    ["\(pick(1_000))", "\(pick(100_000)).\(pick(100))", "-\(pick(90))", "1.\(pick(9))e\(pick(5))"][
      pick(4)]
  }

  private mutating func hit(_ id: Int) -> String {
    var members = [
      #""objectID":"\#(id)""#, #""name":"\#(words(3))""#, #""description":"\#(words(12))""#,
      #""brand":"\#(words(1))""#, #""price":\#(number())"#, #""rating":\#(pick(6))"#,
      #""onSale":\#(pick(2) == 0)"#, #""image":null"#,
      #""categories":["\#(words(2))","\#(words(1))"]"#,
      #""hierarchy":{"lvl0":"\#(words(1))","lvl1":"\#(words(2))"}"#,
      #""_geoloc":{"lat":\#(number()),"lng":\#(number())}"#,
    ]
    members.shuffle(using: &random)
    members.append(
      #""_highlightResult":{"name":\#(highlight()),"categories":[\#(highlight()),\#(highlight())],"#
        + #""author":{"first":\#(highlight()),"last":\#(highlight())}}"#)
    if pick(2) == 0 {
      members.append(
        #""_snippetResult":{"description":{"value":"\#(words(4))…","matchLevel":"full"}}"#)
    }
    if pick(3) == 0 {
      members.append(
        #""_rankingInfo":{"nbTypos":\#(pick(3)),"firstMatchedWord":\#(pick(9)),"userScore":7}"#)
    }
    return "{" + members.joined(separator: pick(5) == 0 ? ",\n      " : ",") + "}"
  }

  /// A response; each hit takes about 1.5 KB.
  mutating func text(hits: Int) -> [UInt8] {
    let hits = (0..<hits).map { hit($0) }.joined(separator: ",")
    let values = (0..<5).map { #""\#($0)\#(words(1))":\#(pick(999))"# }.joined(separator: ",")
    return Array(
      (#"{"hits":[\#(hits)],"nbHits":\#(pick(9_999)),"page":0,"nbPages":50,"hitsPerPage":20,"#
        + #""exhaustive":{"nbHits":true,"typo":false},"facets":{"brand":{\#(values)}},"#
        + #""facets_stats":{"price":{"min":0.5,"max":1e3,"avg":12.25,"sum":345}},"query":"#
        + #""\#(words(2))","params":"query=a%20b&hitsPerPage=20","processingTimeMS":1, "#
        + #""queryID":"d3c45b37d8b5b8e3","renderingContent":{},"message":null}"#).utf8)
  }
}
