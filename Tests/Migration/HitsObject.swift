// swift-format-ignore-file

// Example 11 of 19 of the callback library. Hits: the record of a hit.

import AsyncInstantSearch

// What the example takes as given.
struct Movie: Codable { let title: String }
let hitsInteractor = HitsInteractor<Hit<Movie>>()

// The example.
let movieHit: Hit<Movie> = hitsInteractor.hit(atIndex: 0)
// expected-error@-1 {{value of optional type 'Hit<Movie>?' must be unwrapped}}
// expected-note@-2 {{coalesce using '??' to provide a default}}
// expected-note@-3 {{force-unwrap using '!'}}
let movie: Movie = movieHit.object
