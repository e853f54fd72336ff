@testable import InstantSearchAPI
@testable import InstantSearchJSON
@testable import LocalSearch
import TestSupport
import Testing

/// Explanations of random searches never contradict their answers.
struct ExplanationOracleTests {
  private struct World {
    var world: AnswerWorld
    let engine: LocalSearch
    var records: [OracleRecord] = []
    static let index = "items"

    init(seed: UInt64) async throws {
      world = AnswerWorld(seed: seed)
      let count = world.int(5..<40)
      for number in 0..<count { records.append(world.record(number)) }
      let settings = world.settings()
      engine = try await LocalSearch(
        indexName: Self.index, records: try records.map { try JSON(parsing: $0.json) },
        settings: settings)
      let synonyms = try JSON.array(world.synonyms().map { try JSON(encoding: $0) })
      _ = try await engine.send(
        TransportRequest(
          .synonyms(index: Self.index, .batch), body: Array(synonyms.text.utf8)))
    }

    var ids: [String] { records.map(\.objectID) }

    /// The IDs of the hits of a page.
    func hits(_ query: SearchQuery) async throws -> [String] {
      let response = try await engine.send(
        TransportRequest(
          .search(index: Self.index), body: Array(try JSON(encoding: query).text.utf8)))
      return try JSON(parsing: response.body)["hits"]?.arrayValue?.map(\.id) ?? []
    }

    /// An engine with the same records in many segments.
    func divided() async throws -> LocalSearch {
      let other = engine.clone()
      _ = try await other.send(TransportRequest(.clear(index: Self.index), body: []))
      for record in records {
        _ = try await other.save([JSON(parsing: record.json)], in: Self.index)
      }
      return other
    }

    func explanations(_ query: SearchQuery) async throws -> [Explanation] {
      try await engine.explain(query, in: Self.index, records: ids)
    }
  }

  /// Whether a record's values come before another's.
  private static func precedes(_ left: Explanation, _ right: Explanation) -> Bool {
    let pairs = zip(left.ranking?.criteria ?? [], right.ranking?.criteria ?? [])
    for (first, second) in pairs where first.value != second.value {
      if first.value == .null { return false }
      if second.value == .null { return true }
      return isLess(first.value, second.value) != first.isDescending
    }
    return Array(left.objectID.utf8).lexicographicallyPrecedes(Array(right.objectID.utf8))
  }

  private static func isLess(_ left: JSON, _ right: JSON) -> Bool {
    func kind(_ value: JSON) -> Int {
      if value.boolValue != nil { return 0 }
      return value.stringValue == nil ? 1 : 2
    }
    if kind(left) != kind(right) { return kind(left) < kind(right) }
    if let left = left.stringValue, let right = right.stringValue {
      return Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8))
    }
    if let left = left.boolValue, let right = right.boolValue { return !left && right }
    return left.doubleValue ?? 0 < right.doubleValue ?? 0
  }

  /// The hits are the records without an obstacle, in the order of the explained values.
  @Test(arguments: Seed.all(500, quick: 50)) func valuesGiveThePage(seed: Seed) async throws {
    var world = try await World(seed: seed.value)
    for _ in 0..<4 {
      var query = try world.world.request().query
      query.getRankingInfo = true
      let hits = try await world.hits(query)
      let found = try await world.explanations(query)
      let shown = found.filter { $0.obstacle == nil }
      expectEqual(Set(shown.map(\.objectID)), Set(hits), "\(query)")
      let ranked = found.filter { $0.ranking != nil }
      let sorted = ranked.sorted(by: Self.precedes).map(\.objectID)
      let places = ranked.sorted { $0.ranking?.place ?? 0 < $1.ranking?.place ?? 0 }
      expectEqual(sorted, places.map(\.objectID), "\(query)")
      // The hit before is the last one that its group keeps, and the first value that differs
      // decides.
      var before: Explanation?
      for record in places {
        expectEqual(record.ranking?.previous?.objectID, before?.objectID, "\(query)")
        if let values = record.ranking, let others = before?.ranking {
          let decisive = zip(values.criteria, others.criteria).first {
            Self.isLess($0.value, $1.value) || Self.isLess($1.value, $0.value)
              || ($0.value == .null) != ($1.value == .null)
          }
          expectEqual(values.previous?.criterion?.name, decisive?.1.name, "\(query)")
        }
        if case .distinct? = record.obstacle { continue }
        before = record
      }
    }
  }

  /// The segments of the records make no difference.
  @Test(arguments: Seed.all(500, quick: 30)) func segmentsChangeNothing(seed: Seed) async throws {
    var world = try await World(seed: seed.value)
    let divided = try await world.divided()
    for _ in 0..<3 {
      let query = try world.world.request().query
      let others = try await divided.explain(query, in: World.index, records: world.ids)
      try await expectEqual(world.explanations(query), others, "\(query)")
    }
  }

  /// Without its obstacle, a record is a hit or has a later obstacle.
  @Test(arguments: Seed.all(500, quick: 50)) func obstaclesCanBeTakenAway(
    seed: Seed
  ) async throws {
    var world = try await World(seed: seed.value)
    for _ in 0..<4 {
      let query = try world.world.request().query
      for explanation in try await world.explanations(query) {
        guard let obstacle = explanation.obstacle, let easier = Self.without(obstacle, query)
        else { continue }
        if case .filter(let text) = obstacle {
          // The filter alone keeps the record out. One filter has no parentheses.
          let alone = try await world.engine.explain(
            SearchQuery().with { $0.filters = text }, in: World.index,
            records: [explanation.objectID])[0].obstacle
          expectEqual(Self.bare(alone), Self.bare(obstacle), "\(query)")
        }
        let next = try await world.engine.explain(
          easier, in: World.index, records: [explanation.objectID])[0].obstacle
        let step = next.map(Self.step) ?? .max
        #expect(
          step > Self.step(obstacle) || step == Self.step(obstacle) && next != obstacle,
          "\(explanation), then \(String(describing: next)), \(query), then \(easier)")
      }
    }
  }

  /// The text of a filter, without parentheses around all of it.
  private static func bare(_ obstacle: Explanation.Obstacle?) -> String? {
    guard case .filter(let text)? = obstacle else { return nil }
    return text.hasPrefix("(") && text.hasSuffix(")") ? String(text.dropFirst().dropLast()) : text
  }

  private static func step(_ obstacle: Explanation.Obstacle) -> Int {
    switch obstacle {
    case .noRecord: 0
    case .filter: 1
    case .place: 2
    case .excluded: 3
    case .word: 4
    case .tooFewWords: 5
    case .typos: 6
    case .automaticRadius: 7
    case .distinct: 8
    case .paginationLimit: 9
    case .page: 10
    }
  }

  /// The query without an obstacle, or `nil` if the test cannot take it away.
  private static func without(
    _ obstacle: Explanation.Obstacle, _ query: SearchQuery
  ) -> SearchQuery? {
    var query = query
    switch obstacle {
    case .filter:
      query.filters = nil
      query.facetFilters = nil
      query.numericFilters = nil
      query.tagFilters = nil
    case .place, .automaticRadius:
      query.aroundLatLng = nil
      query.insideBoundingBox = nil
    case .excluded: query.advancedSyntax = false
    case .word(let word, _, _):
      // Only this word, if it is written like this.
      let words = (query.query ?? "").split(separator: " ")
      let others = words.filter { $0.lowercased() != word }
      let text = others.joined(separator: " ")
      query.query =
        others.count == words.count
          || text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " }.contains(word)
        ? "" : text
    case .tooFewWords, .typos: query.query = ""
    case .distinct: query.distinct = .count(0)
    case .page(let place):
      query.offset = nil
      query.length = nil
      query.page = 0
      query.hitsPerPage = place + 1
    case .noRecord, .paginationLimit: return nil
    }
    return query
  }
}
