import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Why a record ranks where it does, or is no hit.
struct ExplanationTests {
  private func clothes(_ synonyms: [Synonym] = []) async throws -> LocalSearch {
    try await LanguageFixture.clothes(synonyms).fixture.engine
  }

  private func explain(
    _ engine: LocalSearch, _ query: SearchQuery, _ ids: String...
  ) async throws -> [Explanation] {
    try await engine.explain(query, in: EngineFixture.index, records: ids)
  }

  private func obstacle(
    _ id: String, _ query: SearchQuery, in engine: LocalSearch? = nil
  ) async throws -> Explanation.Obstacle? {
    let engine = if let engine { engine } else { try await clothes() }
    let found = try await explain(engine, query, id)
    #expect(found.count == 1 && found[0].objectID == id)
    return found[0].obstacle
  }

  // MARK: Hits

  @Test func aHitHasTheValuesThatWereCompared() async throws {
    let synonym = Synonym("1", .equivalent(["pants", "trousers"]))
    let found = try await explain(
      clothes([synonym]),
      SearchQuery("red pants").setting(\.filters, to: "brand:Bolt OR brand:Acme"), "p3")
    let ranking = try #require(found.first?.ranking)
    #expect(found.first?.obstacle == nil && ranking.place == 0 && ranking.previous == nil)
    expectEqual(
      ranking.criteria.map { "\($0.name) \($0.value.text)" },
      [
        "typo 0", "words 2", "filters 0", "proximity 1", "attribute 0", "exact 2",
        "asc(price) 40",
      ])
    expectEqual(
      ranking.words.map { "\($0.query) \($0.kind) \($0.words) \($0.attribute) \($0.position)" },
      [
        #"["red"] original ["red"] name 0"#, #"["pants"] synonym ["trousers"] name 1"#,
      ])
  }

  @Test func theRecordBeforeIsToldWithWhatDecides() async throws {
    let found = try await explain(clothes(), SearchQuery("shirt"), "p5", "p2", "p1")
    expectEqual(found.map { $0.ranking?.place }, [0, 1, 2])
    expectEqual(
      found.dropFirst().map { $0.ranking?.previous?.objectID }, ["p5", "p2"])
    expectEqual(found[2].ranking?.previous?.criterion?.name, "asc(price)")
    expectEqual(found[2].ranking?.previous?.criterion?.value, 15)
    #expect(found[2].description.contains("asc(price)  20  after p2 with 15"), "\(found[2])")
  }

  @Test func theRecordBeforeIsAHit() async throws {
    let engine = try await LanguageFixture(
      records: (1...4).map { number in
        [
          "objectID": .string("\(number)"), "name": "film",
          "group": .string(number < 3 ? "a" : "b"),
        ]
      }
    ) { $0.attributeForDistinct = "group" }.fixture.engine
    let query = SearchQuery("film").setting(\.distinct, to: .enabled(true))
    let found = try await explain(engine, query, "1", "2", "3", "4")
    expectEqual(found.map(\.obstacle), [nil, .distinct(of: "1"), nil, .distinct(of: "3")])
    expectEqual(found[2].ranking?.previous?.objectID, "1")
    expectEqual(found[3].ranking?.previous?.objectID, "3")
  }

  /// The ranking compares bytes, not characters.
  @Test func canonicallyEqualTextsAreDifferentValues() async throws {
    let engine = try await LanguageFixture(
      records: [
        ["objectID": "1", "name": "film", "t": "\u{E9}"],
        ["objectID": "2", "name": "film", "t": "e\u{301}"],
      ]
    ) { $0.customRanking = ["asc(t)"] }.fixture.engine
    let found = try await explain(engine, SearchQuery("film"), "2", "1")
    expectEqual(found.map { $0.ranking?.place }, [0, 1])
    expectEqual(found[1].ranking?.previous?.criterion?.name, "asc(t)")
  }

  @Test func theNearestWordIsAmongAllWords() async throws {
    let words = (0..<1200).map { "aaa\($0)" }.joined(separator: " ")
    let engine = try await LanguageFixture(
      records: [["objectID": "1", "name": .string(words + " zebra"), "n": 12_345, "b": true]]
    ).fixture.engine
    let query = SearchQuery().setting(\.typoTolerance, to: false)
    for (word, nearest) in [("zebrx", "zebra"), ("12346", "12345"), ("trux", "true")] {
      var query = query
      query.query = word
      try await expectEqual(
        obstacle("1", query, in: engine), .word(word, nearest: nearest, attribute: nil))
    }
  }

  @Test func filtersWithAScoreAreTold() async throws {
    let query = SearchQuery("shirt").setting(
      \.optionalFilters, to: .group([.filter("brand:Acme"), .filter("color:blue")]))
    let found = try await explain(clothes(), query, "p1")
    expectEqual(found[0].ranking?.filters.count, 1)
  }

  // MARK: Other records

  @Test func theFirstObstacleIsTold() async throws {
    try await expectEqual(obstacle("none", SearchQuery("shirt")), .noRecord)
    let filtered = SearchQuery("zzz").setting(\.filters, to: "brand:Bolt AND color:red")
    try await expectEqual(obstacle("p1", filtered), .filter(#""brand":"Bolt""#))
    try await expectEqual(obstacle("p4", filtered), .filter(#""color":"red""#))
    try await expectEqual(
      obstacle("p3", filtered), .word("zzz", nearest: nil, attribute: nil))
    try await expectEqual(
      obstacle("p1", SearchQuery("red trouzzers")),
      .word("trouzzers", nearest: nil, attribute: nil))
    try await expectEqual(
      obstacle("p3", SearchQuery("trowsrs").setting(\.typoTolerance, to: false)),
      .word("trowsrs", nearest: "trousers", attribute: nil))
    try await expectEqual(
      obstacle("p5", SearchQuery("green")), .word("green", nearest: nil, attribute: "color"))
    try await expectEqual(
      obstacle("p1", SearchQuery("shirt -red").setting(\.advancedSyntax, to: true)),
      .excluded("red"))
    try await expectEqual(
      obstacle(
        "p1", SearchQuery("shirt").setting(\.aroundLatLng, to: Point(latitude: 1, longitude: 1))),
      .place)
  }

  @Test func optionalWordsAndTyposAreObstacles() async throws {
    let engine = try await EngineFixture([
      ["objectID": "0", "name": "pants"], ["objectID": "1", "name": "pants shirt"],
      ["objectID": "2", "name": "plants"], ["objectID": "3", "name": "hat"],
    ]).engine
    let optional = SearchQuery("pants shoes").setting(
      \.removeWordsIfNoResults, to: .allOptional)
    try await expectEqual(obstacle("3", optional, in: engine), .tooFewWords(0, required: 1))
    let fewest = SearchQuery("pants").setting(\.typoTolerance, to: .min)
    try await expectEqual(obstacle("2", fewest, in: engine), .typos(1, allowed: 0))
    try await expectEqual(obstacle("0", fewest, in: engine), nil)
  }

  @Test func groupsLimitsAndPagesAreObstacles() async throws {
    let engine = try await clothes()
    var query = SearchQuery("shirt").setting(\.hitsPerPage, to: 1)
    try await expectEqual(obstacle("p2", query, in: engine), .page(place: 1))
    query.page = 1
    try await expectEqual(obstacle("p2", query, in: engine), nil)
    let settings = IndexSettings {
      $0.searchableAttributes = ["name"]
      $0.customRanking = ["asc(price)"]
      $0.attributeForDistinct = "brand"
      $0.distinct = true
      $0.paginationLimitedTo = 1
    }
    try await engine.setSettings(settings, of: EngineFixture.index)
    try await expectEqual(
      obstacle("p2", SearchQuery("shirt"), in: engine), .distinct(of: "p5"))
    try await expectEqual(
      obstacle("p3", SearchQuery(""), in: engine), .distinct(of: "p4"))
    try await expectEqual(
      obstacle("p4", SearchQuery(""), in: engine), .paginationLimit(place: 1, limit: 1))
  }

  @Test func wrongCallsAreErrors() async throws {
    let engine = try await clothes()
    let missing = await #expect(throws: SearchError.self) {
      try await engine.explain(SearchQuery(), in: "none", records: ["a"])
    }
    expectEqual(missing?.code, .indexNotFound)
    let many = await #expect(throws: SearchError.self) {
      try await engine.explain(
        SearchQuery(), in: EngineFixture.index, records: Array(repeating: "a", count: 1001))
    }
    #expect(many?.message.contains("at most 1000") == true)
  }
}
