import InstantSearchAPI
import TestSupport
import Testing

/// The member `explain` of a response: the ways in which the words of a query were searched.
struct MatchAlternativesTests {
  private static func alternatives(
    _ fixture: EngineFixture, _ query: String, _ parameters: JSON = [:]
  ) async throws -> [String] {
    var body: JSON = ["query": .string(query), "explain": ["match.alternatives"]]
    for (name, value) in parameters.objectValue ?? [:] { body[name] = value }
    let answer = try await fixture.search(body)
    let entries = try #require(
      answer["explain"]?["match"]?["alternatives"]?.arrayValue, "\(answer.text)")
    return entries.map { entry in
      func texts(_ name: String) -> String {
        (entry[name]?.stringsValue ?? []).joined(separator: " ")
      }
      func number(_ name: String) -> String { entry[name]?.intValue.map { "\($0)" } ?? "-" }
      return "\(texts("types")): \(texts("words")) \(number("typos"))"
        + " at \(number("offset"))+\(number("length"))"
    }
  }

  @Test func typosAreWordsOfRecords() async throws {
    let shop = try await LanguageFixture.clothes([
      Synonym("1", .equivalent(["pants", "trousers"]))
    ])
    try await expectEqual(
      Self.alternatives(shop.fixture, "pamts blue"),
      [
        "original: pamts 0 at 0+1", "typo: pants 1 at 0+1", "concat: pamtsblue 1 at 0+2",
        "original: blue 0 at 1+1",
      ])
    _ = try await shop.fixture.engine.delete(objectIDs: ["p4"], from: EngineFixture.index)
    try await expectEqual(
      Self.alternatives(shop.fixture, "pamts"), ["original: pamts 0 at 0+1"])
  }

  @Test func formsAndSynonymsAreToldWhetherTheyOccurOrNot() async throws {
    let shop = try await LanguageFixture.clothes([
      Synonym("1", .equivalent(["pants", "trousers"])),
      Synonym("2", .twoTypos(of: "pants", ["pantz"])),
    ])
    try await expectEqual(
      Self.alternatives(
        shop.fixture, "child", ["ignorePlurals": ["en"], "typoTolerance": false]),
      ["original: child 0 at 0+1", "plural: children 0 at 0+1"])
    try await expectEqual(
      Self.alternatives(shop.fixture, "pants", ["typoTolerance": false]),
      [
        "original: pants 0 at 0+1", "synonym: trousers 0 at 0+1", "altCorrection: pantz 2 at 0+1",
      ])
  }

  @Test func wordsThatAreNotSearchedAreTold() async throws {
    let shop = try await LanguageFixture.clothes()
    try await expectEqual(
      Self.alternatives(
        shop.fixture, "shirt for the -blue children",
        [
          "removeStopWords": ["en"], "advancedSyntax": true, "optionalWords": ["children"],
          "typoTolerance": false,
        ]),
      [
        "original: shirt 0 at 0+1", "stopWord: for 0 at 1+1",
        "stopWord: the 0 at 2+1", "original optional: children 0 at 3+1",
        "excluded: blue 0 at -+-",
      ])
  }

  @Test func wordsOfHiddenAttributesAreNotTold() async throws {
    let fixture = try await EngineFixture(
      [["objectID": "1", "name": "other", "cost": "secret"]],
      settings: IndexSettings {
        $0.unretrievableAttributes = ["cost"]
        $0.searchableAttributes = ["name", "cost"]
      })
    try await expectEqual(
      Self.alternatives(fixture, "secrt othr"),
      [
        "original: secrt 0 at 0+1", "concat: secrtothr 1 at 0+2", "original: othr 0 at 1+1",
        "typo: other 1 at 1+1",
      ])
  }

  /// A division of a word, and the parts of a compound, exist only because records have the words.
  @Test func partsInHiddenAttributesAreNotTold() async throws {
    let fixture = try await EngineFixture(
      [["objectID": "1", "name": "other", "cost": "ice cream, garten, sommer"]],
      settings: IndexSettings {
        $0.unretrievableAttributes = ["cost"]
        $0.searchableAttributes = ["name", "cost"]
      })
    for query in ["icecream", "gartensommer"] {
      try await expectEqual(
        Self.alternatives(fixture, query, ["queryLanguages": ["de"], "typoTolerance": true]),
        ["original: \(query) 0 at 0+1"])
    }
    let visible = try await LanguageFixture(["ice cream, garten, sommer"])
    try await expectEqual(
      Self.alternatives(visible.fixture, "icecream"),
      ["original: icecream 0 at 0+1", "split: ice cream 1 at 0+1"])
  }

  @Test func nothingElseIsExplained() async throws {
    let shop = try await LanguageFixture.clothes()
    let rules = try await shop.fixture.search(["query": "a", "explain": ["params.rules"]])
    #expect(rules["hits"] != nil && rules["explain"] == nil)
    let other = try await shop.fixture.search(["query": "a", "explain": ["colors"]])
    expectEqual(other["status"], 400)
    #expect(other["message"]?.stringValue?.contains("explain") == true)
    let browsed = try await shop.fixture.search(["query": "a"])
    #expect(browsed["explain"] == nil)
  }
}
