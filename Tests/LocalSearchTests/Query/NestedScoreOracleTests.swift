import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

/// Nested optional filters give the scores of a naive evaluation of the groups.
struct NestedScoreOracleTests {
  private indirect enum Node {
    case filter(attribute: String, value: Int, isNegated: Bool, score: Int)
    case group([Node])

    static func random(depth: Int, _ random: inout RandomRecords) -> Node {
      guard depth < 5, random.pick([true, true, depth < 2]) else {
        return .filter(
          attribute: random.pick(["a", "b"]), value: random.pick([0, 1, 2, 3, 4]),
          isNegated: random.pick([true, false, false]), score: random.pick([0, 1, 1, 2, 7]))
      }
      let count = random.pick([1, 2, 2, 3])
      return .group((0..<count).map { _ in Self.random(depth: depth + 1, &random) })
    }

    var json: JSON {
      switch self {
      case .filter(let attribute, let value, let isNegated, let score):
        .string("\(attribute):\(isNegated ? "-" : "")\(value)<score=\(score)>")
      case .group(let parts): .array(parts.map(\.json))
      }
    }

    /// The score of a record; `nil` when it does not match. AND and OR alternate by depth.
    func score(of record: JSON, isAnd: Bool, isSummed: Bool) -> Int? {
      switch self {
      case .filter(let attribute, let value, let isNegated, let score):
        return (record[attribute]?.intValue == value) != isNegated ? score : nil
      case .group(let parts):
        let scores = parts.map { $0.score(of: record, isAnd: !isAnd, isSummed: isSummed) }
        let matching = scores.compactMap(\.self)
        if isAnd { return matching.count == scores.count ? matching.reduce(0, +) : nil }
        if matching.isEmpty { return nil }
        return isSummed ? matching.reduce(0, +) : matching.max()
      }
    }
  }

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
      let nodes = (0..<3).map { _ in Node.random(depth: 0, &random) }
      let filters = JSON.array(nodes.map(\.json))
      let answer = try await fixture.search([
        "optionalFilters": filters, "sumOrFiltersScores": .bool(isSummed),
        "getRankingInfo": true, "hitsPerPage": 100,
      ])
      let hits = try #require(answer["hits"]?.arrayValue, "\(answer.text)")
      #expect(hits.count == records.count)
      for hit in hits {
        let expected = nodes.reduce(0) {
          $0 + ($1.score(of: hit, isAnd: false, isSummed: isSummed) ?? 0)
        }
        #expect(hit["_rankingInfo"]?["filters"]?.intValue == expected, "\(filters.text) \(hit.id)")
      }
    }
  }
}
