import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch

/// A record of a shop, with facets of few values and a text to cut a snippet from.
struct ShopItem: Codable, Sendable {
  let objectID: String
  let name: String
  let brand: String
  let category: String
  let color: String
  let price: Int
  let description: String

  private static let words = [
    "wireless", "portable", "speaker", "headphones", "charger", "keyboard", "monitor", "camera",
    "kitchen", "garden", "leather", "cotton", "walnut", "travel", "summer", "winter", "bamboo",
    "ceramic", "steel", "folding", "compact", "outdoor", "vintage", "premium", "organic", "classic",
  ]

  /// What is typed to find some of the items.
  static let queries = [
    "wireless", "port", "speakr", "leather tra", "kitchen steel", "c", "vintage camera", "garden s",
    "premium walnut", "wintre", "out", "folding compact keyboard",
  ]

  static let settings = IndexSettings(
    searchableAttributes: ["name", "brand", "description"],
    attributesForFaceting: ["brand", "category", "color"], customRanking: ["desc(price)"])

  /// Creates items, the same in each run.
  static func items(_ count: Int) -> [ShopItem] {
    var generator = SeededGenerator(seed: 1)
    func text(_ count: Int) -> String {
      (0..<count).map { _ in
        // A third of the words have a number, so that there are rare ones.
        let word = words[Int.random(in: words.indices, using: &generator)]
        let number = Int.random(in: 0..<600, using: &generator)
        return number < 200 ? "\(word)\(number)" : word
      }.joined(separator: " ")
    }
    return (0..<count).map { number in
      ShopItem(
        objectID: "\(number)", name: text(4),
        brand: "brand \(Int.random(in: 0..<50, using: &generator))",
        category: words[Int.random(in: 0..<12, using: &generator)],
        color: "color \(Int.random(in: 0..<8, using: &generator))",
        price: Int.random(in: 1...900, using: &generator), description: text(15))
    }
  }

  /// An engine with these items in the index `shop`, whose calls run on an executor.
  static func engine(_ count: Int, on executor: any TaskExecutor) async throws -> LocalSearch {
    try await engine(of: items(count), on: executor)
  }

  /// An engine with some items, which are one write.
  static func engine(
    of items: [ShopItem], on executor: any TaskExecutor
  ) async throws -> LocalSearch {
    var configuration = LocalSearch.Configuration()
    configuration.executor = executor
    return try await LocalSearch(
      indexName: "shop", records: items, settings: settings, configuration: configuration)
  }
}
