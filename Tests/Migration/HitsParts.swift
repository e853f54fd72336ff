// swift-format-ignore-file

// Example 3 of 19 of the callback library. Hits: part by part.

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
let searcher = HitsSearcher(appID: "YourApplicationID",
                            apiKey: "YourSearchOnlyAPIKey",
                            indexName: "YourIndexName")

let filterState: FilterState  = .init()
let hitsInteractor: HitsInteractor<CustomHitModel> = .init()
let hitsTableViewController = CustomHitsTableViewController()

hitsInteractor.connectSearcher(searcher)
hitsInteractor.connectFilterState(filterState)
hitsInteractor.connectController(hitsTableViewController)
searcher.search()
// expected-error@-1 {{'async' call in a function that does not support concurrency}}
// expected-error@-2 {{call can throw}}
}
