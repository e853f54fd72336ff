import Foundation
import InstantSearchService
import LocalSearch
import TestSupport
import Testing

/// The table of the article about endpoints says what the service does.
struct EndpointTableTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let method: String
    let path: String
    let answer: String
    var testDescription: String { "\(method) \(path)" }
  }

  private static let rows: [Row] = {
    let article = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(
        path: "../../Sources/InstantSearchService/InstantSearchService.docc/Endpoints.md")
    let text = (try? String(contentsOf: article, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
      }
      guard cells.count == 3, cells[1].hasPrefix("/1") else { return nil }
      return Row(method: cells[0], path: cells[1], answer: cells[2])
    }
  }()

  /// A body with which each call succeeds.
  private static let bodies: [String: JSON] = [
    "/1/indexes/a": ["n": 1],
    "batch": ["requests": [["action": "clear", "indexName": "a"]]],
    "objects": ["requests": []], "deleteByQuery": ["filters": "a:b"],
    "operation": ["operation": "copy", "destination": "b"], "queries": ["requests": []],
    "/1/keys": ["acl": []], "/1/keys/k": ["acl": []], "partial": ["n": 1],
    "/1/indexes/a/synonyms/s": ["objectID": "s", "type": "synonym", "synonyms": ["x", "y"]],
    "/1/indexes/a/synonyms/batch": [],
    "/1/indexes/a/rules/r": ["objectID": "r", "consequence": ["hide": []]],
    "/1/indexes/a/rules/batch": [], "/1/dictionaries/stopwords/batch": ["requests": []],
  ]

  @Test func tableHasEveryEndpoint() {
    expectEqual(Self.rows.count, 57)
    for row in Self.rows where row.answer != "404" && row.path != "/1/isalive" {
      let path = row.path.split(separator: "/").map(String.init)
      #expect(Endpoint.methods(at: path).map(\.rawValue).contains(row.method), "\(row.path)")
    }
  }

  @Test(arguments: rows) func callIsAnsweredAsTheTableSays(row: Row) async throws {
    let fixture = try ServiceFixture(keys: [APIKey("k", acl: [])])
    let engine = fixture.engine
    try await engine.setSettings(
      IndexSettings(attributesForFaceting: ["searchable(f)", "a"]), of: "a")
    try await engine.setSettings(.places, of: "places")
    try await engine.save([["objectID": "1", "f": "x"], ["objectID": "r"]], in: "a")
    try await engine.save([["objectID": "1"]], in: "places")
    for (kind, body) in [("synonyms", "s"), ("rules", "r")] {
      let path = "/1/indexes/a/\(kind)/\(body)"
      try await expectEqual(fixture.call("PUT", path, Self.bodies[path]).status, 200)
    }
    if row.path.hasSuffix("restore") { _ = await fixture.respond("DELETE", "/1/keys/k") }
    var path = row.path
    let isSynonym = path.contains("synonyms")
    for (name, value) in [
      ("{index}", "a"), ("{facet}", "f"), ("{key}", "k"), ("{taskID}", "1"),
      ("{objectID}", isSynonym ? "s" : path.contains("rules") ? "r" : "1"),
      ("{dictionary}", "stopwords"), ("{source}", "10.0.0.0%2F8"), ("{userToken}", "u"),
    ] { path = path.replacing(name, with: value) }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    var body =
      ["GET", "DELETE"].contains(row.method) ? nil : Self.bodies[path] ?? Self.bodies[name]
    if body == nil, row.method == "PUT" { body = [:] }
    let target = path.hasSuffix("reverse") ? path + "?aroundLatLng=1,2" : path
    let answer = try await fixture.call(row.method, target, body)
    let expected = Int(row.answer)
    #expect(
      expected.map { $0 == answer.status } ?? (200..<300).contains(answer.status),
      "\(answer.status) \(answer.body.text)")
  }
}
