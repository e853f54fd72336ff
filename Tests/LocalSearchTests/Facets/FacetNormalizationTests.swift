@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// Facet values that look alike or are nearly equal, in one write and in many.
struct FacetNormalizationTests {
  private static let composed = "caf\u{e9}"
  private static let decomposed = "cafe\u{301}"
  private static let settings = IndexSettings {
    $0.attributesForFaceting = ["searchable(place)", "size"]
  }

  /// The same records in one write, and in one write per record.
  private static func fixtures(
    _ records: [JSON], _ settings: IndexSettings = settings
  ) async throws -> [EngineFixture] {
    let whole = try await EngineFixture(records, settings: settings)
    let parts = try await EngineFixture(settings: settings)
    for record in records { try await parts.engine.save([record], in: EngineFixture.index) }
    let reversed = try await EngineFixture(settings: settings)
    for record in records.reversed() {
      try await reversed.engine.save([record], in: EngineFixture.index)
    }
    return [whole, parts, reversed]
  }

  private static func body(_ fixture: EngineFixture, _ parameters: JSON) async throws -> String {
    let response = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
        body: Array(parameters.text.utf8), callType: .read))
    return String(decoding: response.body, as: UTF8.self)
  }

  // MARK: Unicode forms

  private static let places: [JSON] = [
    ["objectID": "1", "place": .string(decomposed)], ["objectID": "2", "place": .string(composed)],
    ["objectID": "3", "place": .array([.string(composed), .string(decomposed)])],
    ["objectID": "4", "place": "cafes"], ["objectID": "5", "place": "caff"],
    ["objectID": "6", "place": .string(decomposed), "_tags": .string(decomposed)],
    ["objectID": "7", "_tags": .string(composed)],
  ]

  @Test func unicodeFormsOfAValueAreCountedTogether() async throws {
    for fixture in try await Self.fixtures(Self.places) {
      let answer = try await Self.body(
        fixture,
        ["facets": ["place"], "responseFields": ["facets"], "sortFacetValuesBy": "alpha"])
      let expected = #"{"facets":{"place":{"cafes":1,"caff":1,"\#(Self.composed)":4}}}"#
      #expect(answer.utf8.elementsEqual(expected.utf8), "\(answer)")
      let all = try await fixture.call(
        .post, [EngineFixture.index, "facets", "place", "query"], ["facetQuery": "café"])
      expectEqual(all.body["facetHits"]?[0]?["count"], 4)
    }
  }

  @Test func aFilterFindsEveryUnicodeForm() async throws {
    for fixture in try await Self.fixtures(Self.places) {
      for text in [Self.composed, Self.decomposed, "CAFE\u{301}", "CAF\u{c9}"] {
        try await expectEqual(fixture.ids(filters: "place:\(text)"), ["1", "2", "3", "6"])
      }
      for tag in [Self.composed, Self.decomposed] {
        try await expectEqual(fixture.ids(filters: "_tags:\(tag)"), ["6", "7"])
      }
      #expect(try await fixture.ids(filters: "_tags:CAF\u{c9}").isEmpty)
    }
  }

  // MARK: Numbers

  private static let sizes: [JSON] = [
    ["objectID": "1", "size": 9_007_199_254_740_992],
    ["objectID": "2", "size": 9_007_199_254_740_993],
    ["objectID": "3", "size": .uint(18_446_744_073_709_551_615)],
    ["objectID": "4", "size": .uint(18_446_744_073_709_551_614)],
    ["objectID": "5", "size": -9_007_199_254_740_993], ["objectID": "6", "size": 12],
    ["objectID": "7", "size": 12.5], ["objectID": "8", "size": "12"],
  ]

  @Test func largeIntegersKeepTheirDigits() async throws {
    for fixture in try await Self.fixtures(Self.sizes) {
      let facets = try await fixture.search(["facets": ["size"]])["facets"]?["size"]
      expectEqual(
        facets,
        [
          "9007199254740992": 1, "9007199254740993": 1, "18446744073709551615": 1,
          "18446744073709551614": 1, "-9007199254740993": 1, "12": 2, "12.5": 1,
        ])
    }
  }

  @Test(arguments: [
    ("9007199254740993", "2"), ("+9007199254740993", "2"), ("009007199254740993", "2"),
    ("9007199254740993.0", "2"), ("9007199254740.993e3", "2"), ("9007199254740992", "1"),
    ("18446744073709551615", "3"), ("1.8446744073709551614e19", "4"),
    ("\\-9007199254740993", "5"), ("12.0", "6"), ("1.25e1", "7"), ("12", "68"),
  ])
  func filterFindsANumberInAnySpelling(text: String, ids: String) async throws {
    for fixture in try await Self.fixtures(Self.sizes) {
      let found = try await fixture.ids(["facetFilters": [.string("size:" + text)]])
      expectEqual(found.sorted().joined(), ids)
    }
  }

  @Test func equalNumbersAreOneFacetValue() async throws {
    let fixture = try await EngineFixture(settings: Self.settings)
    let numbers = ["12", "12.0", "1.2e1", "-0.0", "0"]
    for (number, text) in numbers.enumerated() {
      try await fixture.engine.load(
        Array(#"{"objectID":"\#(number)","size":\#(text)}"#.utf8), into: EngineFixture.index)
    }
    let answer = try await Self.body(
      fixture, ["facets": ["size"], "responseFields": ["facets", "facets_stats"]])
    expectEqual(
      answer,
      #"{"facets":{"size":{"12":3,"0":2}},"#
        + #""facets_stats":{"size":{"min":0,"max":12,"avg":7.2,"sum":36}}}"#)
  }

  @Test func statisticsDoNotDependOnTheWrites() async throws {
    let records = (0..<60).map { number in
      [
        "objectID": .string("\(number)"), "size": .double(0.1 * Double(number % 23) + 1e9),
      ] as JSON
    }
    let parameters: JSON = ["facets": ["size"], "responseFields": ["facets", "facets_stats"]]
    var answers: Set<String> = []
    for fixture in try await Self.fixtures(records) {
      answers.insert(try await Self.body(fixture, parameters))
    }
    let parts = try await EngineFixture(settings: Self.settings)
    for start in stride(from: 0, to: 60, by: 7) {
      try await parts.engine.save(
        Array(records[start..<min(start + 7, 60)]), in: EngineFixture.index)
    }
    answers.insert(try await Self.body(parts, parameters))
    expectEqual(answers.count, 1)
  }

  // MARK: Order

  @Test func orderByAFacetDoesNotDependOnTheWrites() async throws {
    let records: [JSON] = [
      ["objectID": "a", "size": "large"], ["objectID": "b", "size": 3],
      ["objectID": "c", "size": 1],
      ["objectID": "d", "size": "extra"], ["objectID": "e", "size": ["x", 2]],
      ["objectID": "f", "size": [4, 5]], ["objectID": "g", "size": true], ["objectID": "h"],
    ]
    for fixture in try await Self.fixtures(records) {
      try await expectEqual(fixture.ids(["ranking": ["asc(size)"]]).joined(), "cebdagfh")
    }
  }
}
