@testable import AsyncInstantSearchTesting
@testable import InstantSearchJSON
@testable import InstantSearchService
import TestSupport
import Testing

/// Random and mutated requests: only statuses that are documented, and nothing traps.
struct HostileRequestTests {
  private static let statuses: Set<Int> = [
    200, 201, 204, 400, 402, 403, 404, 405, 413, 414, 415, 429,
  ]
  private static let targets = [
    "/1/indexes", "/1/indexes/a/query", "/1/indexes/*/queries", "/1/indexes/a/1",
    "/1/indexes/a/batch", "/1/indexes/*/batch", "/1/indexes/a/settings", "/1/keys", "/1/keys/k",
    "/1/indexes/a/rules/batch", "/1/indexes/a/synonyms/search", "/1/indexes/*/objects",
    "/1/indexes/a/operation", "/1/indexes/a/facets/f/query?x=%41", "/1/task/1", "/1/logs",
    "/1/indexes/a/browse", "/1/indexes/a/deleteByQuery", "/1/places/query", "/1/security/sources",
    "/1/indexes/a/task/9?x-algolia-api-key=admin-secret", "/1/dictionaries/stopwords/search",
  ]
  private static let bodies = [
    "", "{}", "[]", "null", #"{"requests":[{"action":"addObject","body":{"objectID":"1"}}]}"#,
    #"{"requests":[{"indexName":"a","filters":"x:1 OR y:2"}]}"#, #"{"params":"query=a&page=1"}"#,
    #"{"acl":["search"],"queryParameters":"filters=a:b"}"#,
    #"{"operation":"copy","destination":"b"}"#, #"{"hitsPerPage":5,"replicas":["r"]}"#,
    #"[{"objectID":"r","consequence":{"hide":[]}}]"#, #"{"requests":{}}"#, #"{"requests":[1]}"#,
  ]

  @Test(arguments: Seed.all(100, quick: 10))
  func requestsHaveDocumentedStatuses(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let fixture = try ServiceFixture(
      keys: [
        APIKey(
          "k", acl: [.search, .browse, .addObject], queryParameters: "filters=a%3Ab",
          maxHitsPerQuery: 3)
      ])
    for _ in 0..<100 {
      let methods = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "", "get"]
      var request = ServiceRequest(
        method: methods.randomElement(using: &random) ?? "",
        target: Self.mutated(Self.targets, using: &random),
        body: Array(Self.mutated(Self.bodies, using: &random).utf8),
        peerAddress: Bool.random(using: &random) ? "1.2.3.4" : nil)
      let keys = ["admin-secret", "admin-secret", "k", "", "nothing", "a2V5"]
      let headers = [
        ("x-algolia-api-key", keys.randomElement(using: &random) ?? ""),
        ("Content-Encoding", "gzip"), ("Content-Type", "multipart/x"), ("Referer", "\r\nx"),
        ("Request-ID", "\u{0}\u{7f}é"), ("X-Forwarded-For", ",,,"), ("Accept-Encoding", ";;,q=0"),
      ]
      for (number, (name, value)) in headers.enumerated()
      where number == 0 || Int.random(in: 0..<8, using: &random) == 0 {
        request.headers.append(HTTPHeader(name: name, value: value))
      }
      if Int.random(in: 0..<20, using: &random) == 0 {
        request.body = (0..<50).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
      let response = await fixture.service.respond(to: request)
      #expect(Self.statuses.contains(response.status), "\(response.status) \(request.target)")
      for header in response.headers {
        let isSafe = header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        #expect(isSafe, "\(header.name)")
      }
      if response.status >= 400 {
        let body = try JSON(parsing: response.bytes)
        expectEqual(body["status"], .int(Int64(response.status)))
      }
    }
  }

  /// Returns one of the texts, mostly with a few changed characters.
  private static func mutated(_ texts: [String], using random: inout SeededGenerator) -> String {
    var bytes = Array((texts.randomElement(using: &random) ?? "").utf8)
    for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let position = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[position] = UInt8.random(in: 0x20...0x7e, using: &random)
      case 1: bytes.remove(at: position)
      case 2: bytes.insert(contentsOf: bytes[position...].prefix(20), at: position)
      default: bytes.removeSubrange(position...)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
