// swift-format-ignore-file

// Example 10 of 19 of the callback library. Hits: an interactor without and with metadata.

import AsyncInstantSearch

// What the example takes as given.
struct Movie: Codable { let title: String }

// The example.
struct WithoutMetadata {
let hitsInteractor = HitsInteractor<Movie>()
}
struct WithMetadata {
let hitsInteractor = HitsInteractor<Hit<Movie>>()
}
