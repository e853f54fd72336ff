@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// Counts of disjunctive facets, with numbers and a path, against naive counting.
@Suite(.timeLimit(.minutes(30))) struct DisjunctiveFacetsOracleTests {
  private static let index = "items"
  private static let facets = ["color", "size", "flag", "lvl0", "lvl1"]

  @Test(arguments: Seed.all(100))
  func countsIgnoreFiltersOnTheSameAttribute(seed: Seed) async throws {
    var random = RandomRecords(seed: seed.value)
    let records = random.records(60).map { record in
      var record = record
      let branch = random.pick(["A", "B"])
      record["lvl0"] = .string(branch)
      record["lvl1"] = .string(branch + " > " + random.pick(["x", "y", "z"]))
      return record
    }
    let engine = try await LocalSearch(
      indexName: Self.index, records: records,
      settings: IndexSettings { $0.attributesForFaceting = Self.facets })
    let searcher = HitsSearcher(
      client: SearchClient(transport: engine), indexName: Self.index,
      query: SearchQuery().with { $0.facets = Self.facets }, options: .init(clock: ManualClock()))
    for _ in 0..<5 {
      let limit = random.chance(50) ? 2 : 100
      let colors = Set((0..<2).map { _ in random.pick(["red", "green", "blue", "12", "none"]) })
      let flag = random.chance(50)
      let price = Double.random(in: 10...60, using: &random.generator)
      let isDeep = random.chance(50)
      let isNegated = random.chance(30)
      searcher.update {
        $0.query.maxValuesPerFacet = limit
        $0.query.filters = "price >= 5"
        $0.filterGroups = FilterGroups()
        $0.filterGroups[or: "color"].add(contentsOf: colors.map { "color" == $0 })
        if isNegated { $0.filterGroups[or: "color"].add("color" != "a b") }
        $0.filterGroups[or: "flag"].add("flag" == flag)
        $0.filterGroups[and: "price"].add("price" < price)
        $0.filterGroups[hierarchical: "menu"].attributes = ["lvl0", "lvl1"]
        $0.filterGroups[hierarchical: "menu"].path =
          ["lvl0" == "A"] + (isDeep ? ["lvl1" == "A > y"] : [])
      }
      let page = try await searcher.search(of: JSON.self)

      // The deepest level of a path filters, and the one above it filters the counts of that level.
      func isOnPath(_ record: JSON, except: String?) -> Bool {
        if except == "lvl0" { return true }
        if isDeep, except != "lvl1" { return record["lvl1"] == "A > y" }
        return record["lvl0"] == "A"
      }
      func holds(_ record: JSON, except: String? = nil) -> Bool {
        func texts(_ attribute: String) -> Set<String> {
          Set(record.values(at: attribute).map { $0.facetText.lowercased() })
        }
        let number = record["price"]?.doubleValue ?? 0
        let isOfColor =
          !texts("color").isDisjoint(with: colors)
          || isNegated && !texts("color").contains("a b")
        return number >= 5 && number < price && (except == "color" || isOfColor)
          && (except == "flag" || texts("flag").contains("\(flag)"))
          && isOnPath(record, except: except)
      }
      expectEqual(page.nbHits, records.filter { holds($0) }.count)
      for attribute in Self.facets {
        let counts = counts(attribute, of: records.filter { holds($0, except: attribute) })
        var expected = top(limit, of: counts)
        let selected = attribute == "color" ? colors : attribute == "flag" ? ["\(flag)"] : []
        // For values that are cut off, the count among the hits is the complete count.
        let own = Dictionary(
          uniqueKeysWithValues: top(
            limit, of: self.counts(attribute, of: records.filter { holds($0) })
          )
          .map { ($0.value, $0.count) })
        let shown = Set(expected.map(\.value))
        // Without it, there is none if more values may have hits.
        expected += selected.subtracting(shown).compactMap { value in
          (own[value] ?? (shown.count < limit ? 0 : nil)).map {
            FacetValue(value: value, count: $0)
          }
        }
        let found = page.facets[attribute]?.values ?? []
        #expect(
          Set(found) == Set(expected) && found.count == expected.count,
          "seed \(seed.value), \(attribute): \(searcher.request.filterGroups)")
        expectEqual(found.map(\.count), found.map(\.count).sorted(by: >))
      }
    }
  }

  private func counts(_ attribute: String, of records: [JSON]) -> [String: Int] {
    var counts: [String: Int] = [:]
    for record in records {
      for value in Set(record.values(at: attribute).map(\.facetText)) {
        counts[value, default: 0] += 1
      }
    }
    return counts
  }

  private func top(_ limit: Int, of counts: [String: Int]) -> [FacetValue] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit)
      .map { FacetValue(value: $0.key, count: $0.value) }
  }
}
