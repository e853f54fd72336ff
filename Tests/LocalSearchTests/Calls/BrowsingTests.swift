import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct BrowsingTests {
  private static let index = EngineFixture.index

  private func fixture(_ count: Int) async throws -> EngineFixture {
    try await EngineFixture(
      (0..<count).map { ["objectID": .string("\($0)"), "n": .int(Int64($0)), "word": "word"] },
      settings: IndexSettings {
        $0.customRanking = ["desc(n)"]
        $0.paginationLimitedTo = 3
      })
  }

  private func browse(_ fixture: EngineFixture, _ body: JSON) async throws -> JSON {
    try await fixture.call(.post, [Self.index, "browse"], body).body
  }

  @Test func cursorsLeadThroughAllRecordsOnce() async throws {
    let fixture = try await fixture(25)
    var ids: [String] = []
    var body: JSON = ["hitsPerPage": 10, "facets": ["n"], "attributesToHighlight": ["*"]]
    var pages: [Int] = []
    while true {
      let answer = try await browse(fixture, body)
      ids += answer["hits"]?.arrayValue?.map(\.id) ?? []
      pages.append(answer["page"]?.intValue ?? -1)
      expectEqual(answer["nbPages"], 3)
      expectEqual(answer["nbHits"], 25)
      #expect(answer["hits"]?[0]?["_highlightResult"] == nil)
      #expect(answer["facets"] == nil)
      #expect(answer["params"]?.stringValue?.contains("hitsPerPage=10") == true)
      guard let cursor = answer["cursor"] else { break }
      body = ["cursor": cursor]
    }
    expectEqual(ids, (0..<25).reversed().map { "\($0)" })
    expectEqual(pages, [0, 1, 2])
  }

  @Test func onePageHasAThousandRecords() async throws {
    let fixture = try await fixture(1001)
    let first = try await browse(fixture, [:])
    expectEqual(first["hits"]?.arrayValue?.count, 1000)
    let second = try await browse(
      fixture, ["params": .string("cursor=\(first["cursor"]?.stringValue ?? "")")])
    expectEqual(second["hits"]?.arrayValue?.count, 1)
    #expect(second["cursor"] == nil)
  }

  @Test func concurrentWritesNeitherSkipNorRepeatARecord() async throws {
    let fixture = try await fixture(6)
    let first = try await browse(fixture, ["hitsPerPage": 3])
    try await fixture.engine.save([["objectID": "new", "n": 99] as JSON], in: Self.index)
    try await fixture.engine.delete(objectIDs: ["1"], from: Self.index)
    let second = try await browse(fixture, ["cursor": first["cursor"] ?? .null])
    expectEqual(second["hits"]?.arrayValue?.map(\.id), ["2", "1", "0"])
    let again = try await browse(fixture, ["cursor": first["cursor"] ?? .null])
    expectEqual(again["hits"], second["hits"])
  }

  @Test func filtersAndTheQueryTextApply() async throws {
    let fixture = try await fixture(10)
    let answer = try await browse(fixture, ["filters": "n > 6", "query": "word", "distinct": true])
    expectEqual(answer["hits"]?.arrayValue?.map(\.id), ["9", "8", "7"])
    #expect(answer["cursor"] == nil)
  }

  @Test func aCursorBelongsToItsIndex() async throws {
    let fixture = try await fixture(10)
    try await fixture.engine.save([["objectID": "o"] as JSON], in: "others")
    let cursor = try #require(try await browse(fixture, ["hitsPerPage": 3])["cursor"])
    let answer = try await fixture.call(.post, ["others", "browse"], ["cursor": cursor])
    expectEqual(answer.status, 400)
    #expect(answer.body["message"]?.stringValue?.hasPrefix("Invalid or expired cursor.") == true)
  }

  @Test(arguments: ["x", "zz-1", "-", "1-zzzzzzzzzzzzzzzz"])
  func wrongCursorIsRejected(cursor: String) async throws {
    let answer = try await fixture(3).call(
      .post, [Self.index, "browse"], ["cursor": .string(cursor)])
    expectEqual(answer.status, 400)
    #expect(answer.body["message"]?.stringValue?.hasPrefix("Invalid or expired cursor.") == true)
  }
}
