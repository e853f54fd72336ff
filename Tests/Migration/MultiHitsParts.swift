// swift-format-ignore-file

// Example 15 of 19 of the callback library. Multi Hits: part by part.

import AlgoliaInstantSearch
import AsyncInstantSearch
import UIKit

// What the example takes as given.
struct Actor: Codable { let name: String }
struct Movie: Codable { let title: String }
final class MultiIndexHitsTableController: MultiIndexHitsController {
  let tableView: UITableView
  weak var hitsSource: MultiIndexHitsSource?
  init(tableView: UITableView) { self.tableView = tableView }
  func reload() {}
}

// The example.
let searcher: MultiIndexSearcher = .init(appID: "YourApplicationID",
                                         apiKey: "YourSearchOnlyAPIKey",
                                         indexNames: ["actors", "movies"])

let actorHitsInteractor: HitsInteractor<Actor> = .init(infiniteScrolling: .off)
let movieHitsInteractor: HitsInteractor<Movie> = .init(infiniteScrolling: .off)

let hitsInteractor: MultiIndexHitsInteractor = .init(hitsInteractors: [actorHitsInteractor, movieHitsInteractor])

hitsInteractor.connectSearcher(searcher)

let hitsTableViewController = MultiIndexHitsTableController(tableView: .init())
hitsInteractor.connectController(hitsTableViewController)

let movieFilterState: FilterState = .init()
movieHitsInteractor.connectFilterState(movieFilterState)
searcher.connectFilterState(movieFilterState, withQueryAtIndex: 1)
