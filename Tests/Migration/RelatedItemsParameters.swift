// swift-format-ignore-file

// Example 19 of 19 of the callback library. Related Items: the reference and the patterns.

import AsyncInstantSearch
import Foundation

// The example.
struct Product: Codable {
    let name: String
    let brand: String
    let type: String
    let categories: [String]
    let image: URL
}

let matchingPatterns: [MatchingPattern<Product>] =
  [
    MatchingPattern(attribute: "brand", score: 1, filterPath: \.brand),
    MatchingPattern(attribute: "categories", score: 2, filterPath: \.categories)
  ]

func reference() -> any Sendable {
// The reference has fewer members than the record above.
struct Product: Codable {
  let name: String
  let brand: String
  let categories: [String]
}
let product = Product.init(name: "productName", brand: "Amazon", categories: ["Streaming Media Players", "TV & Home Theater"])
let hit: Hit<Product> = .init(objectID: "1234", object: product)
return hit
}
