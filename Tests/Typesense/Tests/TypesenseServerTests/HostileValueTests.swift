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

  @Test("A pinned record outside the filter of a scoped key stays hidden")
  func pinnedRecords() async throws {
    try await fill()
    let client = SearchClient(transport: try transport())
    try await client.saveRules(
      [Rule("pin", consequence: .init(promote: [.init(["C#", "C++"], at: 0)]))], in: "hostile")
    let parent = try await searchKey()
    let key = try TypesenseTransport.scopedKey(parentKey: parent, filters: "value:\"C++\"")
    try await expectEqual(ids(["query": ""], transport(key)), ["C++"])
    let answer = try await transport(key).send(
      TransportRequest(.search(index: "hostile"), body: Array(#"{"facets":["value"]}"#.utf8)))
    try expectEqual(JSON(parsing: answer.body)["facets"], ["value": ["C++": 1]])
    let values = try await transport(key).send(
      TransportRequest(
        .facetValues(index: "hostile", facet: "value"), body: Array("{}".utf8)))
    #expect(!String(decoding: values.body, as: UTF8.self).contains("C#"))
    // The holder of the key asks the server itself.
    let collections = try await send(.get, "collections", key: Server.key).arrayValue ?? []
    let name = collections.compactMap { $0["name"]?.stringValue }.first { $0.hasPrefix("hostile~") }
    for wish in [0, 1] as [JSON] {
      let own = try await send(
        .post, "multi_search", key: key,
        [
          "searches": [
            [
              "collection": .string(try #require(name)), "q": "*", "pinned_hits": "4323:1",
              "filter_curated_hits": wish,
            ]
          ]
        ])
      expectEqual(own["results"]?.arrayValue?.first?["found"], 1, "\(own.text)")
    }
    try await client.clearRules(of: "hostile")
  }

  private func send(
    _ method: Endpoint.Method, _ path: String, key: String, _ body: JSON? = nil
  ) async throws -> JSON {
    let response = try await SystemExchange.send(
      HTTPExchangeRequest(
        method: method, url: "http://127.0.0.1:\(try Server.single.get().ports[0])/\(path)",
        headers: [HTTPHeader(name: "X-TYPESENSE-API-KEY", value: key)],
        body: body.map { Array($0.text.utf8) } ?? [], timeout: .seconds(10)))
    return try JSON(parsing: response.body)
  }

  /// Makes a key that only searches.
  private func searchKey() async throws -> String {
    let body: JSON = ["description": "", "actions": ["documents:search"], "collections": [".*"]]
    return try await send(.post, "keys", key: Server.key, body)["value"]?.stringValue ?? ""
  }
}
