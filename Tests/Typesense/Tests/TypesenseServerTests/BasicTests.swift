import Foundation
import InstantSearchClient
import LocalSearch
import Testing
import TypesenseTransport

/// One call on both back ends.
func answers(
  _ path: [String], _ body: JSON, _ transports: [any SearchTransport]
) async throws -> [JSON] {
  var results: [JSON] = []
  for transport in transports {
    let response = try await transport.send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes"] + path, body: Array(body.text.utf8)))
    results.append(withoutTimes(try JSON(parsing: response.body)))
  }
  return results
}

func withoutTimes(_ json: JSON) -> JSON {
  guard var members = json.objectValue else { return json }
  members["processingTimeMS"] = nil
  members["message"] = json["status"] == nil ? nil : json["message"]
  if case .array(let results)? = members["results"] {
    members["results"] = .array(results.map(withoutTimes))
  }
  return .object(members)
}

@Suite(.serialized) struct BasicTests {
  static let films: [JSON] = [
    [
      "objectID": "1", "title": "The Wild-West", "genres": ["Drama", "Comedy"], "year": 1994,
      "rating": 8.5, "v": [1, 5, 9],
    ],
    [
      "objectID": "a/b c", "title": "Hello.World", "genres": ["comedy"], "year": 2001,
      "rating": 7.25, "v": [3],
    ],
    [
      "objectID": "`x`", "title": "Über allen Gipfeln", "genres": ["C++", "C#"], "year": 1999,
      "rating": 9, "v": [2, 8],
    ],
    ["objectID": "..", "title": "МОСКВА слезам", "genres": ["Drama"], "year": 1980, "rating": 8.1],
  ]

  @Test func searching() async throws {
    let server = try Server.single.get()
    let transport = TypesenseTransport(nodes: server.nodes, apiKey: Server.key)
    let client = SearchClient(transport: transport)
    let local = LocalSearch()
    let engine = SearchClient(transport: local)
    for client in [client, engine] {
      _ = try await client.setSettings(
        IndexSettings(
          searchableAttributes: ["title"], attributesForFaceting: ["searchable(genres)", "year"],
          customRanking: ["desc(rating)"]), of: "films")
      _ = try await client.save(Self.films, in: "films")
    }
    for query: JSON in [
      ["query": ""], ["query": "wild"], ["query": "москва"], ["query": "world"],
      ["query": "helloworld"],
      ["query": "uber gip"], ["filters": "genres:\"C++\""],
      ["filters": "year > 1990 AND NOT genres:comedy"],
      ["numericFilters": ["rating:8 TO 9"]],
      ["facets": ["*"]], ["filters": "NOT rating:8 TO 9"],
      ["filters": "unknown > 3 OR year = 1980"], ["filters": "objectID:\"`x`\""],
      ["filters": "NOT v:2 TO 4"], ["filters": "v != 5"], ["filters": "NOT v < 3"],
      ["filters": "NOT v != 3"],
      ["facetFilters": [["genres:drama", "genres:-comedy"], "year:1994"]],
      ["query": "-wild", "advancedSyntax": true],
      ["query": "\"hello world\"", "advancedSyntax": true],
      ["offset": 1, "length": 2], ["page": 1, "hitsPerPage": 3], ["hitsPerPage": 0],
    ] {
      let both = try await answers(["films", "query"], query, [transport, local])
      #expect(both[0] == both[1], "\(query)")
    }
    for facet: JSON in [["facetQuery": "com"], ["facetQuery": ""], ["facetQuery": "c"]] {
      let both = try await answers(
        ["films", "facets", "genres", "query"], facet, [transport, local])
      #expect(both[0] == both[1], "\(facet)")
    }
    let both = try await answers(
      ["*", "objects"],
      [
        "requests": [
          ["indexName": "films", "objectID": ".."], ["indexName": "films", "objectID": "none"],
        ]
      ], [transport, local])
    #expect(both[0] == both[1])
  }
}
