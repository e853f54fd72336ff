@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Nested optional filters give the scores of a naive evaluation of the groups.
struct NestedScoreOracleTests {
  @Test(arguments: Seed.all(60), [false, true])
  func nestedGroupsAddTheirScores(seed: Seed, isSummed: Bool) async throws {
    var random = RandomRecords(seed: seed.value)
    let records = (0..<25).map { (number: Int) -> JSON in
      [
        "objectID": .string("\(number)"), "a": .int(Int64(number % 5)),
        "b": .int(Int64(number / 5)),
      ]
    }
    let fixture = try await EngineFixture(
      records, settings: IndexSettings(attributesForFaceting: ["a", "b"]))
    for _ in 0..<5 {
      let nodes = (0..<3).map { _ in OptionalFilterTree.random(&random) }
      let filters = JSON.array(nodes.map(\.json))
      let answer = try await fixture.search([
        "optionalFilters": filters, "sumOrFiltersScores": .bool(isSummed),
        "getRankingInfo": true, "hitsPerPage": 100,
      ])
      let hits = try #require(answer["hits"]?.arrayValue, "\(answer.text)")
      expectEqual(hits.count, records.count)
      for hit in hits {
        let expected = nodes.reduce(0) {
          $0 + ($1.score(of: hit, isAnd: false, isSummed: isSummed) ?? 0)
        }
        expectEqual(
          hit["_rankingInfo"]?["filters"]?.intValue, expected, "\(filters.text) \(hit.id)")
      }
    }
  }
}
