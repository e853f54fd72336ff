import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Stop words, and the forms of words.
struct LanguageTests {
  private static let stopWords: JSON = ["removeStopWords": ["en"]]

  private func parsed(_ query: String, _ parameters: JSON = stopWords) async throws -> String? {
    var parameters = parameters
    parameters["query"] = .string(query)
    parameters["getRankingInfo"] = true
    let answer = try await EngineFixture([["objectID": "1"]]).search(parameters)
    return answer["parsedQuery"]?.stringValue
  }

  // MARK: Stop words

  @Test(arguments: [
    ("what is a record", "prefixLast", "record"), ("record the", "prefixLast", "record the"),
    ("record the", "prefixNone", "record"), ("record the", "prefixAll", "record the"),
    ("to be or not to be", "prefixNone", "to be or not to be"),
    ("the \"of the\" record", "prefixNone", "of the record"),
    ("don't record", "prefixNone", "record"), ("THE record", "prefixLast", "record"),
  ])
  func stopWordsAreRemoved(query: String, type: String, left: String) async throws {
    try await expectEqual(
      parsed(
        query,
        ["removeStopWords": ["en"], "queryType": .string(type), "advancedSyntax": true]), left)
  }

  @Test func languagesAreChosen() async throws {
    try await expectEqual(
      parsed("le the book", ["removeStopWords": ["en"], "queryLanguages": ["fr"]]), "le book")
    try await expectEqual(
      parsed("le the book", ["removeStopWords": true, "queryLanguages": ["fr"]]), "the book")
    try await expectEqual(parsed("le the book", ["removeStopWords": true]), "book")
    try await expectEqual(parsed("le the book", ["removeStopWords": false]), "le the book")
    try await expectEqual(parsed("le the book", ["removeStopWords": ["xx"]]), "le the book")
  }

  @Test func aSynonymOfSeveralWordsKeepsItsStopWords() async throws {
    let found = try await LanguageFixture(
      ["modern chair", "state chair"],
      synonyms: [Synonym("1", .equivalent(["state of the art", "modern"]))])
    try await expectEqual(found.ids("state of the art chair", Self.stopWords), "0")
    // Words that become neighbors are no input.
    try await expectEqual(found.ids("state of the very art chair", Self.stopWords), "")
  }

  @Test func aRemovedWordLeavesNoGap() async throws {
    let found = try await LanguageFixture(["chair of wood", "chair wood"])
    try await expectEqual(
      found.numbers("proximityDistance", "chair of wood", Self.stopWords), [1, 2])
  }

  @Test func theOnlyWordIsNotExactAsAStopWord() async throws {
    let found = try await LanguageFixture(["the end"])
    for (languages, exact) in [(["en"] as JSON, 0), ([], 1), (["fr"], 1)] {
      try await expectEqual(
        found.numbers(
          "nbExactWords", "the",
          ["exactOnSingleWordQuery": "word", "queryLanguages": languages]), [exact])
    }
  }

  @Test func aSimilarQueryHasNoStopWords() async throws {
    let found = try await LanguageFixture(["red", "the", "shirt red"])
    try await expectEqual(
      found.ids("", ["similarQuery": "the red shirt", "queryLanguages": ["en"]]), "2 0")
  }

  @Test func naturalLanguagesSetTheOthers() async throws {
    let found = try await LanguageFixture(["shirts", "record"])
    let natural: JSON = ["naturalLanguages": ["en"], "queryType": "prefixNone"]
    try await expectEqual(found.ids("what is a shirt xyzzy", natural), "0")
    var explicit = natural
    explicit["removeWordsIfNoResults"] = "none"
    try await expectEqual(found.ids("shirt xyzzy", explicit), "")
    explicit = natural
    explicit["ignorePlurals"] = false
    explicit["typoTolerance"] = false
    try await expectEqual(found.ids("shirt", explicit), "")
  }

  // MARK: Forms

  @Test func wordsMatchByTheirForms() async throws {
    let feet = try await LanguageFixture(["red feet"])
    let plurals: JSON = ["ignorePlurals": ["en"], "queryType": "prefixNone"]
    try await expectEqual(feet.numbers("nbExactWords", "red foot", plurals), [2])
    try await expectEqual(feet.numbers("nbExactWords", "red foot", ["ignorePlurals": ["en"]]), [2])
    try await expectEqual(feet.ids("foot", ["queryType": "prefixNone"]), "")
    let shirts = try await LanguageFixture(["Red Shirts"])
    try await expectEqual(shirts.names("shirt", plurals), ["Red <em>Shirts</em>"])
    try await expectEqual(shirts.numbers("nbTypos", "shirt", plurals), [0])
    var exact = plurals
    exact["alternativesAsExact"] = ["singleWordSynonym"]
    try await expectEqual(shirts.numbers("nbExactWords", "red shirt", exact), [1])
    let chairs = try await LanguageFixture(["chair", "chairs"])
    try await expectEqual(
      chairs.ids("chair", ["ignorePlurals": true, "queryLanguages": ["en"]]), "0 1")
  }

  @Test func formsMatchWholeWords() async throws {
    let found = try await LanguageFixture(["football", "news", "new"])
    try await expectEqual(found.ids("feet", ["ignorePlurals": ["en"]]), "")
    try await expectEqual(
      found.ids("news", ["ignorePlurals": ["en"], "typoTolerance": false]), "1")
  }

  @Test(arguments: [
    ("shirt", "shirts"), ("city", "cities"), ("key", "keys"), ("box", "boxes"),
    ("glass", "glasses"),
    ("dish", "dishes"), ("watch", "watches"), ("stomach", "stomachs"), ("photo", "photos"),
    ("mango", "mangoes"), ("mango", "mangos"), ("analysis", "analyses"), ("crisis", "crises"),
    ("fireman", "firemen"), ("human", "humans"), ("grandchild", "grandchildren"),
    ("bookshelf", "bookshelves"), ("soliloquy", "soliloquies"), ("quiz", "quizzes"),
    ("index", "indices"), ("index", "indexes"), ("person", "people"), ("house", "houses"),
    ("prize", "prizes"), ("shoe", "shoes"), ("movie", "movies"), ("axis", "axes"),
    ("leaf", "leaves"), ("criterion", "criteria"), ("chateau", "chateaux"), ("bus", "buses"),
    ("salesperson", "salespeople"), ("hero", "heroes"), ("studio", "studios"), ("die", "dice"),
  ])
  func englishFormsGoBothWays(singular: String, plural: String) {
    #expect(EnglishForms.forms(of: singular).contains(plural))
    #expect(EnglishForms.forms(of: plural).contains(singular))
  }

  @Test(arguments: [
    ("news", "new"), ("does", "do"), ("us", "u"), ("this", "thi"), ("lens", "len"), ("mars", "mar"),
    ("mongoose", "mongeese"), ("blouse", "blice"), ("box", "boxen"),
    ("was", "wa"), ("virus", "viru"), ("boss", "bos"), ("physics", "physic"),
  ])
  func otherWordsAreNoForms(word: String, other: String) {
    #expect(!EnglishForms.forms(of: word).contains(other))
  }
}
