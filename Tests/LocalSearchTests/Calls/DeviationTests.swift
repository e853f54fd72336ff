import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// What the article on deviations says about searches.
struct DeviationTests {
  @Test(arguments: ["😀", "🇫🇷", "!?", " - ", "…", "\"\"", "\"!\""])
  func aQueryWithoutWordsFindsEveryRecord(query: String) async throws {
    let records: [JSON] = [["objectID": "1", "text": "a 😀"], ["objectID": "2", "text": "b"]]
    let fixture = try await EngineFixture(records)
    let parameters: JSON = ["query": .string(query), "advancedSyntax": true]
    try await expectEqual(fixture.ids(parameters), ["1", "2"])
    let answer = try await fixture.search(parameters)
    expectEqual(answer["query"]?.stringValue, query)
    let indexed = try await EngineFixture(
      records, settings: IndexSettings { $0.separatorsToIndex = "😀" })
    try await expectEqual(indexed.ids(["query": "😀"]), ["1"])
  }

  @Test(
    arguments: [
      ("l'avion", ["joined": 0, "part": 1, "prefix": 1]), ("you've", ["you": 1]),
      ("avion", ["joined": 0, "part": 0, "prefix": 0]), ("\"l'avion\"", ["joined": 0]),
      ("x.y.avion", ["joined": 1, "part": 1, "prefix": 1]), ("l'avion x", [:]),
    ] as [(String, [String: Int])])
  func theLongPartOfAJoinedWordMatches(query: String, typos: [String: Int]) async throws {
    let fixture = try await EngineFixture(
      [
        ["objectID": "joined", "text": "l'avion"], ["objectID": "part", "text": "un avion"],
        ["objectID": "prefix", "text": "avionique"], ["objectID": "you", "text": "you have"],
      ] as [JSON])
    let answer = try await fixture.search([
      "query": .string(query), "getRankingInfo": true, "advancedSyntax": true,
    ])
    let hits = answer["hits"]?.arrayValue ?? []
    let found = Dictionary(
      uniqueKeysWithValues: hits.map { ($0.id, $0["_rankingInfo"]?["nbTypos"]?.intValue ?? -1) })
    expectEqual(found, typos)
    let exact = try await fixture.ids(["query": "l'avion", "typoTolerance": false])
    expectEqual(exact, ["joined"])
  }

  @Test(arguments: [
    ("v = 0.1", "1"), ("v != 0.1", "23"), ("v > 0.1", "23"), ("v <= 0.1", "1"),
    ("v = 0.1001", "2"), ("v:0.1 TO 0.1001", "12"), ("v > 0.1001", "3"), ("v = 0.100", "1"),
    ("n = 9007199254740993", "45"), ("n:9007199254740993", "5"),
  ])
  func numericFiltersCompareAllDecimals(filters: String, ids: String) async throws {
    let fixture = try await EngineFixture(
      [
        ["objectID": "1", "v": 0.1], ["objectID": "2", "v": 0.1001],
        ["objectID": "3", "v": 0.1009], ["objectID": "4", "n": 9_007_199_254_740_992],
        ["objectID": "5", "n": 9_007_199_254_740_993],
      ] as [JSON], settings: IndexSettings { $0.attributesForFaceting = ["n"] })
    try await expectEqual(fixture.ids(filters: filters).joined(), ids)
  }
}
