@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Groups of filters, as text and as lists, find what a naive evaluation of the groups finds.
struct FilterGroupsOracleTests {
  @Test(arguments: Seed.all(300))
  func textAndListsFindTheRecordsOfTheGroups(seed: Seed) async throws {
    var random = RandomFilterGroups(seed: seed.value)
    let records = (0..<40).map { random.record($0) }
    let fixture = try await EngineFixture(records, settings: RandomFilterGroups.settings)
    for _ in 0..<6 {
      let groups = random.groups()
      let expected = records.filter(groups.holds).map(\.id).sorted()
      var query = SearchQuery()
      query.filters = groups.text
      let found = try await fixture.ids(query)
      expectEqual(found, expected, "seed \(seed.value): \(groups)")
      guard let lists = try? groups.lists() else { continue }
      let listed = try await fixture.ids(lists.query)
      expectEqual(listed, expected, "seed \(seed.value): \(lists.query)")
    }
  }

  /// The score of a record for filters: groups are added, an OR group counts its best filter or,
  /// summed, all that match.
  @Test(arguments: Seed.all(100), [false, true])
  func textAndListsGiveTheScoresOfTheGroups(seed: Seed, isSummed: Bool) async throws {
    var random = RandomFilterGroups(seed: seed.value)
    let records = (0..<30).map { random.record($0) }
    let fixture = try await EngineFixture(records, settings: RandomFilterGroups.settings)
    for _ in 0..<4 {
      let groups = random.groups()
      let expected = Dictionary(
        uniqueKeysWithValues: records.filter(groups.holds).map {
          ($0.id, groups.score(of: $0, isSummed: isSummed))
        })
      var query = SearchQuery()
      query.filters = groups.text
      query.sumOrFiltersScores = isSummed
      let found = try await fixture.scores(query)
      expectEqual(found, expected, "seed \(seed.value): \(groups)")
      guard let lists = try? groups.lists() else { continue }
      let listed = try await fixture.scores(lists.query.setting(\.sumOrFiltersScores, to: isSummed))
      expectEqual(listed, expected, "seed \(seed.value): \(lists.query)")
    }
  }

  @Test func seedsGiveUsefulGroupsAndLists() {
    var groupsThatSelect = 0
    var lists = 0
    for seed in 1...300 as ClosedRange<UInt64> {
      var random = RandomFilterGroups(seed: seed)
      let records = (0..<40).map { random.record($0) }
      for _ in 0..<6 {
        let groups = random.groups()
        if (1..<40).contains(records.filter(groups.holds).count) { groupsThatSelect += 1 }
        if (try? groups.lists()) != nil { lists += 1 }
      }
    }
    #expect(groupsThatSelect > 700)
    #expect(lists > 800)
  }

  /// Lists reject no more than they must: a single filter is rejected only if it cannot be
  /// expressed.
  @Test(arguments: RandomFilterGroups.values)
  func listsRejectOnlyValuesThatBeginWithAnEscapedSign(value: String) async throws {
    let records: [JSON] = [["objectID": "1", "brand": .string(value)], ["objectID": "2"]]
    let fixture = try await EngineFixture(records, settings: RandomFilterGroups.settings)
    let brand: Attribute = "brand"
    let filters: [Filter.Facet] = [brand == value, brand != value, (brand == value).scored(7)]
    for filter in filters {
      var groups = FilterGroups()
      groups[and: "a"].add(filter)
      guard !value.unicodeScalars.starts(with: #"\-"#.unicodeScalars) else {
        #expect(throws: SearchError.self) { try groups.lists() }
        continue
      }
      let ids = try await fixture.ids(try groups.lists().query)
      expectEqual(ids, [filter.isNegated ? "2" : "1"])
    }
  }
}

extension FilterGroups.Lists {
  /// A query with these lists.
  fileprivate var query: SearchQuery {
    var query = SearchQuery()
    set(in: &query)
    return query
  }
}

extension EngineFixture {
  /// The IDs of all records that a query finds, sorted.
  fileprivate func ids(_ query: SearchQuery) async throws -> [String] {
    let query = query.setting(\.hitsPerPage, to: 1000).setting(\.attributesToHighlight, to: [])
    return try await page(query, of: JSON.self).hits.map(\.id).sorted()
  }

  /// The scores that filters give to all records that a query finds.
  fileprivate func scores(_ query: SearchQuery) async throws -> [String: Int] {
    let query = query.setting(\.hitsPerPage, to: 1000).setting(\.getRankingInfo, to: true)
    let page = try await page(query, of: Hit<JSON>.self)
    return Dictionary(
      uniqueKeysWithValues: page.hits.map { ($0.objectID, $0.rankingInfo?.filters ?? -1) })
  }
}
