@testable import AsyncInstantSearchTesting
@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Records of few different words, so that each word and each prefix is frequent and most of the
/// ranking is by sets of documents.
struct FrequentWordsTests {
  private struct World {
    var generator: SeededGenerator
    static let words = ["ab", "abc", "abca", "ba", "bab", "cab", "ca", "acb", "bbb", "ccc", "cc"]

    mutating func int(_ range: ClosedRange<Int>) -> Int {
      Int.random(in: range, using: &generator)
    }

    mutating func word() -> String {
      // The first words are more frequent.
      Self.words[min(int(0...Self.words.count - 1), int(0...Self.words.count - 1))]
    }

    mutating func text(_ count: ClosedRange<Int>) -> String {
      (0..<int(count)).map { _ in word() }.joined(separator: " ")
    }

    mutating func record(_ number: Int) -> OracleRecord {
      OracleRecord(
        objectID: "\(number)",
        texts: [
          ("name", [text(1...3)]), ("tags", (0..<int(0...2)).map { _ in text(1...2) }),
          ("text", [text(2...12)]),
        ].filter { !$0.1.isEmpty }, rank: int(0...9), score: int(0...2))
    }

    mutating func query() -> SearchQuery {
      var words = (0..<int(1...3)).map { _ in word() }
      if int(0...1) == 0, let last = words.popLast() {
        words.append(String(last.prefix(int(1...3))))
      }
      var query = SearchQuery(words.joined(separator: " "))
      if int(0...1) == 0 { query.typoTolerance = .enabled(false) }
      if int(0...4) == 0 { query.minProximity = int(1...7) }
      if int(0...4) == 0 { query.exactOnSingleWordQuery = .word }
      return query
    }

    mutating func settings() -> IndexSettings {
      let lists = [
        ["name", "tags", "text"], ["unordered(name)", "text"], ["name,tags", "text"],
        ["tags,unordered(text)", "name"], [],
      ]
      let rankings = [
        nil, nil, ["typo", "proximity", "attribute", "custom"],
        ["attribute", "exact", "typo", "custom"], ["exact", "attribute", "custom"],
      ]
      let (list, ranking) = (lists[int(0...4)], rankings[int(0...4)])
      let custom = [["desc(rank)"], [], ["asc(score)", "desc(rank)"]][int(0...2)]
      return IndexSettings {
        $0.searchableAttributes = list
        $0.customRanking = custom
        if let ranking { $0.ranking = ranking }
      }
    }
  }

  @Test(arguments: Seed.all(60, quick: 8))
  func theFirstHitsAreThoseOfTheWholeOrder(seed: Seed) throws {
    var world = World(generator: SeededGenerator(seed: seed.value))
    let settings = world.settings()
    let records = (0..<world.int(150...700)).map { world.record($0) }
    var snapshot = IndexSnapshot.empty(settings: settings)
    let step = world.int(100...700)
    for start in stride(from: 0, to: records.count, by: step) {
      snapshot = try snapshot.applying(
        records[start...].prefix(step).map { .put(objectID: $0.objectID, record: $0.json) })
    }
    // Some documents are in the sets and deleted.
    let kept = records.filter { _ in world.int(0...9) > 0 }
    let deleted = Set(records.map(\.objectID)).subtracting(kept.map(\.objectID))
    snapshot = try snapshot.applying(deleted.map { .delete(objectID: $0) })
    for number in 0..<8 {
      let query = world.query()
      let all = try EngineSearch.results(query, in: snapshot)
      if number == 0 {
        let expected = try OracleSearch(kept, query: query, settings: settings).results()
        expectEqual(all, expected, "query \(query), settings \(settings)")
      }
      for limit in [1, 5, 20, 70] {
        try expectEqual(
          EngineSearch.results(query, in: snapshot, limit: limit), Array(all.prefix(limit)),
          "limit \(limit), query \(query), settings \(settings)")
      }
    }
  }

  /// Searches at the same time make the sets of the same words, and of more words than there is
  /// room for.
  @Test(arguments: Seed.all(10, quick: 3))
  func searchesAtTheSameTimeShareTheSets(seed: Seed) async throws {
    var world = World(generator: SeededGenerator(seed: seed.value))
    let records = (0..<300).map { world.record($0) }
    let snapshot = try IndexSnapshot.empty(settings: world.settings()).applying(
      records.map { .put(objectID: $0.objectID, record: $0.json) })
    let queries = (0..<40).map { _ in world.query() }
    // In an index of its own each query makes all sets that it needs.
    let expected = try queries.map { query in
      let alone = try IndexSnapshot.empty(settings: snapshot.settings).applying(
        records.map { .put(objectID: $0.objectID, record: $0.json) })
      return try EngineSearch.results(query, in: alone, limit: 5)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          for number in queries.indices {
            let number = (number + 7 * task) % queries.count
            let found = try EngineSearch.results(queries[number], in: snapshot, limit: 5)
            expectEqual(found, expected[number], "seed \(seed.value): \(queries[number])")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
