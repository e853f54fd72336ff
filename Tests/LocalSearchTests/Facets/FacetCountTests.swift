import InstantSearchAPI
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct FacetCountTests {
  private static let facets = ["color", "size", "flag", "parts.kind", "label"]

  /// Counts by looking at every record.
  private static func naive(_ records: [JSON], _ facet: String) -> [String: Int] {
    var counts: [String: Int] = [:]
    for record in records {
      for text in Set(record.values(at: facet).map(\.facetText)) { counts[text, default: 0] += 1 }
    }
    return counts
  }

  private static func top(_ counts: [String: Int], _ limit: Int) -> [String: Int] {
    let sorted = counts.sorted { left, right in
      left.value == right.value
        ? left.key.utf8.lexicographicallyPrecedes(right.key.utf8) : left.value > right.value
    }
    return Dictionary(uniqueKeysWithValues: sorted.prefix(limit).map { ($0.key, $0.value) })
  }

  @Test(arguments: Seed.all(10))
  func countsEqualThoseOfANaiveCount(seed: Seed) async throws {
    var random = RandomRecords(seed: seed.value)
    let (fixture, records) = try await random.fixture(400)
    for filter in [
      "price >= 0", "price < 1", "price < 25", "flag:true", "color:red AND price > 10",
    ] {
      let matching = records.filter { record in
        let price = record["price"]?.intValue ?? -1
        switch filter {
        case "price >= 0": return true
        case "price < 1": return price < 1
        case "price < 25": return price < 25
        case "flag:true": return record["flag"] == true
        default:
          return price > 10
            && record.values(at: "color").contains { $0.facetText.lowercased() == "red" }
        }
      }
      for limit in [1, 3, 100] {
        let answer = try await fixture.search([
          "filters": .string(filter), "facets": ["*"], "maxValuesPerFacet": .int(Int64(limit)),
          "hitsPerPage": 0,
        ])
        expectEqual(answer["nbHits"]?.intValue, matching.count)
        for facet in Self.facets {
          let expected = Self.top(Self.naive(matching, facet), limit)
          let found = answer["facets"]?[facet]?.objectValue?.compactMapValues(\.intValue) ?? [:]
          expectEqual(
            found, expected, "seed \(seed.value): \(facet) under \(filter), \(limit) values")
        }
      }
    }
  }

  @Test(arguments: Seed.all(5))
  func statisticsIncludeEveryNumberOfARecord(seed: Seed) async throws {
    var random = RandomRecords(seed: seed.value)
    let (fixture, records) = try await random.fixture(200)
    let statistics = try await fixture.search(["facets": ["size", "color", "flag"]])["facets_stats"]
    let numbers = records.flatMap { record in
      Set(record.values(at: "size").compactMap(\.doubleValue))
    }
    expectEqual(statistics?["size"]?["min"]?.doubleValue, numbers.min())
    expectEqual(statistics?["size"]?["max"]?.doubleValue, numbers.max())
    expectEqual(statistics?["size"]?["sum"]?.doubleValue, numbers.reduce(0, +))
    expectEqual(
      statistics?["size"]?["avg"]?.doubleValue, numbers.reduce(0, +) / Double(numbers.count))
    expectEqual(statistics?["color"]?["min"]?.doubleValue, 12)
    #expect(statistics?["flag"] == nil)
  }

  private func facets(
    _ parameters: JSON, _ change: (inout IndexSettings) -> Void
  ) async throws -> String {
    let records: [JSON] = [
      ["objectID": "1", "brand": "B", "kind": "x", "shade": "dark", "group": "g"],
      ["objectID": "2", "brand": "A", "kind": "x", "shade": "dark", "group": "g"],
      ["objectID": "3", "brand": "C", "kind": "x", "shade": "light"],
      ["objectID": "4", "brand": "C", "kind": "y"],
    ]
    let fixture = try await EngineFixture(records, settings: IndexSettings(change))
    var parameters = parameters
    parameters["responseFields"] = ["facets"]
    let body = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
        body: Array(parameters.text.utf8), callType: .read)
    ).body
    return String(decoding: body, as: UTF8.self)
  }

  @Test func valuesAreSortedByCountAndThenByName() async throws {
    let text = try await facets(["facets": ["brand", "kind"]]) {
      $0.attributesForFaceting = ["kind", "brand"]
    }
    expectEqual(text, #"{"facets":{"brand":{"C":2,"A":1,"B":1},"kind":{"x":3,"y":1}}}"#)
  }

  @Test func valuesCanBeSortedByName() async throws {
    let text = try await facets([
      "facets": ["brand"], "sortFacetValuesBy": "alpha", "maxValuesPerFacet": 2,
    ]) { $0.attributesForFaceting = ["brand"] }
    expectEqual(text, #"{"facets":{"brand":{"A":1,"B":1}}}"#)
  }

  @Test func queryOverridesTheSettingOfTheSameName() async throws {
    let settings: (inout IndexSettings) -> Void = {
      $0.attributesForFaceting = ["brand"]
      $0.maxValuesPerFacet = 1
      $0.sortFacetValuesBy = .alphabetical
    }
    try await expectEqual(facets(["facets": ["brand"]], settings), #"{"facets":{"brand":{"A":1}}}"#)
    let text = try await facets(
      ["facets": ["brand"], "maxValuesPerFacet": 2, "sortFacetValuesBy": "count"], settings)
    expectEqual(text, #"{"facets":{"brand":{"C":2,"A":1}}}"#)
  }

  @Test func filterOnlyUndeclaredAndEmptyFacetsAreLeftOut() async throws {
    let settings: (inout IndexSettings) -> Void = {
      $0.attributesForFaceting = ["filterOnly(brand)", "searchable(kind)", "empty"]
    }
    let text = try await facets(["facets": ["brand", "kind", "empty", "group"]], settings)
    #expect(text.hasSuffix(#","facets":{"kind":{"x":3,"y":1}}}"#))
    try await expectEqual(
      facets(["facets": ["*"]], settings), #"{"facets":{"kind":{"x":3,"y":1}}}"#)
    try await expectEqual(facets([:], settings), "{}")
  }

  @Test func countsPrecedeGroupingByDefault() async throws {
    let settings: (inout IndexSettings) -> Void = {
      $0.attributesForFaceting = ["afterDistinct(shade)", "kind"]
      $0.attributeForDistinct = "group"
    }
    let before = try await facets(["facets": ["*"]], settings)
    expectEqual(before, #"{"facets":{"shade":{"dark":2,"light":1},"kind":{"x":3,"y":1}}}"#)
    let modified = try await facets(["facets": ["*"], "distinct": true], settings)
    expectEqual(modified, #"{"facets":{"shade":{"dark":1,"light":1},"kind":{"x":3,"y":1}}}"#)
    let after = try await facets(
      ["facets": ["*"], "distinct": 1, "facetingAfterDistinct": true], settings)
    expectEqual(after, #"{"facets":{"shade":{"dark":1,"light":1},"kind":{"x":2,"y":1}}}"#)
    let overridden = try await facets(
      ["facets": ["*"], "distinct": 1, "facetingAfterDistinct": false], settings)
    expectEqual(overridden, before)
  }
}
