@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport

/// A random world: records with similar words and everything to filter, count, group and rank by,
/// and the settings and searches that combine them.
struct AnswerWorld {
  private var words: OracleWorld
  private var filters: RandomFilterGroups

  init(seed: UInt64) {
    words = OracleWorld(seed: seed)
    filters = RandomFilterGroups(seed: seed)
    filters.facets = ["color", "kind", "parts.kind"]
    filters.numbers = ["price", "parts.weight", "none"]
    filters.values = ["red", "Red", "green", "abc", "ab c", "12", "-12", "a", "É", "é", "true"]
    // Words of three letters, and some of those with parts, accents and other scripts.
    words.vocabulary = (0..<words.int(3..<14)).map { _ in
      (0..<words.int(1..<7)).map { _ in words.pick(["a", "b", "c"]) }.joined()
    }
    words.vocabulary += (0..<words.int(0..<6)).map { _ in words.pick(OracleWorld.vocabulary) }
    words.vocabulary += ["abc.bca", "ab'cab", "abcabcabc", "bcacbacba"]
  }

  mutating func int(_ range: Range<Int>) -> Int { words.int(range) }
  mutating func chance(_ percent: Int) -> Bool { words.chance(percent) }
  mutating func pick<Element>(_ list: [Element]) -> Element { words.pick(list) }

  /// Some entries of a list, in any order.
  private mutating func some(_ list: [String], atLeast count: Int) -> [String] {
    Array(
      list.shuffled(using: &words.generator).prefix(int(min(count, list.count)..<list.count + 1)))
  }

  // MARK: Records

  mutating func record(_ number: Int) -> OracleRecord {
    var record = words.record(number)
    var other = filters.record(number)
    other["objectID"] = nil
    for attribute in ["a", "b"] { other[attribute] = .int(Int64(int(0..<5))) }
    if chance(80) {
      other["group"] = pick(["x", "y", 7, 7.4, "7", true, nil, ["x", "y"], ["x"], []])
    }
    if chance(70) { other["_geoloc"] = chance(25) ? [point(), point()] : point() }
    record.other = other
    return record
  }

  private mutating func point() -> JSON {
    ["lat": .double(coordinate()), "lng": .double(coordinate())]
  }

  /// Degrees of a small grid, so that distances are equal, or a little different, or far.
  private mutating func coordinate() -> Double {
    Double(int(-4..<5)) * pick([0.0001, 0.001, 0.1, 10])
  }

  mutating func synonyms() -> [Synonym] { words.synonyms() }

  // MARK: Settings

  private static let sorts = [
    "asc(rank)", "desc(rank)", "asc(score)", "desc(score)", "desc(price)", "asc(color)",
    "desc(color)", "asc(group)", "desc(parts.weight)",
  ]
  private static let criteria = [
    "typo", "geo", "words", "filters", "proximity", "attribute", "exact", "custom",
  ]

  private mutating func ranking(_ sorts: [String]) -> [String] {
    var ranking = chance(30) ? Self.criteria : some(Self.criteria, atLeast: 1)
    if chance(40) { ranking.insert(pick(sorts), at: int(0..<ranking.count + 1)) }
    return ranking
  }

  mutating func settings() -> IndexSettings {
    var settings = words.settings()
    settings.attributesForFaceting = ["a", "b"]
    for attribute in ["color", "kind", "parts.kind", "price"] {
      settings.attributesForFaceting.append(
        pick([
          attribute, attribute, "filterOnly(\(attribute))", "searchable(\(attribute))",
          "afterDistinct(\(attribute))", "afterDistinct(searchable(\(attribute)))",
        ]))
    }
    settings.customRanking = chance(30) ? [] : some(Self.sorts, atLeast: 1).prefix(3).map { $0 }
    if chance(60) { settings.ranking = ranking(Self.sorts) }
    if chance(60) {
      settings.attributeForDistinct = pick(["group", "a", "rank", "color"])
      settings.distinct = pick([.enabled(false), .enabled(true), .count(2), .count(3)])
    }
    if chance(20) { settings.queryType = pick([.prefixAll, .prefixNone]) }
    if chance(20) { settings.paginationLimitedTo = int(0..<9) }
    if chance(20) { settings.maxValuesPerFacet = int(1..<4) }
    if chance(20) { settings.restrictHighlightAndSnippetArrays = true }
    if chance(20) { settings.minWordSizefor1Typo = int(2..<5) }
    if chance(30) { settings.attributesToHighlight = highlighted() }
    return settings
  }

  private mutating func highlighted() -> [String] {
    pick([["*"], [], ["name", "author"], ["tags", "price", "parts", "author.bio"]])
  }

  // MARK: Searches

  mutating func request() throws -> OracleRequest {
    var query = words.query()
    if chance(10) { query.query = "" }
    // Mostly few words, which records have.
    if chance(60) {
      query.query = words.text(1..<3)
      if chance(30) { query.query?.removeLast() }
    }
    if chance(20) { query.ranking = ranking(["asc(rank)", "desc(score)"]) }
    if chance(30) { query.distinct = pick([.count(0), .enabled(true), .count(2), .count(3)]) }
    if chance(20) { query.minProximity = int(1..<8) }
    if chance(15) { query.attributeCriteriaComputedByMinProximity = chance(50) }
    if chance(30) { query.attributesToHighlight = highlighted() }
    if chance(15) { query.restrictHighlightAndSnippetArrays = chance(70) }
    query.facets = pick([nil, ["*"], ["color", "kind"], ["parts.kind", "price", "none", "a"]])
    if chance(20) { query.facetingAfterDistinct = chance(60) }
    if chance(20) { query.sortFacetValuesBy = .alphabetical }
    if chance(20) { query.maxValuesPerFacet = int(1..<5) }
    if chance(40) { query.getRankingInfo = true }
    if chance(30) { query.replaceSynonymsInHighlight = true }
    if chance(50) { query.hitsPerPage = pick([0, 1, 2, 5, 100]) }
    if chance(20) { query.page = int(0..<3) }
    if chance(10) { query.offset = int(0..<5) }
    if chance(15) { query.length = int(0..<8) }
    setPlace(&query)
    var request = OracleRequest(query: query)
    try setFilters(&request)
    return request
  }

  private mutating func setPlace(_ query: inout SearchQuery) {
    if chance(30) {
      query.aroundLatLng = Point(latitude: coordinate(), longitude: coordinate())
      query.aroundRadius = pick([
        nil, .all, .meters(pick([11, 12, 15, 60, 111, 112, 11_119, 11_120, 2_000_000, 6_000_000])),
      ])
      if chance(20) { query.minimumAroundRadius = pick([1, 100, 5_000_000]) }
      query.aroundPrecision = pick([
        nil, .meters(pick([1, 25, 100, 100_000])),
        .ranges([.init(from: 0, value: 50), .init(from: 500, value: 1000)]),
      ])
    }
    if chance(10) {
      let boxes = (0..<int(1..<3)).map { _ in
        [-1, -1, 1, 1].map { 1.1 * $0 * abs(coordinate()) }
      }
      query.insideBoundingBox = .value(.boxes(boxes))
    }
  }

  private mutating func setFilters(_ request: inout OracleRequest) throws {
    if chance(25) {
      let groups = filters.groups()
      request.query.filters = groups.text
      request.required.append(groups)
    }
    if chance(12) {
      let groups = filters.groups()
      // Lists cannot express all groups.
      if let lists = try? groups.lists() {
        lists.set(in: &request.query)
        request.required.append(groups)
      }
    }
    if chance(30) {
      request.optional = (0..<int(1..<4)).map { _ in .random(&filters.random) }
      request.query.optionalFilters = try JSON.array(request.optional.map(\.json)).decode()
    }
    if chance(30) { request.query.sumOrFiltersScores = chance(60) }
  }

  /// Filters of records to delete.
  mutating func groups() -> FilterGroups { filters.groups() }
}
