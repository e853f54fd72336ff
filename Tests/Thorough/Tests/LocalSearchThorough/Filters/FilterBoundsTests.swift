@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// Many filters, points and boxes: bounded, equal to a linear scan, and ended by a deadline.
struct FilterBoundsTests {
  private static func strings(_ texts: some Sequence<String>) -> JSON {
    .array(texts.map { .string($0) })
  }

  private static let records: [JSON] = (0..<300).map { (number: Int) -> JSON in
    let prices: [JSON] = [.int(Int64(number)), .int(Int64(number * 7 % 300))]
    let place: JSON = ["lat": .int(Int64(number % 20)), "lng": .int(Int64(number / 20))]
    return [
      "objectID": .string("\(number)"), "brand": .string("brand\(number % 60)"),
      "price": .array(prices), "_geoloc": place,
    ]
  }

  private static func fixture(interval: Int? = nil) async throws -> EngineFixture {
    var configuration = LocalSearch.Configuration()
    if let interval { configuration.checkInterval = interval }
    return try await EngineFixture(
      records, settings: IndexSettings(attributesForFaceting: ["brand"]),
      configuration: configuration)
  }

  @Test func atMostTenThousandFiltersAreAccepted() async throws {
    let fixture = try await Self.fixture()
    let most = Self.strings((0..<10_000).map { "brand:brand\($0)" })
    for name in ["optionalFilters", "facetFilters"] {
      #expect(try await fixture.refusal([name: most] as JSON) == nil)
      try await expectEqual(
        fixture.refusal([name: most, "numericFilters": "price=1"] as JSON),
        "Too many filters: expected at most 10000 in all parameters of a query together")
    }
    let text = (0..<10_001).map { "a:\($0)" }.joined(separator: " OR ")
    #expect(try await fixture.refusal(["filters": .string(text)])?.hasPrefix("Too many") == true)
    let long = "a:\"" + String(repeating: "x", count: 1 << 20) + "\""
    #expect(
      try await fixture.refusal(["filters": .string(long)])?.contains("at most 1048576 bytes")
        == true)
  }

  @Test func pointsAndBoxesAreBounded() async throws {
    let fixture = try await Self.fixture()
    var numbers: [JSON] = []
    for step in 0..<5_001 { numbers += [.int(Int64(step % 80)), .int(Int64(step % 70))] }
    let polygon = JSON.array(numbers)
    #expect(try await fixture.refusal(["insidePolygon": [polygon]]) == nil)
    #expect(
      try await fixture.refusal(["insidePolygon": [polygon, polygon]])?.contains("10000 points")
        == true)
    let boxes = JSON.array(Array(repeating: [0, 0, 1, 1], count: 1001))
    #expect(
      try await fixture.refusal(["insideBoundingBox": boxes])?.contains("1000 boxes") == true)
  }

  /// A search with many filters ends with its deadline, at a proportional number of checks.
  @Test(arguments: ["optionalFilters", "facetFilters", "numericFilters", "insidePolygon"])
  func searchWithManyFiltersChecksItsDeadline(name: String) async throws {
    let fixture = try await Self.fixture(interval: 64)
    func value(_ count: Int) -> JSON {
      switch name {
      case "numericFilters": return .array([Self.strings((0..<count).map { "price != \($0)" })])
      case "insidePolygon":
        var numbers: [JSON] = []
        for step in 0..<count {
          numbers += [.int(Int64(step % 2 * 30)), .double(Double(step) / 100)]
        }
        return .array([.array(numbers)])
      default: return .array([Self.strings((0..<count).map { "brand:brand\($0 % 70)" })])
      }
    }
    func checks(_ count: Int, endingAt last: Int?) async throws -> Int {
      let clock = CountingClock()
      let deadline = clock.deadline(atCheck: last)
      let response = try await fixture.engine.send(
        TransportRequest(
          method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
          body: Array(([name: value(count), "hitsPerPage": 1] as JSON).text.utf8), callType: .read,
          deadline: deadline))
      expectEqual(response.status, 200)
      return clock.reads
    }
    let few = try await checks(100, endingAt: nil)
    let many = try await checks(2000, endingAt: nil)
    #expect(many > 4 * few)
    for check in [1, many / 2, many - 1] {
      await #expect {
        _ = try await checks(2000, endingAt: check)
      } throws: { error in
        (error as? SearchError)?.code == .timedOut
      }
    }
  }

  /// The cost of optional filters is that of the values they name, not that of every match for
  /// every value.
  @Test func optionalFiltersAreEvaluatedOnce() async throws {
    let fixture = try await Self.fixture(interval: 1)
    func checks(_ filters: some Sequence<String>) async throws -> Int {
      let clock = CountingClock()
      let deadline = clock.deadline(atCheck: nil)
      _ = try await fixture.engine.send(
        TransportRequest(
          method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
          body: Array((["optionalFilters": Self.strings(filters)] as JSON).text.utf8),
          callType: .read, deadline: deadline))
      return clock.reads
    }
    // The same values in another case are the same filter.
    let one = try await checks(["brand:brand1"])
    let same = try await checks(
      (0..<500).map { $0.isMultiple(of: 2) ? "brand:BRAND1" : "brand:Brand1" })
    // A filter takes about five steps to parse; evaluating each would take hundreds.
    #expect(same < one + 5 * 500)
  }

  /// Parsing filters is counted, too: by their length and by their number.
  @Test func readingFiltersChecksTheDeadline() async throws {
    let fixture = try await Self.fixture(interval: 64)
    func checks(_ body: JSON) async throws -> Int {
      let clock = CountingClock()
      let deadline = clock.deadline(atCheck: nil)
      _ = try await fixture.engine.send(
        TransportRequest(
          method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
          body: Array(body.text.utf8), callType: .read, deadline: deadline))
      return clock.reads
    }
    let none = try await checks([:])
    // Only the last part is invalid, so the call ends after parsing.
    let words = String(repeating: "NOT brand:a AND ", count: 5000) + "("
    #expect(try await checks(["filters": .string(words)]) > none + 100)
    let numbers = Self.strings((0..<5000).map { "price:1 TO \($0)" } + ["price"])
    #expect(try await checks(["numericFilters": numbers]) > none + 100)
    // Too many filters are rejected before all are parsed.
    let many = String(repeating: "brand:a AND ", count: 40_000)
    #expect(
      try await fixture.refusal(["filters": .string(many + "brand:a")])?.hasPrefix("Too many")
        == true)
  }

  /// A filter, and whether a plain reading of the record satisfies it.
  private typealias Alternative = (text: String, isFulfilled: (JSON) -> Bool)

  private static func numericAlternative(_ random: inout SeededGenerator) -> Alternative {
    let attribute = Bool.random(using: &random) ? "price" : "size"
    let bound = Int.random(in: -5..<65, using: &random)
    let width = Int.random(in: -3..<15, using: &random)
    func comparison(_ sign: String, _ isFulfilled: @escaping (Int) -> Bool) -> Alternative {
      ("\(attribute) \(sign) \(bound)", { numbers(attribute, $0).contains(where: isFulfilled) })
    }
    return switch Int.random(in: 0..<7, using: &random) {
    case 0: comparison("<") { $0 < bound }
    case 1: comparison("<=") { $0 <= bound }
    case 2: comparison("=") { $0 == bound }
    case 3: comparison(">=") { $0 >= bound }
    case 4: comparison(">") { $0 > bound }
    case 5:
      (
        "\(attribute) != \(bound)",
        { !numbers(attribute, $0).isEmpty && !numbers(attribute, $0).contains(bound) }
      )
    default:
      (
        "\(attribute):\(bound) TO \(bound + width)",
        { numbers(attribute, $0).contains { $0 >= bound && $0 <= bound + width } }
      )
    }
  }

  private static func facetAlternative(_ random: inout SeededGenerator) -> Alternative {
    let number = Int.random(in: 0..<45, using: &random)
    let brand = JSON.string("brand\(number)")
    return Bool.random(using: &random)
      ? ("brand:BRAND\(number)", { $0["brand"] == brand })
      : ("brand:-brand\(number)", { $0["brand"] != brand })
  }

  private static func numbers(_ attribute: String, _ record: JSON) -> [Int] {
    let value = record[attribute]
    return value?.arrayValue?.compactMap(\.intValue) ?? value?.intValue.map { [$0] } ?? []
  }

  /// Ranges, numbers and values joined by OR find the records that satisfy one of them.
  @Test(arguments: Seed.all(20))
  func disjunctionFindsTheUnionOfItsFilters(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let records = (0..<900).map { (number: Int) -> JSON in
      let prices: [JSON] = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        .int(Int64.random(in: 0..<60, using: &random))
      }
      return [
        "objectID": .string("\(number)"), "price": .array(prices),
        "size": .int(Int64.random(in: 0..<50, using: &random)),
        "brand": .string("brand\(Int.random(in: 0..<40, using: &random))"),
      ]
    }
    let fixture = try await EngineFixture(
      records, settings: IndexSettings(attributesForFaceting: ["brand"]))
    for _ in 0..<3 {
      let count = Int.random(in: 1...6, using: &random)
      let numeric = (0..<count).map { _ in Self.numericAlternative(&random) }
      let facets = (0..<count).map { _ in Self.facetAlternative(&random) }
      for (name, alternatives) in [("numericFilters", numeric), ("facetFilters", facets)] {
        var body: JSON = [:]
        body[name] = .array([Self.strings(alternatives.map(\.text))])
        let expected = records.filter { record in alternatives.contains { $0.isFulfilled(record) } }
        expectEqual(
          Set(try await fixture.ids(body)),
          Set(expected.compactMap { $0["objectID"]?.stringValue }),
          "\(alternatives.map(\.text))")
      }
    }
  }

  /// Disjunctions of object IDs take the same few steps each, for any number of records and of
  /// other filters.
  @Test(arguments: ["filters", "facetFilters"])
  func disjunctionsOfObjectIDsAreLookedUp(name: String) async throws {
    func steps(_ fixture: EngineFixture, _ count: Int) async throws -> Int {
      let texts = (0..<count).map { "objectID:none\($0)" } + ["objectID:7", "objectID:11"]
      var body: JSON = ["hitsPerPage": 10, "attributesToRetrieve": [], "attributesToHighlight": []]
      body[name] =
        name == "filters" ? .string(texts.joined(separator: " OR ")) : [Self.strings(texts)]
      let clock = CountingClock()
      let deadline = clock.deadline(atCheck: nil)
      let response = try await fixture.engine.send(
        TransportRequest(
          method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
          body: Array(body.text.utf8), callType: .read, deadline: deadline))
      try expectEqual(JSON(parsing: response.body)["nbHits"], 2)
      return clock.reads
    }
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = 64
    var costs: [Int] = []
    for recordCount in [100, Thoroughness.count(1600, thorough: 6400)] {
      let fixture = try await EngineFixture(
        (0..<recordCount).map { ["objectID": .string("\($0)")] as JSON },
        configuration: configuration)
      let few = try await steps(fixture, 1000)
      let many = try await steps(fixture, 4000)
      #expect(many <= 4 * few, "\(few), \(many)")
      costs.append(many - few)
    }
    #expect(costs[0] > 0 && costs[0] * 64 <= 3000 * 15, "\(costs)")
    #expect(costs[1] <= costs[0] + 10, "\(costs)")
  }

  /// The number of checks of a search with optional filters, or the number of its steps with an
  /// interval of one.
  private static func checks(
    _ fixture: EngineFixture, _ optionalFilters: JSON
  ) async throws -> Int {
    let clock = CountingClock()
    let deadline = clock.deadline(atCheck: nil)
    let body = ["optionalFilters": optionalFilters, "hitsPerPage": 1] as JSON
    let response = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
        body: Array(body.text.utf8), callType: .read, deadline: deadline))
    expectEqual(response.status, 200)
    return clock.reads
  }

  /// Each level of nested optional filters costs as much as the one above it: no part is evaluated
  /// twice.
  @Test func costOfNestedOptionalFiltersIsTheSumOfTheirLevels() async throws {
    let fixture = try await Self.fixture(interval: 1)
    func filters(depth: Int) -> JSON {
      let (one, other) = (depth * 2, depth * 2 + 1)
      let own: [JSON] = [
        .string("brand:brand\(one)<score=\(depth + 1)>"), .string("brand:brand\(other)"),
      ]
      return .array(depth == 0 ? own : own + [filters(depth: depth - 1)])
    }
    let four = try await Self.checks(fixture, [filters(depth: 4)])
    let eight = try await Self.checks(fixture, [filters(depth: 8)])
    let twelve = try await Self.checks(fixture, [filters(depth: 12)])
    #expect(eight > four)
    #expect(twelve - eight < 2 * (eight - four))
  }

  /// Groups within groups reuse the same few columns.
  @Test func nestedOptionalFiltersShareTheirColumns() async throws {
    let interval = 64
    let count = 3000
    var configuration = LocalSearch.Configuration()
    configuration.checkInterval = interval
    let fixture = try await EngineFixture(
      (0..<count).map { ["objectID": .string("\($0)"), "brand": .string("brand\($0)")] },
      settings: IndexSettings(attributesForFaceting: ["brand"]), configuration: configuration)
    func filters(_ groups: Int) -> JSON {
      .array(
        (0..<groups).map { group in
          let names = (0..<4).map { "brand:brand\(group * 4 + $0)<score=\($0 + 1)>" }
          return [
            .string(names[0]),
            [.string(names[1]), [.string(names[2]), .string(names[3])]],
          ]
        })
    }
    let few = try await Self.checks(fixture, filters(50))
    let many = try await Self.checks(fixture, filters(250))
    // A separate column for each of the other groups would take twice as many steps.
    #expect((many - few) * interval < 300 * count / 32)
  }

  @Test func numericBoundsMatchALinearScan() async throws {
    let count = Thoroughness.count(500, thorough: 2000)
    let records = (0..<count).map { (number: Int) -> JSON in
      let numbers: [JSON] = (0..<number % 4).map { .int(Int64((number * 31 + $0 * 977) % 700)) }
      return ["objectID": .string("\(number)"), "n": .array(numbers)]
    }
    let fixture = try await EngineFixture(records)
    func values(_ record: JSON) -> [Int] { record["n"]?.arrayValue?.compactMap(\.intValue) ?? [] }
    for bound in [-1, 0, 1, 99, 255, 256, 350, 511, 512, 600, 699, 700] {
      let comparisons: [(String, (Int) -> Bool)] = [
        ("n < \(bound)", { $0 < bound }), ("n <= \(bound)", { $0 <= bound }),
        ("n > \(bound)", { $0 > bound }), ("n >= \(bound)", { $0 >= bound }),
        ("n = \(bound)", { $0 == bound }),
        (
          "n:\(bound) TO \(bound + 300)",
          {
            (bound...bound + 300).contains($0)
          }
        ),
      ]
      for (filter, isWanted) in comparisons {
        let wanted = records.count { values($0).contains(where: isWanted) }
        let answer = try await fixture.search(["filters": .string(filter), "hitsPerPage": 0])
        expectEqual(answer["nbHits"]?.intValue, wanted, "\(filter)")
      }
      let wanted = records.count { !values($0).isEmpty && !values($0).contains(bound) }
      let answer = try await fixture.search(["filters": .string("n != \(bound)"), "hitsPerPage": 0])
      expectEqual(answer["nbHits"]?.intValue, wanted)
    }
  }
}
