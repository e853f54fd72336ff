import Foundation
import InstantSearchClient
import LocalSearch
import Testing
import TypesenseTransport

/// Values that mean something in the server's filters, and keys that are limited to values.
@Suite(.serialized, .enabled(if: Server.reason == nil, "\(Server.reason ?? "")"))
struct HostileValueTests {
  private static let values =
    [
      "`", "``", "`x`", "a,b", "[a]", "a]", "(a)", "a && b", "a || b", "&&", "||", ":=", ":!=x",
      "a:=b",
      "* ", "*", "\\", "\"", "'", "👩‍👩‍👧", "日本", "é", "-x", ">5", "0", "q", "y", "id:=1", "_f:!=0",
      "\u{0}x",
      "\n", "C++", "C#", "A, B", "P && Q", "Foo (bar)",
    ] + [String(repeating: "`,[|&", count: 819), String(repeating: "`,[|&", count: 819) + "x"]

  private func transport(_ key: String = Server.key) throws -> TypesenseTransport {
    TypesenseTransport(nodes: try Server.single.get().nodes, apiKey: key)
  }

  private func ids(_ query: JSON, _ transport: TypesenseTransport) async throws -> Set<String> {
    let response = try await transport.send(
      TransportRequest(.search(index: "hostile"), body: Array(query.text.utf8)))
    let answer = try JSON(parsing: response.body)
    expectEqual(response.status, 200, "\(answer.text)")
    return Set((answer["hits"]?.arrayValue ?? []).compactMap { $0["objectID"]?.stringValue })
  }

  private func fill() async throws {
    let client = SearchClient(transport: try transport())
    try await client.setSettings(
      IndexSettings(searchableAttributes: ["value"], attributesForFaceting: ["value"]),
      of: "hostile")
    try await client.save(
      Self.values.map { value -> JSON in
        ["objectID": .string(value), "value": .string(value)]
      }, in: "hostile")
  }

  @Test("Each value finds itself, alone, in a list and negated, and as an ID")
  func values() async throws {
    try await fill()
    let transport = try transport()
    let all = Set(Self.values)
    for value in Self.values {
      let filter = "value:\(value)"
      for text in [filter, "objectID:\(value)"] {
        if value.hasPrefix("-") { continue }
        try await expectEqual(
          ids(["facetFilters": [.string(text)], "hitsPerPage": 100], transport), [value])
      }
      guard !value.hasPrefix("-") else { continue }
      try await expectEqual(
        ids(
          ["facetFilters": [.string("value:-\(value)")], "hitsPerPage": 100], transport),
        all.subtracting([value]))
      try await expectEqual(
        ids(
          ["facetFilters": [["value:C++", .string(filter)]], "hitsPerPage": 100], transport),
        ["C++", value])
      let record = try await transport.send(
        TransportRequest(.getObject(index: "hostile", objectID: value)))
      expectEqual(record.status, 200)
    }
    let facets = try await transport.send(
      TransportRequest(
        .search(index: "hostile"),
        body: Array(#"{"facets":["value"],"maxValuesPerFacet":1000}"#.utf8)))
    let counts = try JSON(parsing: facets.body)["facets"]?["value"]?.objectValue ?? [:]
    expectEqual(Set(counts.keys), all)
    expectEqual(Set(counts.values), [1])
  }

  @Test("A scoped key finds what its filter allows, and nothing else")
  func scopedKeys() async throws {
    try await fill()
    let parent = try await searchKey()
    let key = try TypesenseTransport.scopedKey(
      parentKey: parent, filters: "value:\"C++\" OR value:\"`x`\"")
    let limited = try transport(key)
    try await expectEqual(ids(["query": ""], limited), ["C++", "`x`"])
    try await expectEqual(ids(["facetFilters": ["value:C#"]], limited), [])
    try await expectEqual(ids(["facetFilters": [["value:C#", "value:C++"]]], limited), ["C++"])
    let record = try await limited.send(
      TransportRequest(.getObject(index: "hostile", objectID: "C#")))
    expectEqual(record.status, 404)
    for request in [
      TransportRequest(.deleteObject(index: "hostile", objectID: "C++")),
      TransportRequest(.clear(index: "hostile")),
      TransportRequest(.setSettings(index: "hostile"), body: Array("{}".utf8)),
    ] {
      let response = try await limited.send(request)
      expectEqual(response.status, 403)
    }
    let ended = try TypesenseTransport.scopedKey(
      parentKey: parent, validUntil: Date(timeIntervalSince1970: 1))
    let late = try await transport(ended).send(
      TransportRequest(.search(index: "hostile"), body: Array("{}".utf8)))
    expectEqual(late.status, 403)
    #expect(throws: SearchError.self) {
      try TypesenseTransport.scopedKey(parentKey: parent, filters: "price > 5")
    }
  }

  /// Makes a key that only searches.
  private func searchKey() async throws -> String {
    let body = #"{"description":"","actions":["documents:search"],"collections":[".*"]}"#
    let response = try await SystemExchange.send(
      HTTPExchangeRequest(
        method: .post, url: "http://127.0.0.1:\(try Server.single.get().ports[0])/keys",
        headers: [HTTPHeader(name: "X-TYPESENSE-API-KEY", value: Server.key)],
        body: Array(body.utf8), timeout: .seconds(10)))
    return try JSON(parsing: response.body)["value"]?.stringValue ?? ""
  }
}
