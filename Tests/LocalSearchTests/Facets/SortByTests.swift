import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct SortByTests {
  private static let records: [JSON] = [
    ["objectID": "a", "price": 3, "brand": "x", "list": [1, 2], "flag": true],
    ["objectID": "b", "price": 1.5, "brand": "Z", "flag": false],
    ["objectID": "c", "brand": "m", "list": [7]], ["objectID": "d", "price": -2],
  ]

  @Test(arguments: [
    ("desc(price)", "abdc"), ("asc(price)", "dbac"), ("asc(brand)", "bcad"),
    ("desc(brand)", "acbd"),
    ("asc(flag)", "bacd"), ("asc(missing)", "abcd"),
  ])
  func rankingOfTheQueryCanSortByAnyNumberOrFacet(criterion: String, expected: String) async throws
  {
    let fixture = try await EngineFixture(
      Self.records, settings: IndexSettings { $0.attributesForFaceting = ["brand", "flag"] })
    try await expectEqual(fixture.ids(["ranking": [.string(criterion)]]).joined(), expected)
  }

  @Test(
    arguments: [
      (["desc(price)"], "abdc"), (["asc(brand)"], "bcad"), (["asc(flag)", "desc(price)"], "badc"),
      (["asc(list)"], "abcd"),
    ] as [([String], String)])
  func customRankingPutsMissingValuesLast(criteria: [String], expected: String) async throws {
    let fixture = try await EngineFixture(
      Self.records, settings: IndexSettings { $0.customRanking = criteria })
    try await expectEqual(fixture.ids().joined(), expected)
  }
}
