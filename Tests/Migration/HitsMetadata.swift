// swift-format-ignore-file

// Example 12 of 19 of the callback library. Hits: the metadata of a hit.

import AsyncInstantSearch

// The example.
struct Metadata<T: Decodable & Sendable> {
// Hit identifier attributed by Algolia
let objectID: String

// Wrapped record object
let object: T

// Snippeted attributes.
let snippetResult: TreeModel<SnippetResult>?

// Highlighted attributes. Each attribute contains an object or an array of objects (if the attribute in question is an array) with the following attributes.
let highlightResult: TreeModel<HighlightResult>?

// Ranking information.
let rankingInfo: RankingInfo?

// Geolocation information
let geolocation: Point?
}

extension Metadata {
  init(_ hit: Hit<T>) {
    objectID = hit.objectID
    object = hit.object
    snippetResult = hit.snippetResult
    highlightResult = hit.highlightResult
    rankingInfo = hit.rankingInfo
    geolocation = hit.geolocation
    // expected-error@-1 {{cannot assign value of type 'SingleOrList<Point>?' to type 'Point?'}}
    // expected-note@-2 {{('SingleOrList<Point>' and 'Point') are expected to be equal}}
  }
}
