// Hosts that fail: a call continues with the next host, and later calls remember it.
import AlgoliaTransport
import AsyncInstantSearch

struct Film: Codable, Sendable { let title: String }

// A simulated network: the first host is down, and the second one responds.
let network: HTTPExchange = { request in
  if request.url.contains("one.example") { throw HTTPExchangeError.network("could not connect") }
  return HTTPExchangeResponse(
    status: 200, body: Array(#"{"hits": [{"title": "Alien"}], "nbHits": 1}"#.utf8))
}

// snippet.hosts
var configuration = AlgoliaTransport.Configuration(
  hosts: [SearchHost("one.example"), SearchHost("two.example")], exchange: network)
configuration.onAttempt = { attempt in
  print("  \(attempt.host): \(attempt.outcome)")
}
let client = SearchClient(
  transport: AlgoliaTransport(appID: "APPID", apiKey: "search-only", configuration: configuration))
// snippet.end

for number in 1...2 {
  print("Call \(number):")
  let page = try await client.search("films", SearchQuery("alien"), of: Film.self)
  print("  \(page.hits[0].title)")
}

// A call can have a timeout for all of its attempts, and one for each attempt.
print("A call with two seconds for all of it:")
// snippet.options
let options = RequestOptions(timeout: .seconds(2), attemptTimeout: .milliseconds(500))
let page = try await client.search("films", SearchQuery("alien"), of: Film.self, options: options)
// snippet.end
print("  \(page.hits[0].title)")
