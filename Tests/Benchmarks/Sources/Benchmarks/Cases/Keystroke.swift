import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch

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
  static func products() async throws -> Measurement {
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
    try await SearchClient(transport: engine).setSettings(
      IndexSettings(
        searchableAttributes: ["name", "brand"], attributesForFaceting: ["brand"],
        customRanking: ["desc(price)"]),
      of: "products")
    try await SearchClient(transport: engine).save(products, in: "products")
    let queries = (0..<500).map { _ in
      SearchRequest(
        "products",
        SearchQuery(typed(pick(&generator), &generator)).setting(\.facets, to: ["brand"]),
        of: Hit<Product>.self)
    }
    return try await measurement("keystroke", of: queries, in: engine)
  }

  /// Types 500 beginnings of titles into the films, with all facets and a snippet of the plot.
  static func films() async throws -> Measurement {
    var generator = SeededGenerator(seed: 1)
    let titles = try Films.titles()
    let queries = (0..<500).map { _ in
      let title = titles[Int.random(in: titles.indices, using: &generator)]
      let text = String(title.prefix(Int.random(in: 1...title.count, using: &generator)))
      return SearchRequest(
        "films",
        SearchQuery(text).setting(\.facets, to: ["*"])
          .setting(\.attributesToSnippet, to: ["plot:8"]),
        of: Hit<Film>.self)
    }
    return try await measurement("keystroke.films", of: queries, in: Films.engine())
  }

  /// Measures searches, and the decoding of their answers alone.
  private static func measurement<Record>(
    _ name: String, of requests: [SearchRequest<Hit<Record>>], in engine: LocalSearch
  ) async throws -> Measurement {
    let client = SearchClient(transport: engine)
    var measurement = try await Measurement(name, over: requests) {
      touch(try await client.search($0))
    }
    var answers: [[UInt8]] = []
    for request in requests {
      answers.append(try await engine.send(.sent(for: request)).body)
    }
    let decoding = try await Measurement("decoding", over: answers) { answer in
      touch(try Pages.page(answer) as HitsPage<Hit<Record>>)
    }
    // Without what a call takes that has no hits to decode.
    let call = try await Measurement("call", over: answers) { _ in try Pages.emptyCall() }
    measurement.part = (decoding.name, max(0, decoding.median - call.median))
    return measurement
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
