@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

struct MatchingOracleTests {
  @Test(arguments: Seed.all(80, quick: 20))
  func theEngineAgreesWithTheNaiveSearch(seed: Seed) throws {
    var world = OracleWorld(seed: seed.value)
    let settings = world.settings()
    let records = (0..<world.int(1..<40)).map { world.record($0) }
    var snapshot = try IndexSnapshot.empty(settings: settings).applying(
      records.map { .put(objectID: $0.objectID, record: $0.json) })
    snapshot.dictionaries = Dictionaries(configured: OracleWorld.dictionaryEntries)
    let synonyms = world.synonyms()
    try snapshot.save(synonyms)
    for _ in 0..<5 {
      let query = world.query()
      let expected = try OracleSearch(
        records, query: query, settings: settings, synonyms: synonyms
      ).results()
      let found = try EngineSearch.results(query, in: snapshot)
      expectEqual(
        found, expected,
        """
        query \(query.query ?? ""): \(query), settings \(settings.searchableAttributes), \
        synonyms \(synonyms)
        """)
      for limit in [1, 3, 10] {
        try expectEqual(
          EngineSearch.results(query, in: snapshot, limit: limit),
          Array(expected.prefix(limit)),
          "limit \(limit), query \(query)")
      }
    }
  }
}

extension MatchingOracleTests {
  /// Among many records most are skipped, by bounds of their scores. The whole order skips none.
  @Test(arguments: Seed.all(100, quick: 10))
  func theFirstHitsAreThoseOfTheWholeOrder(seed: Seed) throws {
    var world = OracleWorld(seed: seed.value)
    let settings = world.settings()
    let records = (0..<world.int(100..<900)).map { world.record($0) }
    var snapshot = IndexSnapshot.empty(settings: settings)
    for start in stride(from: 0, to: records.count, by: world.int(60..<900)) {
      snapshot = try snapshot.applying(
        records[start...].prefix(600).map { .put(objectID: $0.objectID, record: $0.json) })
    }
    for _ in 0..<6 {
      let query = world.query()
      let all = try EngineSearch.results(query, in: snapshot)
      for limit in [1, 5, 20, 70] {
        try expectEqual(
          EngineSearch.results(query, in: snapshot, limit: limit), Array(all.prefix(limit)),
          "limit \(limit), query \(query), settings \(settings)")
      }
    }
  }
}
