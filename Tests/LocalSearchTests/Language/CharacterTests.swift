import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Words inside words, replaced characters, placeholders, and scripts without spaces.
struct CharacterTests {
  // MARK: Camel case

  private func parts(_ text: String) throws -> [String] {
    var buffer = TokenBuffer()
    try Tokenizer().tokenize(
      Array(text.utf8), splitsCamelCase: true, into: &buffer, CancellationCheck())
    return buffer.items.map { "\(buffer.word(of: $0))@\($0.position)" }
  }

  @Test(arguments: [
    ("snippetEllipsisText", ["snippet@0", "ellipsis@1", "text@2", "ellipsistext@1"]),
    ("MongoDBError", ["mongo@0", "db@1", "error@2", "dberror@1"]),
    ("HTTP2Server", ["http@0", "2@1", "server@2", "2server@1"]),
    ("openSSL", ["open@0", "ssl@1"]), ("XR1200", ["xr@0", "1200@1"]),
    ("Éco2É", ["eco@0", "2@1", "e@2", "2e@1"]),
    ("iPhone13", ["i@0", "phone@1", "13@2", "phone13@1"]),
  ])
  func wordsAreSplitAtCapitalsAndDigits(text: String, expected: [String]) throws {
    let whole = text.lowercased().replacing("é", with: "e")
    try expectEqual(parts(text), expected + ["\(whole)@0"])
    try expectEqual(parts(text + " next").last, "next@\(maximum(expected) + 1)")
  }

  private func maximum(_ parts: [String]) -> Int {
    parts.compactMap { $0.split(separator: "@").last.flatMap { Int($0) } }.max() ?? 0
  }

  @Test(arguments: ["shirt", "Shirt", "SHIRT", "É", "2024"])
  func otherWordsAreNot(text: String) throws {
    try expectEqual(parts(text).count, 1)
  }

  @Test func aLongWordHasFewParts() throws {
    var buffer = TokenBuffer()
    try Tokenizer().tokenize(
      Array(String(repeating: "aB", count: 20_000).utf8), splitsCamelCase: true, into: &buffer,
      CancellationCheck())
    #expect(buffer.items.count <= 40, "\(buffer.items.count)")
    #expect(buffer.items.reduce(0) { $0 + $1.word.count } < 100_000)
  }

  @Test func partsAreFoundAndHighlighted() async throws {
    let names = ["snippetEllipsisText", "MongoDBError", "foo.barBaz"]
    let found = try await LanguageFixture(names) {
      $0.additionalSettings["camelCaseAttributes"] = ["name"]
    }
    try await expectEqual(found.names("ellipsis"), ["snippet<em>Ellipsis</em>Text"])
    try await expectEqual(found.names("EllipsisTex"), ["snippet<em>EllipsisTex</em>t"])
    try await expectEqual(found.names("error"), ["MongoDB<em>Error</em>"])
    try await expectEqual(found.names("mongodberror"), ["<em>MongoDBError</em>"])
    try await expectEqual(found.names("mongo error"), ["<em>Mongo</em>DB<em>Error</em>"])
    try await expectEqual(found.names("baz"), ["foo.bar<em>Baz</em>"])
    let other = try await LanguageFixture(names)
    try await expectEqual(other.ids("ellipsis"), "")
  }

  // MARK: Replaced characters

  @Test func charactersAreReplaced() async throws {
    let found = try await LanguageFixture(["Der Bär", "Ba\u{308}r"]) {
      $0.additionalSettings["customNormalization"] = ["default": ["ä": "ae"]]
      $0.typoTolerance = false
    }
    try await expectEqual(found.names("baer"), ["Der <em>Bär</em>"])
    try await expectEqual(found.names("bär"), ["Der <em>Bär</em>"])
    try await expectEqual(found.names("BÄR"), ["Der <em>Bär</em>"])
    // A letter and its mark are another spelling.
    try await expectEqual(found.ids("bar"), "1")
    try await expectEqual(found.names("bae"), ["Der <em>Bä</em>r"])
  }

  @Test(
    arguments: [
      ("customNormalization", [:] as JSON, nil), ("customNormalization", 1, "object of objects"),
      ("customNormalization", ["default": ["ab": "c"]], "single characters"),
      ("customNormalization", ["default": ["a": "bcd"]], "one or two letters"),
      ("customNormalization", ["default": ["a": " "]], "one or two letters"),
      ("customNormalization", ["default": ["a": "b\u{301}"]], "one or two letters"),
      ("customNormalization", ["default": ["a": "b."]], "one or two letters"),
      ("customNormalization", ["default": ["髙": "高"]], nil),
      ("camelCaseAttributes", ["name"], nil), ("camelCaseAttributes", "name", "array of strings"),
      ("camelCaseAttributes", [1], "array of strings"),
    ] as [(String, JSON, String?)])
  func settingsAboutWordsAreChecked(name: String, value: JSON, problem: String?) async throws {
    let answer = try await EngineFixture().call(
      .put, [EngineFixture.index, "settings"], .object([name: value]))
    expectEqual(answer.status, problem == nil ? 200 : 400)
    if let problem {
      #expect(answer.body["message"]?.stringValue?.contains(problem) == true, "\(answer.body)")
    }
  }

  @Test func charactersOfScriptsWithoutSpacesAreReplaced() async throws {
    let found = try await LanguageFixture(["髙橋", "高橋"]) {
      $0.additionalSettings["customNormalization"] = ["default": ["髙": "高", "橋": "はし"]]
    }
    try await expectEqual(found.ids("高橋"), "0 1")
    try await expectEqual(found.names("髙"), ["<em>髙</em>橋", "<em>高</em>橋"])
  }

  @Test(
    arguments: [
      (["camelCaseAttributes": ["nam"]], "camelCaseAttributes: no record"),
      (["decompoundedAttributes": ["de": ["nam"]]], "decompoundedAttributes: no record"),
      (["decompoundedAttributes": ["german": ["name"]]], "no compounds in the language \"german\""),
      (["camelCaseAttributes": ["name"], "decompoundedAttributes": ["de": ["name"]]], nil),
    ] as [(JSON, String?)])
  func settingsWithoutEffectAreReported(settings: JSON, mistake: String?) async throws {
    let found = try await LanguageFixture(["text"])
    _ = try await found.fixture.call(.put, [EngineFixture.index, "settings"], settings)
    let message = try await found.fixture.search(["query": "text"])["message"]?.stringValue
    #expect(mistake.map { message?.contains($0) == true } ?? (message == nil), "\(message ?? "")")
  }

  /// Both Unicode forms of a kept character are the same.
  @Test func keptKanaAreComposedOrNot() async throws {
    let found = try await LanguageFixture(["が", "か\u{3099}", "か"]) {
      $0.keepDiacriticsOnCharacters = "が"
    }
    for query in ["が", "か\u{3099}"] { try await expectEqual(found.ids(query), "0 1") }
  }

  @Test func indexLanguagesHaveAnEffectWithASegmenter() async throws {
    for (segmenter, status) in [(Segmenter() as (any WordSegmenter)?, 200), (nil, 400)] {
      let fixture = try await EngineFixture(
        configuration: .init(accepts: .honored, segmenter: segmenter))
      try await expectEqual(
        fixture.call(.put, [EngineFixture.index, "settings"], ["indexLanguages": ["ja"]]).status,
        status)
    }
  }

  // MARK: Placeholders

  @Test func placeholdersStandForWords() async throws {
    let placeholder = Synonym("1", .placeholder("<model>", ["13", "14 Pro"]))
    let found = try await LanguageFixture(
      ["Case for iPhone <model>", "model <other>"], synonyms: [placeholder])
    try await expectEqual(
      found.names("case iphone 13"), ["<em>Case</em> for <em>iPhone</em> <em>13</em>"])
    try await expectEqual(found.ids("case iphone 15", ["typoTolerance": false]), "")
    try await expectEqual(
      found.names("case 14 pro"), ["<em>Case</em> for iPhone <em>14 Pro</em>"])
    // Its words are not searched, and the record stays.
    try await expectEqual(found.ids("model"), "1")
    let record = try await found.fixture.engine.send(
      TransportRequest(.getObject(index: EngineFixture.index, objectID: "0")))
    try expectEqual(
      JSON(parsing: record.body)["name"], "Case for iPhone <model>")
    _ = try await found.fixture.call(.post, [EngineFixture.index, "synonyms", "clear"])
    try await expectEqual(found.ids("case iphone 13", ["typoTolerance": false]), "")
    try await expectEqual(found.ids("model"), "0 1")
  }

  // MARK: Scripts without spaces

  @Test func runsAreFoundByTheirPairs() async throws {
    let texts = ["東京都庁", "京都の寺", "すし職人", "서울특별시", "กรุงเทพมหานคร", "東 京"]
    let found = try await LanguageFixture(texts)
    for (query, names) in [
      ("東京", ["<em>東京</em>都庁"]), ("京都", ["東<em>京都</em>庁", "<em>京都</em>の寺"]),
      ("都庁", ["東京<em>都庁</em>"]), ("庁", ["東京都<em>庁</em>"]),
      ("東京都庁", ["<em>東京都庁</em>"]), ("京庁", []), ("職", ["すし<em>職</em>人"]),
      ("특별", ["서울<em>특별</em>시"]), ("เทพ", ["กรุง<em>เทพ</em>มหานคร"]),
      ("東京 庁", ["<em>東京</em>都<em>庁</em>"]),
    ] {
      try await expectEqual(found.names(query), names, "\(query)")
    }
    try await expectEqual(found.ids("東京", ["queryType": "prefixNone"]), "0")
    try await expectEqual(found.ids("\"京都の\"", ["advancedSyntax": true]), "1")
    try await expectEqual(found.ids("-京", ["advancedSyntax": true]), "2 3 4")
    let answer = try await found.fixture.search([
      "query": "東京", "attributesToSnippet": ["name:2"],
    ])
    expectEqual(
      answer["hits"]?[0]?["_snippetResult"]?["name"]?["value"], "<em>東京</em>…")
  }

  @Test func synonymsCanBeRuns() async throws {
    let found = try await LanguageFixture(
      ["首都タワー", "東京タワー"], synonyms: [Synonym("1", .equivalent(["東京", "首都", "tokyo"]))])
    try await expectEqual(
      found.names("東京"), ["<em>首都</em>タワー", "<em>東京</em>タワー"])
    try await expectEqual(found.ids("tokyo"), "0 1")
  }

  // MARK: A segmenter

  /// Knows some words, and the language that it is asked for.
  private struct Segmenter: WordSegmenter {
    static let words = ["東京都", "京都", "庁", "に", "行く"]
    func words(in text: String, language: Language?) -> [Range<String.Index>] {
      if language == .korean { return [text.startIndex..<text.endIndex] }
      var ranges: [Range<String.Index>] = []
      var rest = text[...]
      while let first = rest.first {
        let word = Self.words.first { rest.hasPrefix($0) } ?? String(first)
        let end = rest.index(rest.startIndex, offsetBy: word.count)
        if word != "に" { ranges.append(rest.startIndex..<end) }
        rest = rest[end...]
      }
      return ranges
    }
  }

  @Test func aSegmenterFindsTheWords() async throws {
    let fixture = try await EngineFixture(
      [
        ["objectID": "0", "name": "東京都庁"], ["objectID": "1", "name": "京都に行く"],
      ], configuration: .init(segmenter: Segmenter()))
    let found = LanguageFixture(engine: fixture.engine)
    try await expectEqual(found.names("京都"), ["<em>京都</em>に行く"])
    try await expectEqual(found.names("東京都"), ["<em>東京都</em>庁"])
    try await expectEqual(found.names("東"), ["<em>東</em>京都庁"])
    try await expectEqual(found.ids("東", ["queryType": "prefixNone"]), "")
    try await expectEqual(found.ids("に"), "0 1")
    // Words that were written later, and a synonym.
    try await fixture.engine.save(
      [["objectID": "2", "name": "京都庁"] as JSON], in: EngineFixture.index)
    try await found.save([Synonym("1", .equivalent(["kyoto", "京都"]))])
    try await expectEqual(found.ids("kyoto"), "1 2")
    try await expectEqual(
      found.ids("京都庁", ["queryLanguages": ["ko"], "queryType": "prefixNone"]), "")
    let settings = IndexSettings { $0.additionalSettings["indexLanguages"] = ["ko"] }
    try await fixture.engine.setSettings(settings, of: EngineFixture.index)
    try await expectEqual(found.ids("京都庁"), "2")
    try await expectEqual(found.ids("庁"), "")
  }

  /// Ranges that no segmenter should return.
  @Test func wrongRangesAreNoTrap() async throws {
    struct Wrong: WordSegmenter {
      func words(in text: String, language: Language?) -> [Range<String.Index>] {
        let end = "a much longer text than the other one, in 東京".endIndex
        let second = text.index(after: text.startIndex)
        return [
          second..<text.endIndex, text.startIndex..<second, text.startIndex..<text.startIndex,
          second..<end,
        ]
      }
    }
    let fixture = try await EngineFixture(
      [["objectID": "0", "name": "東京都"]], configuration: .init(segmenter: Wrong()))
    try await expectEqual(LanguageFixture(engine: fixture.engine).ids("東京都"), "0")
  }
}
