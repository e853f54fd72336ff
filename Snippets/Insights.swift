// Events about what users do: kept in a file, sent in batches, checked before either.
import AsyncInstantSearch
import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import Foundation

struct Film: Codable, Sendable { let title: String }

// Stands for the service, which is not asked here: it prints what it is sent.
let service = ScriptedTransport { request, _ in
  let events = try JSON(parsing: request.body)["events"]?.arrayValue ?? []
  print("One call with \(events.count) events:")
  for event in events {
    let what = event["eventSubtype"]?.stringValue ?? event["eventType"]?.stringValue ?? ""
    print("  \(what) \(event["eventName"] ?? "") \(event["objectIDs"] ?? event["filters"] ?? "")")
  }
  return TransportResponse(status: 200, body: Array(#"{"status":200,"message":"OK"}"#.utf8))
}
let folder = FileManager.default.temporaryDirectory.appending(path: "insights-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

// A page as a search with `clickAnalytics` gives it.
let answer = """
  {"hits": [{"objectID": "tt0113277", "title": "Heat"}, {"objectID": "tt0068646", "title": "The Godfather"}],
   "page": 0, "hitsPerPage": 20, "queryID": "43b15df305339e827f0ac0bdc5ebcaa7"}
  """
let search = SearchClient(transport: ScriptedTransport(json: answer))
let page = try await search.search(
  "films", SearchQuery("heat").setting(\.clickAnalytics, to: true), of: Hit<Film>.self)

// snippet.insights
let insights = try InsightsClient(
  transport: service, userToken: "visitor-42",
  storage: InsightsJournal(path: folder.appending(path: "events.journal").path))

let hit = page.hits[0]
try await insights.track(.clicked(hit, named: "Film Opened", in: "films"))
try await insights.track(
  .addedToCart(
    [InsightsItem(hit, price: "9.90", quantity: 1)], value: "9.90", currency: "EUR",
    named: "Ticket Chosen", in: "films"))
try await insights.track(
  .viewed(filters: [Attribute("genre") == "Film & Noir"], named: "Genre Seen", in: "films"))
let flush = await insights.flush()
// snippet.end
print("\(flush.sentCount) sent, \(flush.remainingCount) left")

// A mistake is found where it is made; nothing of it is kept.
do {
  try await insights.track(
    .clicked(
      objectIDs: ["tt0113277"], positions: [0], queryID: page.queryID ?? "", named: "Film Opened",
      in: "films"))
} catch {
  print(error.message)
}
do {
  _ = try InsightsEvent.clicked(
    Hit(objectID: "tt0110912", object: Film(title: "Pulp Fiction")), named: "Film Opened",
    in: "films")
} catch {
  print(error.message)
}
