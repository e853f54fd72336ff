import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import SearchJSON

/// From a typed query to a typed page: encoding, the engine, highlighting, facets and decoding.
enum Keystroke {
  private struct Product: Codable, Sendable {
    let objectID: String
    let name: String
    let brand: String
    let price: Int
  }

  private static let words = [
    "wireless", "portable", "speaker", "headphones", "charger", "keyboard", "monitor", "camera",
    "kitchen", "garden", "leather", "cotton", "walnut", "travel", "summer", "winter",
  ]

  /// Types 500 queries, some misspelt and most cut to a prefix, into an index of 5,000 products.
  static func run() async throws -> Measurement {
    var generator = SeededGenerator(seed: 1)
    let products = (0..<5_000).map { number in
      let name = (0..<4).map { _ in
        pick(&generator) + "\(Int.random(in: 0..<40, using: &generator))"
      }
      return Product(
        objectID: "\(number)", name: name.joined(separator: " "),
        brand: pick(&generator), price: Int.random(in: 1...900, using: &generator))
    }
    let engine = LocalSearch()
    try await engine.setSettings(
      IndexSettings(
        searchableAttributes: ["name", "brand"], attributesForFaceting: ["brand"],
        customRanking: ["desc(price)"]),
      of: "products")
    try await engine.save(products, in: "products")
    let client = SearchClient(transport: engine)
    let queries = (0..<500).map { _ in typed(pick(&generator), &generator) }
    var measurement = try await Measurement("keystroke", over: queries) { text in
      _ = try await client.search(request(text))
    }
    var answers: [[UInt8]] = []
    for text in queries {
      let call = TransportRequest(
        method: .post, pathComponents: ["1", "indexes", "products", "query"],
        body: request(text).body, callType: .read)
      answers.append(try await engine.send(call).body)
    }
    let decoding = try await Measurement("decoding", over: answers) { answer in
      _ = try Pages.page(answer) as HitsPage<Hit<Product>>
    }
    measurement.part = (decoding.name, decoding.median)
    return measurement
  }

  private static func request(_ text: String) -> SearchRequest<Hit<Product>> {
    SearchRequest("products", SearchQuery(text).setting(\.facets, to: ["brand"]))
  }

  private static func pick(_ generator: inout SeededGenerator) -> String {
    words[Int.random(in: words.indices, using: &generator)]
  }

  private static func typed(_ word: String, _ generator: inout SeededGenerator) -> String {
    var letters = Array(word.prefix(Int.random(in: 2...word.count, using: &generator)))
    if letters.count > 4, Int.random(in: 0..<5, using: &generator) == 0 {
      letters.swapAt(letters.count - 2, letters.count - 3)
    }
    return String(letters)
  }
}
