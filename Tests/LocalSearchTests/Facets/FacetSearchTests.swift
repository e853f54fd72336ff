import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct FacetSearchTests {
  private static let records: [JSON] =
    ["Apple", "apple", "Pineapple", "Apple Pie", "Apricot", "Banana", "Samsung Galaxy"]
    .enumerated().flatMap { index, brand in
      (0...index).map { copy in
        [
          "objectID": .string("\(index)-\(copy)"), "brand": .string(brand),
          "copy": .int(Int64(copy)),
        ] as JSON
      }
    }

  private func fixture() async throws -> EngineFixture {
    try await EngineFixture(
      Self.records,
      settings: IndexSettings { $0.attributesForFaceting = ["searchable(brand)", "copy"] })
  }

  private func hits(_ body: JSON) async throws -> [String] {
    let answer = try await fixture().call(
      .post, [EngineFixture.index, "facets", "brand", "query"], body)
    let hits = answer.body["facetHits"]?.arrayValue ?? []
    return hits.map { hit in
      let value = hit["value"]?.stringValue ?? ""
      let highlighted = hit["highlighted"]?.stringValue ?? ""
      return "\(value)|\(highlighted)|\(hit["count"]?.intValue ?? -1)"
    }
  }

  @Test func prefixesMatchAndTheMostFrequentValuesComeFirst() async throws {
    try await expectEqual(
      hits(["facetQuery": "app"]),
      [
        "Apple Pie|<em>App</em>le Pie|4", "apple|<em>app</em>le|2", "Apple|<em>App</em>le|1",
      ])
  }

  @Test func typosAreAllowedAsInSearch() async throws {
    try await expectEqual(
      hits(["facetQuery": "samsong"]), ["Samsung Galaxy|<em>Samsung</em> Galaxy|7"])
  }

  @Test func everyWordMustMatch() async throws {
    try await expectEqual(
      hits(["facetQuery": "apple p"]), ["Apple Pie|<em>Apple</em> <em>P</em>ie|4"])
  }

  @Test func anEmptyQueryGivesTheMostFrequentValues() async throws {
    try await expectEqual(
      hits(["maxFacetHits": 2]), ["Samsung Galaxy|Samsung Galaxy|7", "Banana|Banana|6"])
  }

  @Test func onlyRecordsOfTheQueryAreCounted() async throws {
    try await expectEqual(
      hits(["params": "filters=copy%20%3E%203&query=", "facetQuery": "a"]),
      [
        "Apricot|<em>A</em>pricot|1"
      ])
    try await expectEqual(
      hits(["filters": "copy > 2", "facetQuery": "ap", "sortFacetValuesBy": "alpha"]),
      [
        "Apple Pie|<em>Ap</em>ple Pie|1", "Apricot|<em>Ap</em>ricot|2",
      ])
  }

  @Test func tagsComeFromTheQuery() async throws {
    try await expectEqual(
      hits(["facetQuery": "ban", "highlightPreTag": "[", "highlightPostTag": "]"]),
      [
        "Banana|[Ban]ana|6"
      ])
  }

  @Test func nonSearchableFacetIsRejected() async throws {
    for facet in ["copy", "other"] {
      let answer = try await fixture().call(
        .post, [EngineFixture.index, "facets", facet, "query"], ["facetQuery": "a"])
      expectEqual(answer.status, 400)
      expectEqual(
        answer.body["message"]?.stringValue,
        "Cannot search in `\(facet)` attribute, you need to add `searchable(\(facet))`"
          + " to attributesForFaceting.")
    }
  }

  @Test(
    arguments: [
      (
        ["maxFacetHits": 101],
        "Invalid value for \"maxFacetHits\" parameter, expected integer between 0 and 100, got 101"
      ),
      (
        ["maxFacetHits": "x"],
        "Invalid value for \"maxFacetHits\" parameter, expected integer, got \"x\""
      ),
      (
        ["facetQuery": 3],
        "Invalid value for \"facetQuery\" parameter, expected string, got 3"
      ),
    ] as [(JSON, String)])
  func parametersAreChecked(body: JSON, message: String) async throws {
    let answer = try await fixture().call(
      .post, [EngineFixture.index, "facets", "brand", "query"], body)
    expectEqual(answer.status, 400)
    expectEqual(answer.body["message"]?.stringValue, message)
  }
}
