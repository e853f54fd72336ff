// Uses a part of every product, as a dependent package does; .ci/by-url builds it.
import AlgoliaInstantSearch
import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
import InstantSearchClient
import InstantSearchService
import InstantSearchViews
import LocalSearch
import TypesenseTransport

struct Film: Codable, Sendable { let title: String }

let engine = try await LocalSearch(
  indexName: "films", records: [Film(title: "Metropolis"), Film(title: "Casablanca")])
let transport = FaultyTransport(wrapping: CachingTransport(wrapping: engine)) { _, _ in nil }
let searcher = HitsSearcher(client: SearchClient(transport: transport), indexName: "films")
let hits = HitsInteractor<Hit<Film>>()
hits.connectSearcher(searcher)
searcher.setQuery("metropilis")
try await searcher.search()
print(hits.currentHits.map(\.title))

let hosted = SearchClient(appID: "YourApplicationID", apiKey: "YourSearchOnlyAPIKey")
let key = try SecuredAPIKey.generate(
  parentKey: "key", restrictions: SecuredAPIKey.Restrictions(filters: "owner:1"))
let insights = try InsightsClient(transport: ScriptedTransport(json: "{}"), userToken: "visitor-1")
try await insights.track(
  .viewed(filters: [Attribute("genre") == "Drama"], named: "Genre Seen", in: "films"))
print("\(await insights.flush().sentCount) event sent, a key of \(key.count) characters")
let service = SearchService(
  transport: engine, keys: try ServiceKeys(adminKey: "admin"), configuration: .init { 0 })
let response = await service.respond(
  to: ServiceRequest(
    method: "GET", target: "/1/indexes/films/settings",
    headers: [HTTPHeader(name: "X-Algolia-API-Key", value: "admin")]))
print("the service answers \(response.status)")
let cluster = TypesenseTransport(
  nodes: [SearchHost("search-1.example.com")], apiKey: "key")
withExtendedLifetime((hosted, cluster)) {}
