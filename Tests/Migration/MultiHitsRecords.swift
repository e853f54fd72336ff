// swift-format-ignore-file

// Example 13 of 19 of the callback library. Multi Hits: records and interactors.

import AsyncInstantSearch

// The example.
struct Actor: Codable {
  // ...
}

struct Movie: Codable {
  // ...
}

let actorHitsInteractor: HitsInteractor<Actor> = .init(infiniteScrolling: .off)
let movieHitsInteractor: HitsInteractor<Movie> = .init(infiniteScrolling: .off)
