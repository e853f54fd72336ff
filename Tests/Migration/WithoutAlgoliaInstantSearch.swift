// swift-format-ignore-file

// The initializers of the examples where AlgoliaInstantSearch is not imported.

import AsyncInstantSearch

final class Controller: HitsController {
  weak var hitsSource: HitsInteractor<JSON>?
  func reload() {}
}

final class Sections: MultiIndexHitsController {
  weak var hitsSource: (any MultiIndexHitsSource)?
  func reload() {}
}

let client = SearchClient(appID: "YourApplicationID", apiKey: "YourSearchOnlyAPIKey")
// expected-error@-1 {{'init(appID:apiKey:)' is unavailable: import AlgoliaInstantSearch, which has this initializer}}
let searcher = HitsSearcher(appID: "YourApplicationID",
// expected-error@-1 {{'init(appID:apiKey:indexName:debounce:)' is unavailable: import AlgoliaInstantSearch, which has this initializer}}
                            apiKey: "YourSearchOnlyAPIKey",
                            indexName: "YourIndexName")
let multiIndexSearcher: MultiIndexSearcher = .init(appID: "YourApplicationID",
// expected-error@-1 {{is unavailable: import AlgoliaInstantSearch, which has this initializer}}
                                                   apiKey: "YourSearchOnlyAPIKey",
                                                   indexNames: ["actors", "movies"])
let hitsConnector = HitsConnector<JSON>(appID: "YourApplicationID",
// expected-error@-1 {{is unavailable: import AlgoliaInstantSearch, which has this initializer}}
                                        apiKey: "YourSearchOnlyAPIKey",
                                        indexName: "YourIndexName",
                                        filterState: FilterState(),
                                        controller: Controller())
let multiIndexHitsConnector = MultiIndexHitsConnector(appID: "YourApplicationID",
// expected-error@-1 {{is unavailable: import AlgoliaInstantSearch, which has this initializer}}
                                                      apiKey: "YourSearchOnlyAPIKey",
                                                      indexModules: [
                                                        .init(indexName: "actors",
                                                              hitsInteractor: HitsInteractor<JSON>())
                                                      ],
                                                      controller: Sections())
