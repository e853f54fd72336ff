// swift-format-ignore-file

// The parameters for places that the documents of the callback library list.

import AsyncInstantSearch

@MainActor func connect(_ searcher: PlacesSearcher) {
  _ = HitsConnector<Hit<Place>>(searcher: searcher, interactor: HitsInteractor())
  // expected-error@-1 {{is unavailable: use 'PlacesConnector'}}
  _ = HitsConnector<Hit<Place>>(placesAppID: "YourApplicationID", apiKey: "YourAPIKey")
  // expected-error@-1 {{is unavailable: use 'PlacesConnector' with a 'PlacesSearcher'}}
}
