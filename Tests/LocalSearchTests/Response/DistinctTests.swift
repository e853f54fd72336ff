import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct DistinctTests {
  private static let records: [JSON] = [
    ["objectID": "1", "group": "x", "rank": 1], ["objectID": "2", "group": "y", "rank": 2],
    ["objectID": "3", "group": "x", "rank": 3], ["objectID": "4", "rank": 4],
    ["objectID": "5", "group": "x", "rank": 5], ["objectID": "6", "group": 7.4, "rank": 6],
    ["objectID": "7", "group": "7", "rank": 7], ["objectID": "8", "group": true, "rank": 8],
    ["objectID": "9", "group": true, "rank": 9],
  ]

  private func fixture(_ change: (inout IndexSettings) -> Void = { _ in }) async throws
    -> EngineFixture
  {
    let fixture = try await EngineFixture(
      settings: IndexSettings {
        $0.attributeForDistinct = "group"
        $0.customRanking = ["asc(rank)"]
        change(&$0)
      })
    // Several segments: a group must be one group across them.
    for record in Self.records { try await fixture.engine.save([record], in: EngineFixture.index) }
    return fixture
  }

  @Test(
    arguments: [
      ([:], "123456789", 9), (["distinct": false], "123456789", 9),
      (["distinct": 0], "123456789", 9),
      (["distinct": true], "124689", 6), (["distinct": 1], "124689", 6),
      (["distinct": 2], "13246789", 6), (["distinct": 3], "135246789", 6),
      (["distinct": 2, "hitsPerPage": 2], "132", 6),
      (["distinct": 2, "hitsPerPage": 2, "page": 1], "467", 6),
      (["distinct": true, "offset": 1, "length": 2], "24", 6),
    ] as [(JSON, String, Int)])
  func groupsKeepTheirBestMembers(parameters: JSON, ids: String, hitCount: Int) async throws {
    let answer = try await fixture().search(parameters)
    expectEqual(answer["hits"]?.arrayValue?.map(\.id).joined(), ids)
    expectEqual(answer["nbHits"]?.intValue, hitCount)
  }

  @Test func everyHitHasItsPositionInItsGroup() async throws {
    let answer = try await fixture().search(["distinct": 3])
    let places = answer["hits"]?.arrayValue?.compactMap { $0["_distinctSeqID"]?.intValue }
    expectEqual(places, [0, 1, 2, 0, 0, 0, 1, 0, 0])
    let ungrouped = try await fixture().search()
    #expect(ungrouped["hits"]?[0]?["_distinctSeqID"] == nil)
  }

  @Test func settingAppliesAndTheQueryOverridesIt() async throws {
    let fixture = try await fixture { $0.distinct = true }
    try await expectEqual(fixture.search()["nbHits"], 6)
    try await expectEqual(fixture.search(["distinct": false])["nbHits"], 9)
  }

  @Test func withoutAnAttributeNothingIsGrouped() async throws {
    let fixture = try await fixture { $0.attributeForDistinct = nil }
    try await expectEqual(fixture.search(["distinct": 2])["nbHits"], 9)
  }

  /// Lists are equal if they have equal values in the same order, in one segment and in several.
  @Test(arguments: [false, true])
  func arraysFormGroups(inOneSegment: Bool) async throws {
    let values: [(JSON?, group: Int)] = [
      (["a", "b"], 0), ("a", 1), (["a"], 1), (["b", "a"], 2), (["a", "b"], 0), (["ab"], 3),
      (["a", "b", "c"], 4), ([["a", ["b"]]], 0), (["a", true, .null, "b"], 0), ([], 5), ([], 6),
      ([true, .null], 7), ([1.2, "b"], 8), (["1", "b"], 8), (["a", ["x": "b"]], 1), (nil, 9),
      ("\u{0}\u{2}a\u{0}\u{2}b", 10), (["a\u{0}\u{2}b"], 11), ("", 12), (["", ""], 13), ([""], 12),
      (["e\u{301}", "b"], 14), (["\u{e9}", "b"], 14), (["a", "a"], 15),
    ]
    let records = values.enumerated().map { number, value -> JSON in
      var record: JSON = ["objectID": .string("\(number)"), "rank": .int(Int64(number))]
      record["speakers"] = value.0
      return record
    }
    let settings = IndexSettings {
      $0.attributeForDistinct = "speakers"
      $0.customRanking = ["asc(rank)"]
    }
    let fixture = try await EngineFixture(inOneSegment ? records : [], settings: settings)
    if !inOneSegment {
      for record in records { try await fixture.engine.save([record], in: EngineFixture.index) }
    }
    var seen: Set<Int> = []
    let expected = values.indices.filter { seen.insert(values[$0].group).inserted }
    let answer = try await fixture.search(["distinct": true, "hitsPerPage": 100])
    expectEqual(answer["hits"]?.arrayValue?.compactMap { Int($0.id) }, expected)
    expectEqual(answer["nbHits"]?.intValue, expected.count)
  }

  /// The values below the elements of an array are a list too.
  @Test func attributesOfElementsFormGroups() async throws {
    let names: [[JSON]] = [["x", "y"], ["x"], ["x", "y"], ["y", "x"], ["x"]]
    let records = names.enumerated().map { number, names -> JSON in
      [
        "objectID": .string("\(number)"),
        "authors": .array(names.map { ["name": $0, "age": .int(Int64(number))] }),
      ]
    }
    let fixture = try await EngineFixture(
      records, settings: IndexSettings { $0.attributeForDistinct = "authors.name" })
    try await expectEqual(fixture.ids(["distinct": true]), ["0", "1", "3"])
    try await expectEqual(
      fixture.ids(["distinct": 2, "hitsPerPage": 500]), ["0", "2", "1", "4", "3"])
  }

  @Test func moreThanAThousandHitsOfGroupsAreRejected() async throws {
    let fixture = try await fixture()
    try await expectEqual(
      fixture.refusal(["distinct": 4, "hitsPerPage": 251]),
      "invalid distinct value, hitsPerPage * distinct should be <= 1000")
    for parameters in [
      ["distinct": 4, "hitsPerPage": 250], ["distinct": true, "hitsPerPage": 1000],
    ] as [JSON] {
      #expect(try await fixture.search(parameters)["hits"] != nil)
    }
  }

  @Test func moreThanFourMembersAreRejected() async throws {
    try await expectEqual(
      fixture().refusal(["distinct": 5]),
      "Invalid value for \"distinct\" parameter, expected boolean or integer between 0 and 4,"
        + " got 5")
  }

  @Test(arguments: Seed.all(6))
  func pagesOfGroupsEqualGroupingTheWholeOrder(seed: Seed) async throws {
    var random = RandomRecords(seed: seed.value)
    var settings = RandomRecords.settings
    settings.attributeForDistinct = "label"
    settings.customRanking = ["desc(price)"]
    let (fixture, records) = try await random.fixture(300, settings: settings)
    let labels = Dictionary(
      uniqueKeysWithValues: records.map { ($0.id, $0["label"]?.stringValue ?? "alone \($0.id)") })
    for query in ["", "label", "label 1"] as [JSON] {
      var groups: [String] = []
      var members: [String: [String]] = [:]
      for id in try await fixture.ids(["query": query]) {
        let label = labels[id] ?? ""
        if members[label] == nil { groups.append(label) }
        members[label, default: []].append(id)
      }
      for size in 1...3 {
        for (page, hitsPerPage) in [(0, 3), (1, 5), (4, 7), (0, 300)] {
          let answer = try await fixture.search([
            "query": query, "distinct": .int(Int64(size)), "page": .int(Int64(page)),
            "hitsPerPage": .int(Int64(hitsPerPage)), "attributesToHighlight": [],
          ])
          let expected = groups.dropFirst(page * hitsPerPage).prefix(hitsPerPage)
            .flatMap { members[$0, default: []].prefix(size) }
          expectEqual(answer["hits"]?.arrayValue?.map(\.id), expected, "seed \(seed.value)")
          expectEqual(answer["nbHits"]?.intValue, groups.count)
        }
      }
    }
  }
}
