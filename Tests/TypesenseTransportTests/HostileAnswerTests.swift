import AsyncInstantSearchTesting
import InstantSearchAPI
import InstantSearchHTTP
import TestSupport
import Testing

@testable import TypesenseTransport

/// Answers of a server that no server should give.
struct HostileAnswerTests {
  /// Members that replace the ones of every result of a search for records.
  private static let members: [JSON] = [
    ["search_time_ms": .int(.max), "found": .int(.max)],
    ["search_time_ms": .int(.min), "found": -1],
    ["search_time_ms": "x", "found": [:]],
    ["hits": [:]], ["hits": [[:], 1, ["document": 1]]],
    ["hits": [["document": ["_record": "[1]", "id": "61", "_k": 1]]]],
    ["hits": [["document": ["_record": "{", "id": "61", "_k": 1]]]],
    ["hits": [["document": [:], "geo_distance_meters": ["_geo": .int(.max)]]]],
    ["facet_counts": ["a": 1]],
    ["facet_counts": [facet(counts: [:])]],
    [
      "facet_counts": [
        facet(
          counts: .object(
            Dictionary(uniqueKeysWithValues: (0..<300).map { ("\($0)", JSON.int(1)) })))
      ]
    ],
    [
      "facet_counts": [
        facet(
          counts: .array(Array(repeating: ["value": "x61", "count": .int(.max)], count: 300)))
      ]
    ],
    ["facet_counts": [facet(counts: [["value": "x61", "count": .int(.min)]])]],
  ]

  private static func facet(counts: JSON) -> JSON {
    [
      "field_name": "c_636f6c6f72", "counts": counts,
      "stats": ["min": 1, "max": 2, "sum": 0, "avg": 0],
    ]
  }

  private static let calls: [TransportRequest] = [
    search(#"{"facets":["*"],"maxValuesPerFacet":5}"#), search(#"{"distinct":true}"#),
    search(#"{"aroundLatLng":"1,2"}"#),
    TransportRequest(.browse(index: "i"), body: Array("{}".utf8)),
    TransportRequest(.facetValues(index: "i", facet: "color"), body: Array("{}".utf8)),
    TransportRequest(.getObject(index: "i", objectID: "a")),
    TransportRequest(.deleteBy(index: "i"), body: Array(#"{"filters":"color:a"}"#.utf8)),
    TransportRequest(.listIndices),
  ]

  private static func search(_ query: String) -> TransportRequest {
    TransportRequest(.search(index: "i"), body: Array(query.utf8))
  }

  @Test(
    "Answers beyond every limit are answers or errors, and no traps", arguments: 0..<calls.count)
  func answers(number: Int) async throws {
    let (server, clock) = (FakeServer(), ManualClock())
    let replacement = Lock<JSON?>(nil)
    let transport = TypesenseTransport(
      nodes: [SearchHost("node.example")], apiKey: "key",
      configuration: .patient(clock) { request in
        let response = try await server.answer(request)
        guard case .object(let members)? = replacement.withLock({ $0 }),
          request.url.contains("multi_search"),
          let searches = try JSON(parsing: request.body)["searches"]?.arrayValue,
          let results = try JSON(parsing: response.body)["results"]?.arrayValue
        else { return response }
        let changed = zip(searches, results).map { search, result -> JSON in
          // Descriptions stay, but for the list of all.
          guard
            search["collection"] != "instantsearch_indices" || search["filter_by"] == "kind:=index",
            let own = result.objectValue
          else { return result }
          return .object(own.merging(members) { $1 })
        }
        return HTTPExchangeResponse(
          status: 200, body: Array(JSON.object(["results": .array(changed)]).text.utf8))
      })
    for (request, status) in [
      (
        TransportRequest(
          .setSettings(index: "i"),
          body: Array(
            #"{"attributesForFaceting":["searchable(color)"],"attributeForDistinct":"color"}"#.utf8)
        ),
        200
      ),
      (
        TransportRequest(
          .saveObject(index: "i"), body: Array(#"{"objectID":"a","color":"a"}"#.utf8)), 201
      ),
    ] {
      try await expectEqual(transport.send(request).status, status)
    }
    for members in Self.members {
      replacement.withLock { $0 = members }
      do {
        let response = try await clock.advancing { try await transport.send(Self.calls[number]) }
        #expect(
          (try? JSON(parsing: response.body)) != nil,
          "\(members.text) \(String(decoding: response.body, as: UTF8.self))")
      } catch is SearchError {
      }
    }
  }

  @Test(
    "A rule cannot promote beyond the first pages",
    arguments: [Int.max, Int.max - 1, 1000, 4_000_000_000, -1])
  func positions(position: Int) async throws {
    let server = FakeServer()
    let transport = TypesenseTransport(
      nodes: [SearchHost("node.example")], apiKey: "key",
      configuration: .patient(ManualClock()) { try await server.answer($0) })
    let rule = """
      {"objectID":"r","conditions":[],"consequence":{"promote":[{"objectID":"a","position":\(position)}]}}
      """
    let response = try await transport.send(
      TransportRequest(.rules(index: "i", .save(objectID: "r")), body: Array(rule.utf8)))
    expectEqual(response.status, 400)
  }
}
