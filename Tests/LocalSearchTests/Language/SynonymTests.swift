import InstantSearchAPI
import InstantSearchJSON
@testable import LocalSearch
import TestSupport
import Testing

struct SynonymTests {
  private static let pants = Synonym("1", .equivalent(["pants", "trousers"]))
  private static let newYork = Synonym("1", .equivalent(["NY", "New York"]))

  private func texts(
    _ texts: [String], _ kinds: Synonym.Kind..., change: (inout IndexSettings) -> Void = { _ in }
  ) async throws -> LanguageFixture {
    try await LanguageFixture(
      texts, synonyms: kinds.enumerated().map { Synonym("\($0)", $1) }, change)
  }

  // MARK: What synonyms find

  @Test func aWordFindsItsSynonyms() async throws {
    let clothes = try await LanguageFixture.clothes([Self.pants])
    try await expectEqual(clothes.ids("pants"), "p4 p3")
    try await expectEqual(
      clothes.names("pants"), ["<em>Pants</em> blue", "Red <em>trousers</em>"])
    try await expectEqual(clothes.ids("pants", ["synonyms": false]), "p4")
  }

  @Test func aPrefixOfTheLastWordFindsThemToo() async throws {
    let clothes = try await LanguageFixture.clothes([Self.pants])
    try await expectEqual(
      clothes.names("pan"), ["<em>Pan</em>ts blue", "Red <em>trousers</em>"])
    try await expectEqual(clothes.ids("pan", ["queryType": "prefixNone"]), "")
    // Neither the typo of an input, nor of an output.
    try await expectEqual(clothes.ids("pamts"), "p4")
    try await expectEqual(clothes.ids("trouser", ["queryType": "prefixNone"]), "p3")
  }

  @Test func aOneWaySynonymHasOneDirection() async throws {
    let found = try await texts(["Tablet A", "iPad mini"], .oneWay(from: "tablet", to: ["ipad"]))
    try await expectEqual(found.ids("tablet"), "0 1")
    try await expectEqual(found.ids("ipad"), "1")
  }

  @Test func synonymsHaveNoSynonyms() async throws {
    let found = try await texts(
      ["raincoat", "pants", "trousers", "slacks"], .equivalent(["jacket", "parka"]),
      .equivalent(["parka", "raincoat"]), .equivalent(["pants", "trousers", "slacks"]))
    try await expectEqual(found.ids("jacket"), "")
    try await expectEqual(found.ids("slacks"), "1 2 3")
  }

  @Test func diacriticsAndCaseDoNotMatter() async throws {
    let found = try await texts(["my cv"], .equivalent(["Résumé", "CV"]))
    try await expectEqual(found.ids("resume"), "0")
  }

  @Test func separatorsThatAreNoWordsHaveNoSynonyms() async throws {
    let kind = Synonym.Kind.equivalent(["and", "&"])
    try await expectEqual(texts(["salt & pepper"], kind).ids("salt and pepper"), "")
    let indexed = try await texts(["salt & pepper"], kind) { $0.separatorsToIndex = "&" }
    try await expectEqual(indexed.ids("salt and pepper"), "0")
  }

  @Test func phrasesAndExclusionsHaveNone() async throws {
    let clothes = try await LanguageFixture.clothes([Self.pants])
    try await expectEqual(clothes.ids("\"pants\"", ["advancedSyntax": true]), "p4")
    try await expectEqual(clothes.ids("red -pants", ["advancedSyntax": true]), "p1 p3")
  }

  // MARK: Several words

  @Test func outputsOfSeveralWordsArePhrases() async throws {
    let found = try await texts(
      ["New York Times", "new company in York", "High Resolution Definition", "Definition High"],
      Self.newYork.kind, .equivalent(["HD", "High Definition"]))
    try await expectEqual(found.names("ny"), ["<em>New</em> <em>York</em> Times"])
    try await expectEqual(found.ids("hd"), "")
  }

  @Test func theLastWordOfAnInputCanBeAPrefix() async throws {
    let found = try await texts(["NY cab"], .oneWay(from: "New York", to: ["NY"]))
    for (query, ids) in [("new york", "0"), ("new yo", "0"), ("ne", ""), ("new", "")] {
      try await expectEqual(found.ids(query), ids)
    }
    try await expectEqual(found.ids("new yo cab"), "")
    try await expectEqual(found.ids("new york cab"), "0")
  }

  @Test func aSynonymCountsForAllItsWords() async throws {
    let found = try await texts(["NY pizza", "New York pizza"], Self.newYork.kind)
    for (name, values) in [
      ("words", [3, 3]), ("proximityDistance", [2, 2]), ("nbTypos", [0, 0]),
    ] {
      try await expectEqual(found.numbers(name, "new york pizza"), values, "\(name)")
    }
  }

  @Test func aSplitWordHasNoSynonyms() async throws {
    let found = try await texts(["münzen"], .equivalent(["kleingeld", "münzen"]))
    try await expectEqual(found.ids("klein geld"), "")
  }

  // MARK: Ranking

  @Test func correctionsRankLikeTypos() async throws {
    let one = try await LanguageFixture.clothes([Synonym("1", .oneTypo(of: "trousers", ["pants"]))])
    try await expectEqual(one.ids("trousers"), "p3 p4")
    try await expectEqual(one.numbers("nbTypos", "trousers"), [0, 1])
    try await expectEqual(one.ids("trousers", ["typoTolerance": "min"]), "p3")
    try await expectEqual(one.ids("trousers", ["typoTolerance": false]), "p3 p4")
    let two = try await texts(
      ["trousers", "panto", "pants"], .twoTypos(of: "pants", ["trousers", "two words"]))
    try await expectEqual(two.ids("pants"), "2 1 0")
    try await expectEqual(two.numbers("nbTypos", "pants"), [0, 1, 2])
  }

  @Test(arguments: ["a", "z"]) func aCorrectionHidesNoSynonym(id: String) async throws {
    let found = try await LanguageFixture(
      ["trousers"],
      synonyms: [Synonym(id, .twoTypos(of: "pants", ["trousers"])), Synonym("b", Self.pants.kind)])
    try await expectEqual(found.numbers("nbTypos", "pants"), [0])
    try await expectEqual(found.numbers("nbExactWords", "pants"), [1])
  }

  @Test func synonymsOfOneWordAreExactByDefault() async throws {
    let found = try await texts(["blue pants", "blue trousers"], Self.pants.kind)
    try await expectEqual(found.numbers("nbExactWords", "blue pants"), [2, 2])
    try await expectEqual(
      found.numbers("nbExactWords", "blue pants", ["alternativesAsExact": []]), [2, 1])
    // A prefix of an input is not a whole word.
    try await expectEqual(found.numbers("nbExactWords", "blue pant"), [1, 1])
  }

  @Test func synonymsOfSeveralWordsAreExactOnDemand() async throws {
    let found = try await texts(
      ["remote learning", "distant learning"],
      .equivalent(["distant learning", "remote learning"]))
    try await expectEqual(found.ids("distant learning"), "1 0")
    try await expectEqual(found.numbers("nbExactWords", "distant learning"), [2, 1])
    let all: JSON = ["alternativesAsExact": ["multiWordsSynonym"]]
    try await expectEqual(found.ids("distant learning", all), "0 1")
  }

  @Test func optionalWordsKeepTheirSynonyms() async throws {
    let clothes = try await LanguageFixture.clothes([Self.pants])
    try await expectEqual(clothes.ids("red pants", ["optionalWords": ["pants"]]), "p3 p1")
  }

  // MARK: Highlights

  @Test func aHighlightCanShowTheWordOfTheQuery() async throws {
    let replacing: JSON = ["replaceSynonymsInHighlight": true]
    let home = try await texts(["my house", "my home"], .equivalent(["home", "house"]))
    try await expectEqual(
      home.names("home", replacing), ["my <em>home</em>", "my <em>home</em>"])
    // A word that the query has as well stays.
    try await expectEqual(
      home.names("home house", replacing), ["my <em>house</em>", "my <em>home</em>"])
    let city = try await texts(
      ["New York City hall", "NYC hall"], .equivalent(["NYC", "New York City"]))
    try await expectEqual(
      city.names("nyc", replacing), ["<em>NYC</em> hall", "<em>NYC</em> hall"])
    try await expectEqual(
      city.names("new york city", replacing),
      ["<em>New</em> <em>York</em> <em>City</em> hall", "<em>NYC</em> hall"])
  }

  @Test func wordsOfASynonymAreTaggedOnlyInOrder() async throws {
    let found = try await texts(["The new house in New York"], Self.newYork.kind)
    try await expectEqual(found.names("ny"), ["The new house in <em>New</em> <em>York</em>"])
  }

  // MARK: Writes

  @Test func aChangeHasEffectAtOnce() async throws {
    let clothes = try await LanguageFixture.clothes()
    try await expectEqual(clothes.ids("pants"), "p4")
    try await clothes.save([Self.pants])
    try await expectEqual(clothes.ids("pants"), "p4 p3")
    let copy = LanguageFixture(engine: clothes.fixture.engine.clone())
    _ = try await clothes.fixture.call(.post, [EngineFixture.index, "synonyms", "clear"])
    try await expectEqual(clothes.ids("pants"), "p4")
    try await expectEqual(copy.ids("pants"), "p4 p3")
  }

  @Test(arguments: [
    (Synonym.Kind.equivalent(["a"]), "at least two words"),
    (.oneWay(from: "a", to: ["b", "a"]), "synonyms[1]"),
    (.placeholder("<a", ["b"]), "angle brackets"),
    (.equivalent((0..<5000).map { "a\($0)" }), "at most 1000 words, got 5000"),
    (.oneTypo(of: "a", [String(repeating: "b", count: 600)]), "corrections[0]"),
  ])
  func aSynonymWithAMistakeIsAnError(kind: Synonym.Kind, message: String) async throws {
    let answer = try await EngineFixture().call(
      .post, [EngineFixture.index, "synonyms", "batch"], [JSON(encoding: Synonym("1", kind))])
    expectEqual(answer.status, 400)
    #expect(answer.body["message"]?.stringValue?.contains(message) == true, "\(answer.body)")
  }

  @Test func theNumberOfSynonymsOfAWordIsLimited() async throws {
    let words = (0..<200).map { "a\($0)" }
    let found = try await texts(["a199", "a3"], .oneWay(from: "word", to: words))
    try await expectEqual(found.ids("word"), "1")
    let answer = try await found.fixture.search(["query": "word"])
    #expect(answer["message"]?.stringValue?.contains("were left out") == true)
  }

  @Test func theNumberOfInputsOfAPrefixIsLimited() async throws {
    let found = try await LanguageFixture(
      ["output"],
      synonyms: (100..<160).map { Synonym("\($0)", .oneWay(from: "zz\($0)", to: ["output"])) })
    for (query, isCut) in [("zz", true), ("zz10", false), ("zz159", false)] {
      let answer = try await found.fixture.search(["query": .string(query)])
      expectEqual(answer["nbHits"], 1)
      expectEqual(answer["message"]?.stringValue?.contains("were left out") == true, isCut)
    }
  }

  /// An older engine accepted synonyms that are errors now.
  @Test(arguments: [
    #"{"objectID": "1", "type": "onewaysynonym", "input": "tv", "synonyms": ["tv", "television"]}"#,
    #"{"objectID": "1", "type": "placeholder", "placeholder": "<a", "replacements": ["b"]}"#,
  ])
  func storedSynonymsAreNotCheckedAgain(text: String) throws {
    let node = try JSONDocument(Array(text.utf8)).root
    let stored = try IndexEntries.Entry(node, .synonyms, isStored: true, CancellationCheck())
    expectEqual(stored.objectID, "1")
    #expect(throws: APIError.self) {
      try IndexEntries.Entry(node, .synonyms, CancellationCheck())
    }
    var entries = IndexEntries()
    try entries.apply(
      .save([stored], replacesAll: false), to: .synonyms, CancellationCheck())
    #expect(entries.placeholders.isEmpty)
  }
}
