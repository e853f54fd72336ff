import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct PaginationTests {
  private static let records = (0..<25).map { number -> JSON in
    ["objectID": .string("\(number)"), "rank": .int(Int64(number))]
  }

  private func fixture(limit: Int = 1000) async throws -> EngineFixture {
    try await EngineFixture(
      Self.records,
      settings: IndexSettings {
        $0.customRanking = ["asc(rank)"]
        $0.paginationLimitedTo = limit
      })
  }

  private func summary(_ parameters: JSON, limit: Int = 1000) async throws -> String {
    let answer = try await fixture(limit: limit).search(parameters)
    let names = ["nbHits", "page", "nbPages", "hitsPerPage", "offset", "length"]
    let numbers = names.compactMap { name in answer[name].map { "\(name)=\($0.text)" } }
    let ids = answer["hits"]?.arrayValue?.map(\.id) ?? []
    return numbers.joined(separator: " ") + " [\(ids.first ?? "")-\(ids.last ?? "")] \(ids.count)"
  }

  @Test(
    arguments: [
      ([:], "nbHits=25 page=0 nbPages=2 hitsPerPage=20 [0-19] 20"),
      (["page": 1], "nbHits=25 page=1 nbPages=2 hitsPerPage=20 [20-24] 5"),
      (["page": 2], "nbHits=25 page=2 nbPages=2 hitsPerPage=20 [-] 0"),
      (["hitsPerPage": 5, "page": 4], "nbHits=25 page=4 nbPages=5 hitsPerPage=5 [20-24] 5"),
      (["hitsPerPage": 0], "nbHits=25 page=0 nbPages=0 hitsPerPage=0 [-] 0"),
      (["hitsPerPage": 1000], "nbHits=25 page=0 nbPages=1 hitsPerPage=1000 [0-24] 25"),
      (
        ["page": 9_223_372_036_854_775_807],
        "nbHits=25 page=9223372036854775807 nbPages=2 hitsPerPage=20 [-] 0"
      ),
      (["offset": 3, "length": 2], "nbHits=25 offset=3 length=2 [3-4] 2"),
      (["offset": 24], "nbHits=25 offset=24 length=20 [24-24] 1"),
      (["offset": 0, "length": 0], "nbHits=25 offset=0 length=0 [-] 0"),
      (
        ["offset": 9_223_372_036_854_775_807],
        "nbHits=25 offset=9223372036854775807 length=20 [-] 0"
      ),
      (["length": 3], "nbHits=25 page=0 nbPages=2 hitsPerPage=20 [0-19] 20"),
      (["query": "zzz", "page": 3], "nbHits=0 page=3 nbPages=0 hitsPerPage=20 [-] 0"),
    ] as [(JSON, String)])
  func pagesAndOffsets(parameters: JSON, expected: String) async throws {
    try await expectEqual(summary(parameters), expected)
  }

  @Test(
    arguments: [
      (["hitsPerPage": 5], "nbHits=25 page=0 nbPages=3 hitsPerPage=5 [0-4] 5", false),
      (["hitsPerPage": 5, "page": 2], "nbHits=25 page=2 nbPages=3 hitsPerPage=5 [10-11] 2", false),
      (["hitsPerPage": 5, "page": 3], "nbHits=25 page=3 nbPages=3 hitsPerPage=5 [-] 0", true),
      (["hitsPerPage": 5, "page": 9], "nbHits=25 page=9 nbPages=3 hitsPerPage=5 [-] 0", false),
      (["offset": 10, "length": 9], "nbHits=25 offset=10 length=9 [10-11] 2", false),
      (["offset": 12, "length": 9], "nbHits=25 offset=12 length=9 [-] 0", true),
    ] as [(JSON, String, Bool)])
  func hitsPastTheLimitAreNotReturned(
    parameters: JSON, expected: String, hasMessage: Bool
  ) async throws {
    try await expectEqual(summary(parameters, limit: 12), expected)
    let message = try await fixture(limit: 12).search(parameters)["message"]?.stringValue
    expectEqual(
      message?.hasPrefix("you can only fetch the 12 hits for this query") == true, hasMessage)
  }

  @Test(
    arguments: [
      (
        ["hitsPerPage": 1001],
        "Invalid value for \"hitsPerPage\" parameter, expected integer between 0 and 1000, got 1001"
      ),
      (
        ["hitsPerPage": -1],
        "Invalid value for \"hitsPerPage\" parameter, expected integer between 0 and 1000, got -1"
      ),
      (
        ["page": -1], "Invalid value for \"page\" parameter, expected integer of at least 0, got -1"
      ),
      (
        ["offset": -1],
        "Invalid value for \"offset\" parameter, expected integer of at least 0, got -1"
      ),
      (
        ["offset": 0, "length": 1001],
        "Invalid value for \"length\" parameter, expected integer between 0 and 1000, got 1001"
      ),
    ] as [(JSON, String)])
  func numbersOutOfRangeAreRejected(parameters: JSON, message: String) async throws {
    try await expectEqual(fixture().refusal(parameters), message)
  }

  @Test func pagesTogetherAreTheWholeOrder() async throws {
    let fixture = try await fixture()
    var ids: [String] = []
    for page in 0..<9 {
      let answer = try await fixture.search(["hitsPerPage": 3, "page": .int(Int64(page))])
      ids += answer["hits"]?.arrayValue?.map(\.id) ?? []
    }
    expectEqual(ids, Self.records.map(\.id))
  }
}
