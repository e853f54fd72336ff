// A cluster of your own: the same calls over another transport.
import AsyncInstantSearch
import Foundation
import TypesenseTransport

struct Film: Codable, Sendable {
  let objectID: String
  let title: String
  let year: Int
}

let environment = ProcessInfo.processInfo.environment
guard let apiKey = environment["TYPESENSE_API_KEY"], let names = environment["TYPESENSE_NODES"]
else {
  print("Set TYPESENSE_NODES, such as search-1.example.com,search-2.example.com, and")
  print("TYPESENSE_API_KEY, an admin key, then run this again; nothing else has to change.")
  exit(0)
}

// snippet.client
let nodes = names.split(separator: ",").map { name in
  // A server on this machine has no certificate.
  name.hasPrefix("localhost:")
    ? SearchHost("localhost", scheme: .http, port: Int(name.dropFirst(10)))
    : SearchHost(String(name))
}
let client = SearchClient(transport: TypesenseTransport(nodes: nodes, apiKey: apiKey))
// snippet.end

// snippet.report
let settings = IndexSettings(
  searchableAttributes: ["title"], attributesForFaceting: ["year"], customRanking: ["desc(year)"])
let report = TypesenseTransport.report(for: settings)
for difference in report.differences { print("differs:", difference) }
for refusal in report.refusals { print("refused:", refusal) }
// snippet.end

/// A key for one user of a program, made from a key that only searches.
func scopedKey(for user: String, from searchOnlyKey: String) throws -> String {
  // snippet.key
  let key = try TypesenseTransport.scopedKey(
    parentKey: searchOnlyKey, filters: "owner:\(user)", validUntil: .now + 3600)
  // snippet.end
  return key
}

do {
  try await client.setSettings(settings, of: "films")
  try await client.save([Film(objectID: "1", title: "Metropolis", year: 1927)], in: "films")
  // Other nodes show a write about half a second later.
  try await Task.sleep(for: .seconds(1))
  let page = try await client.search("films", SearchQuery("metropolis"), of: Film.self)
  print(page.hits.map(\.title))
} catch {
  print(error)
  exit(1)
}
