@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport

/// An embedded engine with products, whose calls are counted.
struct Shop: Sendable {
  /// A record of the shop.
  struct Product: Codable, Sendable, Hashable, Geolocated {
    var objectID: String
    var name: String
    var brand: String
    var color: [String]
    var price: Double
    var rating: Int
    var isFree: Bool
    var categories: [String: String]
    var shelf: String
    var geolocation: SingleOrList<Point>?

    enum CodingKeys: String, CodingKey {
      case objectID, name, brand, color, price, rating, isFree, categories, shelf
      case geolocation = "_geoloc"
    }
  }

  let engine: LocalSearch
  let transport: ScriptedTransport
  var client: SearchClient { SearchClient(transport: transport) }

  static let brands = ["Acme", "Apple", "Bose", "Casio", "Dell"]
  static let colors = ["black", "blue", "red", "white"]
  static let trees = ["Audio", "Audio > Headphones", "Audio > Speakers", "Video", "Video > TVs"]

  static let shelves = ["new", "sale", "used > tested"]

  static let settings = IndexSettings(
    searchableAttributes: ["name"],
    attributesForFaceting: [
      "searchable(brand)", "color", "price", "rating", "isFree", "categories.lvl0",
      "categories.lvl1", "shelf",
    ])

  static let products: [Product] = (0..<60).map { number in
    let tree = trees[number % 5]
    return Product(
      objectID: "p\(number)", name: number % 3 == 0 ? "phone \(number)" : "player \(number)",
      brand: brands[number * 7 % 5], color: [colors[number % 4], colors[number / 4 % 4]],
      price: Double(number * 10), rating: number % 6, isFree: number % 3 == 1,
      categories: tree.contains(">")
        ? ["lvl0": String(tree.prefix(5)), "lvl1": tree] : ["lvl0": tree],
      shelf: shelves[number / 5 % 3],
      geolocation: number % 4 == 0
        ? nil : .single(Point(latitude: Double(number), longitude: Double(-number))))
  }

  /// Creates a shop.
  ///
  /// - Parameter gate: Holds the calls after the first.
  init(_ engine: LocalSearch = LocalSearch(), gate: CallGate? = nil) async throws {
    try await engine.setSettings(Self.settings, of: "products")
    _ = try await engine.save(Self.products, in: "products")
    self.engine = engine
    transport = ScriptedTransport { request, number in
      if number > 0 { await gate?.pass() }
      return try await engine.send(request)
    }
  }

  func searcher(_ options: SearcherOptions = SearcherOptions()) -> HitsSearcher {
    HitsSearcher(client: client, indexName: "products", options: options)
  }
}
