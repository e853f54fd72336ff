@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Merging columns gives what indexing the remaining records at once gives.
struct ColumnMergeTests {
  private static let settings: IndexSettings = {
    var settings = RandomRecords.settings
    settings.attributesForFaceting += ["searchable(odd)", "afterDistinct(color)"]
    settings.customRanking = ["desc(size)", "asc(odd)"]
    settings.ranking.insert("asc(label)", at: 0)
    settings.attributeForDistinct = "odd"
    return settings
  }()

  /// Values that are equal, or only look so: Unicode forms, cases, numbers and their texts.
  private static let oddValues: [JSON] = [
    "é", "e\u{301}", "É", "1", 1, 1.0, "1.0", 0, -0.0, true, "true", nil, "ß", "SS", "",
    9_007_199_254_740_992, 9_007_199_254_740_993, ["é", "e\u{301}", 1, "1"], ["b", "a"], 2.5,
  ]

  private static func record(_ number: Int, _ random: inout RandomRecords) -> JSON {
    var record = random.record(number)
    if random.chance(90) { record["odd"] = random.pick(oddValues) }
    if random.chance(60) {
      let points: [JSON] = (0..<Int.random(in: 1...2, using: &random.generator)).map { _ in
        ["lat": .int(Int64(number % 90)), "lng": .int(Int64(number % 170))]
      }
      record["_geoloc"] = random.chance(50) ? points[0] : .array(points)
    }
    return record
  }

  private static let queries: [JSON] = [
    [:], ["query": "label 3"], ["filters": "size > 0 AND NOT odd:1"], ["numericFilters": "odd=1"],
    ["facetFilters": "odd:é"], ["distinct": 1, "query": "label"], ["tagFilters": "new"],
    ["ranking": ["desc(odd)", "asc(price)", "custom"]], ["ranking": ["desc(size)", "custom"]],
    ["aroundLatLng": "10,10", "aroundRadius": 3_000_000], ["insideBoundingBox": "0,0,40,40"],
    ["filters": "parts.weight:2 TO 4"],
  ]

  @Test(arguments: Seed.all(80, quick: 5)) func mergedColumnsAreThoseOfTheRecords(
    seed: Seed
  ) async throws {
    var random = RandomRecords(seed: seed.value)
    let merged = LocalSearch()
    try await merged.setSettings(Self.settings, of: "items")
    var records: [String: JSON] = [:]
    for _ in 0..<Int.random(in: 2...30, using: &random.generator) {
      let batch = (0..<Int.random(in: 1...20, using: &random.generator)).map { _ in
        Self.record(Int.random(in: 0..<200, using: &random.generator), &random)
      }
      try await merged.save(batch, in: "items")
      for record in batch { records[record.id] = record }
      let deleted = (0..<3).map { _ in "\(Int.random(in: 0..<200, using: &random.generator))" }
      try await merged.delete(objectIDs: deleted, from: "items")
      for id in deleted { records[id] = nil }
    }
    let indexed = LocalSearch()
    try await indexed.setSettings(Self.settings, of: "items")
    try await indexed.save(records.values.sorted { $0.id < $1.id }, in: "items")
    for query in Self.queries {
      try await expectEqual(
        Self.answer(query, merged), Self.answer(query, indexed), "\(query.text)")
    }
    for (facet, text) in [("odd", ""), ("odd", "e"), ("label", "label 1")] {
      let request = TransportRequest(
        .facetValues(index: "items", facet: facet),
        body: Array((["facetQuery": .string(text)] as JSON).text.utf8))
      try await expectEqual(merged.send(request).body, indexed.send(request).body)
    }
  }

  private static func answer(_ query: JSON, _ engine: LocalSearch) async throws -> String {
    var query = query
    query["facets"] = ["*"]
    query["hitsPerPage"] = 300
    query["getRankingInfo"] = true
    let response = try await engine.send(
      TransportRequest(.search(index: "items"), body: Array(query.text.utf8)))
    return String(decoding: response.body, as: UTF8.self)
  }
}
