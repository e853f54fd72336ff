// The hosted service: the same calls over another transport.
import AlgoliaTransport
import AsyncInstantSearch
import Foundation

let environment = ProcessInfo.processInfo.environment
guard let appID = environment["ALGOLIA_APP_ID"], let apiKey = environment["ALGOLIA_API_KEY"],
  let indexName = environment["ALGOLIA_INDEX"]
else {
  print("Set ALGOLIA_APP_ID, ALGOLIA_API_KEY (a search-only key) and ALGOLIA_INDEX,")
  print("then run this again to search your own index; nothing else has to change.")
  exit(0)
}

// snippet.client
let client = SearchClient(appID: appID, apiKey: apiKey)
// snippet.end
let text = CommandLine.arguments.dropFirst().joined(separator: " ")
do {
  let page = try await client.search(
    indexName, SearchQuery(text).setting(\.hitsPerPage, to: 5), of: Hit<JSON>.self)
  for hit in page.hits { print("\(hit.searchMetadata.position ?? 0). \(hit.objectID)") }
  print("\(page.nbHits) hits in \(page.processingTimeMS) ms")
} catch {
  print(error)
  exit(1)
}
