// swift-format-ignore-file

// Example 2 of 19 of the callback library. Hits: a connector.

import AlgoliaInstantSearch
import AsyncInstantSearch

// What the example takes as given.
struct CustomHitModel: Codable { let name: String }
final class CustomHitsTableViewController: HitsController {
  weak var hitsSource: HitsInteractor<CustomHitModel>?
  func reload() {}
}

// The example.
@MainActor func setup() {
// expected-note@-1 {{add 'async' to function 'setup()' to make it asynchronous}}
let filterState: FilterState  = .init()
let hitsTableViewController = CustomHitsTableViewController()
let hitsConnector = HitsConnector<CustomHitModel>(appID: "YourApplicationID",
                                              apiKey: "YourSearchOnlyAPIKey",
                                              indexName: "YourIndexName",
                                              filterState: filterState,
                                              controller: hitsTableViewController)

hitsConnector.searcher.search()
// expected-error@-1 {{'async' call in a function that does not support concurrency}}
// expected-error@-2 {{call can throw}}
}
