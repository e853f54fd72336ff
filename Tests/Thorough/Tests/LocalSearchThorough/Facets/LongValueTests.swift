@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Facet values and groups that are long, many, or in several Unicode forms.
struct LongValueTests {
  private static let configuration: LocalSearch.Configuration = {
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 64
    return configuration
  }()

  /// The number of checks of a call.
  private static func checks(
    _ fixture: EngineFixture, _ method: Endpoint.Method, _ path: [String], _ body: JSON
  ) async throws -> Int {
    let clock = CountingClock()
    let response = try await fixture.engine.send(
      TransportRequest(
        method: method, pathComponents: ["1", "indexes", EngineFixture.index] + path,
        body: Array(body.text.utf8), callType: path == ["batch"] ? .write : .read,
        deadline: clock.deadline(atCheck: nil)))
    expectEqual(response.status, 200)
    return clock.reads
  }

  /// A letter and its accent are three bytes, and a step is 64 bytes.
  private static let value = JSON.string(String(repeating: "e\u{301}", count: 1000))

  /// The number of additional checks for reading this many records with one value with these
  /// settings, compared with settings that do not read it.
  private static func checksAdded(
    count: Int, by change: (inout IndexSettings) -> Void
  ) async throws -> Int {
    let plain = IndexSettings { $0.searchableAttributes = ["other"] }
    var settings = plain
    change(&settings)
    var checks: [Int] = []
    for settings in [plain, settings] {
      let fixture = try await EngineFixture(settings: settings, configuration: configuration)
      let requests = (0..<count).map { number in
        [
          "action": "addObject", "body": ["objectID": .string("\(number)"), "value": value],
        ] as JSON
      }
      checks.append(
        try await Self.checks(fixture, .post, ["batch"], ["requests": .array(requests)]))
    }
    return checks[1] - checks[0]
  }

  @Test func aLongFacetValueIsCountedByItsLength() async throws {
    let added = try await Self.checksAdded(count: 100) { $0.attributesForFaceting = ["value"] }
    // Each value takes 47 of the 64 steps between two checks.
    #expect(added >= 25, "\(added)")
  }

  @Test func aLongGroupIsCountedByItsLength() async throws {
    let added = try await Self.checksAdded(count: 100) { $0.attributeForDistinct = "value" }
    // Each value takes 47 of the 64 steps between two checks.
    #expect(added >= 25, "\(added)")
  }

  @Test func everyRecordOfAGroupedSearchIsCounted() async throws {
    let count = 3200
    let fixture = try await EngineFixture(
      (0..<count).map { ["objectID": .string("\($0)"), "group": .string("g\($0 % 1600)")] },
      settings: IndexSettings { $0.attributeForDistinct = "group" },
      configuration: Self.configuration)
    let body: JSON = ["attributesToRetrieve": [], "attributesToHighlight": []]
    var grouped = body
    grouped["distinct"] = 1
    // The groups are numbered by the first search.
    _ = try await Self.checks(fixture, .post, ["query"], grouped)
    let added =
      try await Self.checks(fixture, .post, ["query"], grouped)
      - Self.checks(fixture, .post, ["query"], body)
    #expect(added >= count / 64 - 5, "\(added)")
  }

  @Test func numbersOfStatisticsAreCounted() async throws {
    let count = 6400
    let fixture = try await EngineFixture(
      [["objectID": "1", "size": .array((0..<count).map { .int(Int64($0 * 7919 % count)) })]],
      settings: IndexSettings { $0.attributesForFaceting = ["size"] },
      configuration: Self.configuration)
    let body: JSON = ["attributesToRetrieve": [], "attributesToHighlight": []]
    var counted = body
    counted["facets"] = ["size"]
    let added =
      try await Self.checks(fixture, .post, ["query"], counted)
      - Self.checks(fixture, .post, ["query"], body)
    #expect(added >= count / 64, "\(added)")
  }

  @Test func everyDocumentOfACountIsCounted() async throws {
    let count = 3200
    var configuration = Self.configuration
    configuration.checkInterval = 1
    let fixture = try await EngineFixture(
      // Fewer values with fewer documents each would be counted by value.
      (0..<count).map {
        ["objectID": .string("\($0)"), "rank": .int(Int64($0)), "size": .int(Int64($0 % 320))]
      },
      settings: IndexSettings { $0.attributesForFaceting = ["size"] },
      configuration: configuration)
    func checks(documents: Int, _ facets: JSON) async throws -> Int {
      try await Self.checks(
        fixture, .post, ["query"],
        [
          "filters": .string("rank < \(documents)"), "facets": facets, "attributesToRetrieve": [],
          "attributesToHighlight": [],
        ])
    }
    func cost(ofCounting documents: Int) async throws -> Int {
      try await checks(documents: documents, ["size"]) - checks(documents: documents, [])
    }
    // There is a check for every 64 documents, in the set or outside it.
    for documents in [400, 1500, 2800] {
      let cost = try await cost(ofCounting: documents)
      #expect(cost >= count / 64, "\(cost) for \(documents)")
    }
  }

  @Test func aFilterForALongValueIsCountedByTheLength() async throws {
    let length = 100_000
    let value = String(repeating: "Ab", count: length / 2)
    let fixture = try await EngineFixture(
      [["objectID": "1", "value": .array([.string(value), .string(value + "c")])]],
      settings: IndexSettings { $0.attributesForFaceting = ["value"] },
      configuration: Self.configuration)
    func checks(_ value: String) async throws -> Int {
      try await Self.checks(
        fixture, .post, ["query"],
        [
          "facetFilters": [.string("value:" + value)], "attributesToRetrieve": [],
          "attributesToHighlight": [],
        ])
    }
    let added = try await checks(value) - checks("x")
    #expect(added >= length / 64 / 64, "\(added)")
  }

  // MARK: Forms

  @Test func unicodeFormsOfAGroupAreOneGroup() async throws {
    let records: [JSON] = [
      ["objectID": "1", "group": "caf\u{e9}"], ["objectID": "2", "group": "cafe\u{301}"],
      ["objectID": "3", "group": "cafe"], ["objectID": "4", "group": "caf\u{e9}"],
      ["objectID": "5", "group": "K"], ["objectID": "6", "group": "\u{212a}"],
      ["objectID": "7", "group": 12], ["objectID": "8", "group": "12"], ["objectID": "9"],
    ]
    let settings = IndexSettings { $0.attributeForDistinct = "group" }
    let whole = try await EngineFixture(records, settings: settings)
    let parts = try await EngineFixture(settings: settings)
    for record in records { try await parts.engine.save([record], in: EngineFixture.index) }
    for fixture in [whole, parts] {
      try await expectEqual(fixture.ids(["distinct": 1]), ["1", "3", "5", "7", "9"])
      try await expectEqual(
        fixture.ids(["distinct": 4, "hitsPerPage": 250]),
        ["1", "2", "4", "3", "5", "6", "7", "8", "9"])
      try await expectEqual(fixture.search(["distinct": 1, "hitsPerPage": 1])["nbHits"], 5)
    }
  }

  /// A text of several pieces is lowercased as a whole.
  @Test(arguments: [700, 1023, 1024, 1025, 3000]) func longValuesAreFoundInAnyCase(
    length: Int
  ) async throws {
    let value = String(repeating: "\u{c4}e\u{301}\u{3a3}\u{130}Z", count: length / 5 + 1)
    let fixture = try await EngineFixture(
      [["objectID": "1", "value": .string(value)]],
      settings: IndexSettings { $0.attributesForFaceting = ["value"] })
    for text in [value, value.lowercased()] {
      try await expectEqual(fixture.ids(["facetFilters": [.string("value:" + text)]]), ["1"])
    }
    let other = ["facetFilters": [.string("value:" + value + "z")]] as JSON
    #expect(try await fixture.ids(other).isEmpty)
  }
}
