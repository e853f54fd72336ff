import InstantSearchAPI
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct SearchResponseTests {
  private static let records: [JSON] = [
    ["objectID": "1", "name": "Tom Hanks", "year": 1956],
    ["objectID": "2", "name": "Tom Cruise", "year": 1962],
  ]

  @Test func completeResponse() async throws {
    let fixture = try await EngineFixture(
      Self.records, settings: IndexSettings { $0.attributesForFaceting = ["year"] })
    let response = try await fixture.engine.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
        body: Array(
          #"{"query":"tom h","facets":["year"],"attributesToHighlight":[],"hitsPerPage":1}"#.utf8),
        callType: .read))
    expectEqual(response.status, 200)
    expectEqual(
      response.headers.firstValue(named: "content-type"), "application/json; charset=UTF-8")
    expectEqual(
      String(decoding: response.body, as: UTF8.self),
      #"{"hits":[{"name":"Tom Hanks","objectID":"1","year":1956}],"nbHits":1,"page":0,"#
        + #""nbPages":1,"hitsPerPage":1,"facets":{"year":{"1956":1}},"#
        + #""facets_stats":{"year":{"min":1956,"max":1956,"avg":1956,"sum":1956}},"#
        + #""exhaustiveFacetsCount":true,"exhaustiveNbHits":true,"exhaustiveTypo":true,"#
        + #""exhaustive":{"facetsCount":true,"nbHits":true,"typo":true},"query":"tom h","#
        + #""params":"attributesToHighlight=%5B%5D&facets=%5B%22year%22%5D&hitsPerPage=1&query=tom+h","#
        + #""index":"items","renderingContent":{},"processingTimeMS":0}"#)
  }

  @Test func flagsThatDoNotApplyAreLeftOut() async throws {
    let answer = try await EngineFixture(Self.records).search(["typoTolerance": false])
    expectEqual(answer["exhaustive"]?.text, #"{"nbHits":true}"#)
    #expect(answer["exhaustiveTypo"] == nil)
    #expect(answer["facets"] == nil)
  }

  @Test func onlyRequestedResponseFieldsAreReturned() async throws {
    let fixture = try await EngineFixture(Self.records)
    let answer = try await fixture.search(["responseFields": ["nbHits", "query"]])
    expectEqual(answer.text, #"{"nbHits":2,"query":""}"#)
    try await expectEqual(
      fixture.refusal(["responseFields": ["nbHits", "nonsense"]]),
      "Invalid value for \"responseFields\" parameter, expected names of response fields,"
        + " got nonsense")
  }

  @Test func userDataAndRenderingContentAreEchoed() async throws {
    let fixture = try await EngineFixture(
      Self.records, settings: IndexSettings { $0.userData = ["a": [1, .null]] })
    try await expectEqual(fixture.search()["userData"], ["a": [1, .null]])
    let answer = try await fixture.search([
      "renderingContent": ["facetOrdering": ["facets": ["order": ["year"]]]]
    ])
    expectEqual(answer["renderingContent"]?["facetOrdering"]?["facets"]?["order"], ["year"])
  }

  @Test func processingTimeIsMeasuredOnTheGivenClock() async throws {
    let clock = SteppingClock()
    let fixture = try await EngineFixture(
      Self.records, configuration: LocalSearch.Configuration(clock: clock))
    try await expectEqual(fixture.search()["processingTimeMS"], 7)
  }

  @Test func rankingInfoExplainsTheRank() async throws {
    let fixture = try await EngineFixture(
      Self.records, settings: IndexSettings { $0.searchableAttributes = ["year", "name"] })
    let answer = try await fixture.search(["query": "tom hancs", "getRankingInfo": true])
    let info = answer["hits"]?[0]?["_rankingInfo"]
    expectEqual(info?["nbTypos"], 1)
    expectEqual(info?["words"], 2)
    expectEqual(info?["nbExactWords"], 1)
    expectEqual(info?["firstMatchedWord"], 1000)
    expectEqual(info?["proximityDistance"], 1)
    expectEqual(info?["geoDistance"], 0)
    expectEqual(info?["filters"], 0)
    expectEqual(answer["parsedQuery"], "tom hancs")
    expectEqual(answer["indexUsed"], "items")
    #expect(answer["serverUsed"]?.stringValue != nil)
  }

  @Test(arguments: [1, 2, 9])
  func userScoreCountsTheRecordsRankedLower(batchSize: Int) async throws {
    let ranks: [JSON] = [5, 3, 3, 9, .null, 1, 5, 7, 100]
    let fixture = try await EngineFixture(
      settings: IndexSettings { $0.customRanking = ["desc(rank)"] })
    for start in stride(from: 0, to: ranks.count, by: batchSize) {
      let batch = (start..<min(start + batchSize, ranks.count)).map { number in
        ["objectID": .string("\(number)"), "rank": ranks[number]] as JSON
      }
      try await fixture.engine.save(batch, in: EngineFixture.index)
    }
    try await fixture.engine.delete(objectIDs: ["8"], from: EngineFixture.index)
    let hits = try await fixture.search(["getRankingInfo": true])["hits"]?.arrayValue ?? []
    let scores = hits.map { "\($0.id):\($0["_rankingInfo"]?["userScore"]?.intValue ?? -1)" }
    expectEqual(scores, ["3:7", "7:6", "0:4", "6:4", "1:2", "2:2", "5:1", "4:0"])
  }

  @Test func droppedWordsAreMarkedInTheQuery() async throws {
    let fixture = try await EngineFixture(Self.records)
    let answer = try await fixture.search([
      "query": "tom hanks zebra", "removeWordsIfNoResults": "lastWords",
    ])
    expectEqual(answer["nbHits"], 1)
    expectEqual(answer["queryAfterRemoval"], "tom hanks <em>zebra</em>")
    #expect(try await fixture.search(["query": "tom"])["queryAfterRemoval"] == nil)
  }

  @Test func queryIDDependsOnlyOnTheSearch() async throws {
    let fixture = try await EngineFixture(Self.records)
    let parameters: JSON = ["query": "tom", "clickAnalytics": true]
    let first = try await fixture.search(parameters)["queryID"]?.stringValue
    expectEqual(first?.count, 32)
    #expect(first?.allSatisfy(\.isHexDigit) == true)
    try await expectEqual(fixture.search(parameters)["queryID"]?.stringValue, first)
    #expect(try await fixture.search()["queryID"] == nil)
  }

  @Test(arguments: Seed.all(3))
  func equalCallsGiveEqualBytes(seed: Seed) async throws {
    var bodies: [[UInt8]] = []
    for _ in 0..<2 {
      var random = RandomRecords(seed: seed.value)
      let (fixture, _) = try await random.fixture(200)
      let body = Array(
        #"{"query":"label 1","facets":["*"],"getRankingInfo":true,"hitsPerPage":50}"#.utf8)
      bodies.append(
        try await fixture.engine.send(
          TransportRequest(
            method: .post, pathComponents: ["1", "indexes", EngineFixture.index, "query"],
            body: body, callType: .read)
        ).body)
    }
    expectEqual(bodies[0], bodies[1])
  }
}

/// A clock that advances by 7 milliseconds whenever it is read.
private final class SteppingClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let ticks = Ticks()
  var now: Instant { Instant(offset: .milliseconds(7) * ticks.next()) }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}

/// Counts how often it is read.
private final class Ticks: Sendable {
  private let count = Lock(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
