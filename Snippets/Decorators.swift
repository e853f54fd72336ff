// Composed transports: a cache, batches, a rate limit, and an engine as the offline fallback.
import AsyncInstantSearch
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
}

/// A simulated network: the engine behind a switch.
actor Network: SearchTransport {
  private let engine: LocalSearch
  private var isUp = true

  init(_ engine: LocalSearch) { self.engine = engine }

  func set(isUp: Bool) { self.isUp = isUp }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    if !isUp { throw SearchError(.unreachable, "There is no network.") }
    return try await engine.send(request)
  }
}

let films = ["Alien", "Aliens", "Heat", "Metropolis", "Solaris", "Stalker"].map(Film.init)
let engine = try await LocalSearch(indexName: "films", records: films)
let network = Network(engine)

// snippet.stack
let limited = RateLimitingTransport(wrapping: network, requestsPerSecond: 100)
let cache = CachingTransport(wrapping: BatchingTransport(wrapping: limited))
let transport = FallbackTransport(primary: cache, fallback: engine, failureThreshold: 1)
let observed = ObservedTransport(
  wrapping: transport,
  observer: ObservedTransport.Observer(ended: { call, completion in
    let origin = completion.origin.map { "\($0)" } ?? "nobody"
    print("  \(call.request): \(completion.status ?? 0) of \(origin)")
  }))
let client = SearchClient(transport: observed)
// snippet.end

print("One search twice:")
for _ in 0..<2 {
  _ = try await client.search("films", SearchQuery("alien"), of: Hit<Film>.self)
}

let quiet = SearchClient(transport: cache)
// snippet.burst
try await withThrowingTaskGroup { group in
  for number in 0..<1_000 {
    let query = SearchQuery(films[number % films.count].title)
    group.addTask { _ = try await quiet.search("films", query, of: Hit<Film>.self) }
  }
  try await group.waitForAll()
}
// snippet.end
let counts = cache.statistics
print("1,000 more at once: \(counts.misses) answers were asked for in all.")

await network.set(isUp: false)
print("The network goes away:")
// snippet.origin
let page = try await client.search("films", SearchQuery("solar"), of: Hit<Film>.self)
if page.origin == .fallback { print("\(page.hits[0].title) was found offline.") }
// snippet.end
print("The circuit is \(transport.circuitState).")
