// swift-format-ignore-file

// Example 14 of 19 of the callback library. Multi Hits: a connector.

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
let actorHitsInteractor: HitsInteractor<Actor> = .init(infiniteScrolling: .off)
let movieHitsInteractor: HitsInteractor<Movie> = .init(infiniteScrolling: .off)

let movieFilterState: FilterState = .init()
let hitsTableViewController = MultiIndexHitsTableController(tableView: .init())

let multiIndexHitsConnector = MultiIndexHitsConnector(appID: "YourApplicationID",
                                                      apiKey: "YourSearchOnlyAPIKey",
                                                      indexModules: [
                                                        .init(indexName: "actors",
                                                              hitsInteractor: actorHitsInteractor),
                                                        .init(indexName: "movies",
                                                              hitsInteractor: movieHitsInteractor,
                                                              filterState: movieFilterState)
                                                      ],
                                                      controller: hitsTableViewController)
