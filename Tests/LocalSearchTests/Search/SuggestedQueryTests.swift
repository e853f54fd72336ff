import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// The query that a user may have meant.
struct SuggestedQueryTests {
  @Test func wordsWithASynonymAreKnown() async throws {
    let found = try await LanguageFixture(
      ["television remote"], synonyms: [Synonym("1", .equivalent(["tv", "television"]))])
    let suggested = try await found.fixture.engine.suggestedQuery(
      for: SearchQuery("tv remotte"), in: EngineFixture.index)
    expectEqual(suggested?.text, "tv remote")
  }

  @Test func wordsOfHiddenAttributesAreNoParts() async throws {
    for hidden in [[], ["secret"]] {
      let found = try await LanguageFixture(
        records: [["objectID": "1", "name": "a", "secret": "ice cream"]]
      ) { $0.unretrievableAttributes = hidden }
      let suggested = try await found.fixture.engine.suggestedQuery(
        for: SearchQuery("icecream"), in: EngineFixture.index)
      expectEqual(suggested?.text, hidden.isEmpty ? "ice cream" : nil)
    }
  }

  private func suggestion(
    _ query: String, among titles: [String], _ settings: IndexSettings = IndexSettings(),
    _ change: (inout SearchQuery) -> Void = { _ in }
  ) async throws -> String? {
    let records = titles.enumerated().map { number, title -> JSON in
      ["objectID": .string("\(number)"), "title": .string(title), "n": .int(Int64(number))]
    }
    let fixture = try await EngineFixture(records, settings: settings)
    var parameters = SearchQuery(query)
    change(&parameters)
    let found = try await fixture.engine.suggestedQuery(for: parameters, in: EngineFixture.index)
    return found.map { "\($0.text): \($0.hitCount)" }
  }

  private static let titles = [
    "Heat", "Heat and Dust", "The Heart of the Matter", "Notebook", "New York Stories",
  ]

  @Test(arguments: [
    ("haet", "heat: 2"), ("haet dust", "heat dust: 1"),
    ("Hart,  of matetr", "heart,  of matter: 1"),
    ("note book", "notebook: 1"), ("newyork", "new york: 1"),
    ("newyork stroies", "new york stories: 1"),
  ])
  func aWordThatTheIndexDoesNotHaveIsReplaced(query: String, expected: String) async throws {
    try await expectEqual(
      suggestion(query, among: Self.titles) { $0.typoTolerance = .enabled(false) }, expected)
  }

  @Test(arguments: ["heat", "hea", "heat notebook", "", "zzzz", "haet zzzz", "\"haet\""])
  func thereIsNoneForKnownWordsAndUnknownOnes(query: String) async throws {
    try await expectEqual(
      suggestion(query, among: Self.titles) { $0.advancedSyntax = true }, nil)
  }

  @Test func itsHitsAreCountedWithTheFilters() async throws {
    func found(_ filters: String) async throws -> String? {
      try await suggestion("haet", among: Self.titles) { $0.filters = filters }
    }
    try await expectEqual(found("n = 1"), "heat: 1")
    // The nearest word has no hits, and the next one has.
    try await expectEqual(
      suggestion("heatr", among: Self.titles) { $0.filters = "n < 2" }, "heat: 2")
    try await expectEqual(found("n = 3"), nil)
  }

  @Test func wordsOfMoreRecordsComeFirst() async throws {
    try await expectEqual(suggestion("caat", among: ["cart", "coat", "coat"]), "coat: 2")
    try await expectEqual(suggestion("caat", among: ["cart", "coat"]), "cart: 1")
  }

  @Test func wordsOfHiddenAttributesAndDeletedRecordsAreNotSuggested() async throws {
    let settings = IndexSettings { $0.unretrievableAttributes = ["title"] }
    try await expectEqual(suggestion("haet", among: Self.titles, settings), nil)
    let fixture = try await EngineFixture([["objectID": "1", "title": "heat"]])
    try await fixture.engine.delete(objectIDs: ["1"], from: EngineFixture.index)
    try await expectEqual(
      fixture.engine.suggestedQuery(for: SearchQuery("haet"), in: EngineFixture.index), nil)
  }

  @Test func mistakesAreErrors() async throws {
    let engine = LocalSearch()
    let error = await #expect(throws: SearchError.self) {
      try await engine.suggestedQuery(for: SearchQuery("a"), in: "none")
    }
    expectEqual(error?.code, .indexNotFound)
  }
}
