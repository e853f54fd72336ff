@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport
import Testing

/// The lists of a response are counted and bounded value by value, and errors suggest what to do.
struct ResponseSizeTests {
  private static let index = EngineFixture.index

  private static func values(_ count: Int, length: Int) -> [JSON] {
    (0..<count).map { number in
      [
        "objectID": .string("\(number)"),
        "brand": .string("\(number) " + String(repeating: "a", count: length)),
      ]
    }
  }

  /// The values of one facet are bounded and counted one by one.
  @Test func facetValuesOfAResponseAreCounted() async throws {
    let length = Thoroughness.count(10_000, thorough: 100_000)
    let limit = 10 * length
    func call(
      _ size: Int, _ path: [String], _ body: JSON
    ) async throws -> (checks: Int, message: String?) {
      let fixture = try await CountedCall.fixture(
        Self.values(60, length: length), maximumResponseSize: size)
      // The first search reads the values.
      _ = try await CountedCall.call(fixture, .post, [Self.index] + path, body)
      return try await CountedCall.call(fixture, .post, [Self.index] + path, body)
    }
    let facets: JSON = ["facets": ["brand"], "hitsPerPage": 0]
    let (whole, cut) = try await (
      call(1 << 28, ["query"], facets), call(limit, ["query"], facets)
    )
    #expect(whole.message == nil)
    expectEqual(
      cut.message,
      "The response is larger than \(limit) bytes; request fewer facets, or fewer values of"
        + " each with maxValuesPerFacet")
    // Fifty of the values are not written: each is long enough for its own check.
    #expect(whole.checks - cut.checks >= 49, "\(whole), \(cut)")
    let search: JSON = ["maxFacetHits": 60]
    let hits = try await call(limit, ["facets", "brand", "query"], search)
    expectEqual(
      hits.message,
      "The response is larger than \(limit) bytes; request fewer values with maxFacetHits")
  }

  @Test func otherResponsesAreBoundedAndCounted() async throws {
    let fixture = try await CountedCall.fixture(
      [
        ["objectID": "1", "text": .string(String(repeating: "a", count: 3000))]
      ], maximumResponseSize: 2000)
    try await fixture.engine.setSettings(
      IndexSettings { $0.additionalSettings = ["a": .string(String(repeating: "b", count: 3000))] },
      of: Self.index)
    for (path, advice) in [
      ([Self.index, "1"], "request fewer attributes with attributesToRetrieve"),
      ([Self.index, "settings"], "raise maximumResponseSize in the configuration of the engine"),
    ] {
      try await expectEqual(
        CountedCall.call(fixture, .get, path).message,
        "The response is larger than 2000 bytes; \(advice)")
    }
    let few = try await CountedCall.call(fixture, .get, [])
    #expect(few.message == nil)
    for number in 0..<100 {
      try await fixture.engine.setSettings(IndexSettings(), of: "index\(number)")
    }
    let many = try await CountedCall.call(fixture, .get, [])
    expectEqual(
      many.message,
      "The response is larger than 2000 bytes; request fewer indices with page and hitsPerPage")
    #expect(many.checks > few.checks)
  }
}
