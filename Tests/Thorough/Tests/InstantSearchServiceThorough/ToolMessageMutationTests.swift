@testable import InstantSearchAPI
@testable import InstantSearchService
@testable import LocalSearch
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Messages of the Model Context Protocol with random mutations get documented answers only.
struct ToolMessageMutationTests {
  private static let meta =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
    + #""io.modelcontextprotocol/clientCapabilities":{}}"#

  /// Messages to begin with.
  private static let messages = [
    #"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{\#(meta)}}"#,
    #"{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":null,\#(meta)}}"#,
    #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"algolia_search_films","#
      + #""arguments":{"query":"samurai","facet_genres":["War",["Drama","Crime"],"-Western"],"#
      + #""range_year":{"min":1950,"max":1990},"page":0,"hitsPerPage":5},\#(meta)}}"#,
    #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"fetch","#
      + #""arguments":{"id":"films/1","indexName":"films"},\#(meta)}}"#,
    #"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"search","#
      + #""arguments":{"query":"a"},\#(meta)}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"2025-11-25","#
      + #""capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#,
    #"{"jsonrpc":"2.0","id":6,"method":"ping"}"#,
  ]

  /// Parts that mutations put in.
  private static let parts = [
    "{", "}", "[", "]", "\"", ",", ":", "null", "true", "1e999", "-0", "\\u0000", "\\ud800",
    "\u{0}", "\u{FFFD}", "\u{1F600}", "{}", "[]", "\"id\":7,", "\"params\":[],",
    "\"method\":\"tools/list\",", "9999999999999999999999", "=?base64?", "\r", "\t",
    String(repeating: "[", count: 70), String(repeating: "a", count: 2_000),
  ]

  private static func mutated(
    _ message: String, using random: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = Array(message.utf8)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let position = Int.random(in: 0...bytes.count, using: &random)
      let length = Int.random(in: 0...min(20, bytes.count - position), using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeSubrange(position..<position + length)
      case 1:
        bytes.insert(
          contentsOf: Array((parts.randomElement(using: &random) ?? "").utf8), at: position)
      case 2: bytes.insert(contentsOf: Array(bytes[position..<position + length]), at: 0)
      case 3:
        if position < bytes.count { bytes[position] = UInt8.random(in: 0...255, using: &random) }
      default:
        let other = Array((messages.randomElement(using: &random) ?? "").utf8)
        let start = Int.random(in: 0..<other.count, using: &random)
        bytes.replaceSubrange(position..<position + length, with: other[start...].prefix(40))
      }
    }
    return bytes
  }

  private static let codes: Set<Int> = [-32700, -32600, -32601, -32602, -32020, -32022, -32000]

  @Test(arguments: Seed.all(500, quick: 50))
  func mutatedMessagesGetDocumentedAnswers(seed: Seed) async throws {
    var random = SeededGenerator(seed: seed.value)
    let fixture = try ServiceFixture(configure: {
      $0.tools = SearchService.Tools(name: "t", version: "1")
    })
    try await fixture.engine.setSettings(
      IndexSettings(attributesForFaceting: ["genres"]), of: "films")
    try await fixture.engine.save(
      [["objectID": "1", "title": "Samurai", "genres": ["War"], "year": 1954] as JSON], in: "films")
    for _ in 0..<20 {
      let message = Self.messages.randomElement(using: &random) ?? ""
      let body = Self.mutated(message, using: &random)
      var headers = [HTTPHeader(name: "x-algolia-api-key", value: ServiceFixture.adminKey)]
      if Bool.random(using: &random) {
        headers.append(HTTPHeader(name: "MCP-Protocol-Version", value: "2026-07-28"))
        headers.append(HTTPHeader(name: "Mcp-Method", value: "tools/call"))
        let names = ["search", "fetch", "algolia_search_films", "=?base64?c2VhcmNo?=", "\u{0}"]
        headers.append(
          HTTPHeader(name: "Mcp-Name", value: names.randomElement(using: &random) ?? ""))
      }
      let response = await fixture.service.respond(
        to: ServiceRequest(method: "POST", target: "/mcp", headers: headers, body: body))
      let text = String(decoding: body, as: UTF8.self)
      #expect([200, 202, 400, 404].contains(response.status), "\(response.status) \(text)")
      #expect(response.bytes.count < 60_000, "\(text)")
      if response.status == 202 {
        expectEqual(response.bytes.count, 0)
        continue
      }
      let answer = try JSON(parsing: response.bytes)
      expectEqual(answer["jsonrpc"], "2.0")
      #expect((answer["result"] != nil) != (answer["error"] != nil), "\(text)")
      if let code = answer["error"]?["code"]?.intValue {
        #expect(Self.codes.contains(code), "\(code) \(text)")
        #expect(answer["error"]?["message"]?.stringValue?.contains("\n") == false, "\(text)")
      }
    }
  }
}
