import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct FilterScoreTests {
  private static let records: [JSON] = [
    ["objectID": "1", "brand": "Huawei", "type": "tablet"],
    ["objectID": "2", "brand": "Sony", "type": "phone"],
    ["objectID": "3", "brand": "Samsung", "type": "phone"],
    ["objectID": "4", "brand": "Apple", "type": "tablet"],
    ["objectID": "5", "brand": "Apple", "type": "phone"],
  ]

  private func fixture() async throws -> EngineFixture {
    try await EngineFixture(
      Self.records, settings: IndexSettings { $0.attributesForFaceting = ["brand", "type"] })
  }

  /// The filter scores of the records by object ID.
  private func scores(_ parameters: JSON) async throws -> [String: Int] {
    var parameters = parameters
    parameters["getRankingInfo"] = true
    let hits = try await fixture().search(parameters)["hits"]?.arrayValue ?? []
    return Dictionary(
      uniqueKeysWithValues: hits.map { ($0.id, $0["_rankingInfo"]?["filters"]?.intValue ?? -1) })
  }

  @Test func optionalFiltersRankAndDoNotFilter() async throws {
    let ids = try await fixture().ids([
      "optionalFilters": ["brand:Apple<score=3>", "brand:Samsung<score=2>", "brand:-Huawei"]
    ])
    expectEqual(ids, ["4", "5", "3", "2", "1"])
  }

  @Test func everyElementOfOptionalFiltersAddsItsScore() async throws {
    let scores = try await scores(["optionalFilters": ["brand:Apple<score=2>", "type:tablet"]])
    expectEqual(scores, ["1": 1, "2": 0, "3": 0, "4": 3, "5": 2])
  }

  @Test func orGroupCountsItsHighestScore() async throws {
    let filters: JSON = "brand:Apple<score=3> OR type:tablet<score=5>"
    try await expectEqual(scores(["filters": filters]), ["1": 5, "4": 5, "5": 3])
  }

  @Test func orGroupAddsItsScoresOnRequest() async throws {
    let filters: JSON = "brand:Apple<score=3> OR type:tablet<score=5>"
    let scores = try await scores(["filters": filters, "sumOrFiltersScores": true])
    expectEqual(scores, ["1": 5, "4": 8, "5": 3])
  }

  @Test func scoresOfTopLevelGroupsAreAdded() async throws {
    let scores = try await scores([
      "filters": "brand:Apple<score=7> AND type:phone OR type:tablet<score=4>",
      "facetFilters": [["type:phone<score=2>", "type:tablet"]],
    ])
    expectEqual(scores, ["4": 12, "5": 10])
  }

  @Test func negativeFiltersScoreTheRecordsThatDoNotMatch() async throws {
    let scores = try await scores(["optionalFilters": [["brand:-Apple<score=4>", "type:tablet"]]])
    expectEqual(scores, ["1": 4, "2": 4, "3": 4, "4": 1, "5": 0])
  }

  @Test func scoresOfARequiredFilterRank() async throws {
    let ids = try await fixture().ids(["filters": "brand:Sony<score=9> OR brand:Apple"])
    expectEqual(ids, ["2", "4", "5"])
  }
}
