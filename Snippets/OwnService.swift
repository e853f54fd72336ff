// The search API in front of an engine, with keys that are limited and stored, without sockets.
import AsyncInstantSearch
import Foundation
import InstantSearchService
import LocalSearch

let engine = try await LocalSearch(
  indexName: "films",
  records: [
    ["title": "Casablanca", "owner": "ada"], ["title": "Cabaret", "owner": "ada"],
    ["title": "Cat People", "owner": "grace"],
  ],
  settings: IndexSettings(attributesForFaceting: ["filterOnly(owner)"]))
let secret = ServiceKeys.randomKey()
let file = URL.temporaryDirectory.appending(path: "keys-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: file) }

// snippet.keys
/// The keys of a file, and at the first start one that searches the films, two hits at a time.
func readKeys() async throws -> ServiceKeys {
  let keys = try ServiceKeys(adminKey: secret, file: file.path)
  if keys.all.isEmpty {
    try await keys.add(
      APIKey("films-only", acl: [.search], indexes: ["films"], maxHitsPerQuery: 2))
  }
  return keys
}
// snippet.end

// snippet.service
let keys = try await readKeys()
let configuration = SearchService.Configuration { Int(Date().timeIntervalSince1970) }
let service = SearchService(transport: engine, keys: keys, configuration: configuration)
// snippet.end

// snippet.respond
/// Answers one request, whose parts an adapter takes from the HTTP library of a server.
func answer(
  _ method: String, _ target: String, _ body: String, key: String
) async throws -> (status: Int, body: JSON) {
  let request = ServiceRequest(
    method: method, target: target,
    headers: [
      HTTPHeader(name: "X-Algolia-Application-Id", value: "APP"),
      HTTPHeader(name: "X-Algolia-API-Key", value: key),
    ], body: Array(body.utf8), peerAddress: "192.0.2.1")
  let response = await service.respond(to: request)
  guard case .bytes(let bytes) = response.body else { return (response.status, .null) }
  return (response.status, try JSON(parsing: bytes))
}
// snippet.end

for (method, target) in [
  ("POST", "/1/indexes/films/query"), ("POST", "/1/indexes/prices/query"),
  ("DELETE", "/1/indexes/films"),
] {
  let (status, body) = try await answer(
    method, target, #"{"query": "ca", "hitsPerPage": 20}"#, key: "films-only")
  let hits = body["hits"]?.arrayValue.map { "\($0.count) of \(body["nbHits"] ?? 0) hits" }
  print(method, target, status, hits ?? body["message"]?.stringValue ?? "")
}

// snippet.create
let body = """
  {
    "acl": ["search", "browse"],
    "indexes": ["films", "films_*"],
    "validity": 86400,
    "maxQueriesPerIPPerHour": 1000,
    "description": "the web page of the shop"
  }
  """
let made = try await answer("POST", "/1/keys", body, key: secret)
// {"key": "…", "createdAt": "2026-01-31T12:00:00Z"}
// snippet.end
print("POST /1/keys", made.status, made.body["key"]?.stringValue?.count ?? 0, "digits")
print(keys.all.map(\.description).joined(separator: "\n"))

// snippet.client
// A client with the rights of a key, in process.
let admin = SearchClient(transport: service.transport(apiKey: secret))
let value = try await admin.addKey(APIKey(acl: [.search], indexes: ["films"]))
var key = try await admin.key(value)
key.maxHitsPerQuery = 10
try await admin.updateKey(key)
try await admin.deleteKey(value)
try await admin.restoreKey(value)
// snippet.end
print("keys: \(try await admin.keys().count)")

// snippet.secured
// The key of one user, made without a call. The filter needs `filterOnly(owner)` in the settings.
let ownKey = try SecuredAPIKey.generate(
  parentKey: value, restrictions: SecuredAPIKey.Restrictions(filters: "owner:ada"))
let client = SearchClient(transport: service.transport(apiKey: ownKey))
let page = try await client.search("films", of: Hit<JSON>.self)
// snippet.end
print("films of ada: \(page.nbHits)")

// snippet.tools
var withTools = configuration
withTools.tools = SearchService.Tools(
  name: "films", version: "1.0.0", about: ["films": "Films since 1920"])
let toolService = SearchService(transport: engine, keys: keys, configuration: withTools)
// snippet.end
let list = await toolService.respond(
  to: ServiceRequest(
    method: "POST", target: "/mcp",
    headers: [HTTPHeader(name: "Authorization", value: "Bearer films-only")],
    body: Array(#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#.utf8)))
let listed = try JSON(parsing: list.bytes)["result"]?["tools"]?.arrayValue ?? []
print("tools:", listed.compactMap { $0["name"]?.stringValue }.joined(separator: ", "))
