// swift-format-ignore-file

// Example 18 in an older document of the callback library, with SingleIndexSearcher.

import AlgoliaInstantSearch
import AsyncInstantSearch
import UIKit

// What the example takes as given.
struct Product: Codable {
  let name: String
  let brand: String
  let categories: [String]
}
let product = Product(name: "productName", brand: "Amazon", categories: [])
final class CustomHitsTableViewController: HitsController {
  weak var hitsSource: HitsInteractor<JSON>?
  func reload() {}
}

// The example.
class RelatedItemsViewController: UIViewController {
let searcher: SingleIndexSearcher = SingleIndexSearcher(appID: "YourApplicationID",
// expected-warning@-1 {{'SingleIndexSearcher' is deprecated: renamed to 'HitsSearcher'}}
// expected-warning@-2 {{'SingleIndexSearcher' is deprecated: renamed to 'HitsSearcher'}}
// expected-note@-3 {{use 'HitsSearcher' instead}}
// expected-note@-4 {{use 'HitsSearcher' instead}}
                                                        apiKey: "YourSearchOnlyAPIKey",
                                                        indexName: "YourIndexName")
let hitsInteractor: HitsInteractor<JSON> = .init()
let hitsTableViewController = CustomHitsTableViewController()
let matchingPatterns: [MatchingPattern<Product>] =
[
  MatchingPattern(attribute: "brand", score: 3, filterPath: \.brand),
  MatchingPattern(attribute: "categories", score: 2, filterPath: \.categories),
]

let hit: Hit<Product> = .init(objectID: "objectID123", object: product)

override func viewDidLoad() {
  super.viewDidLoad()
  setup()
}

func setup() {
// expected-note@-1 {{add 'async' to function 'setup()' to make it asynchronous}}
  hitsInteractor.connectSearcher(searcher, withRelatedItemsTo: hit, with: matchingPatterns)
  // expected-error@-1 {{call can throw, but it is not marked with 'try'}}
  hitsInteractor.connectController(hitsTableViewController)
  searcher.search()
  // expected-error@-1 {{'async' call in a function that does not support concurrency}}
  // expected-error@-2 {{call can throw}}
}
}
