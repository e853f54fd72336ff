import AsyncInstantSearchTesting

/// A record of the engine's benchmarks: six words of 5,000, a price, and what some of them have
/// besides.
struct EngineItem: Codable, Sendable {
  let objectID: String
  let name: String
  let price: Int
  /// One of 10,000.
  var brand: String?
  var _geoloc: Place?

  struct Place: Codable, Sendable {
    let lat: Double
    let lng: Double
  }

  /// Makes records, the same at each run.
  ///
  /// - Parameter haveDetails: Whether they have brands and places.
  static func items(_ count: Int, haveDetails: Bool = false) -> [EngineItem] {
    var generator = SeededGenerator(seed: 1)
    return (0..<count).map { number in
      let words = (0..<6).map { _ in "word\(Int.random(in: 0..<5_000, using: &generator))" }
      var item = EngineItem(
        objectID: "\(number)", name: words.joined(separator: " "),
        price: Int.random(in: 1...10_000, using: &generator))
      if haveDetails {
        item.brand = "brand\(Int.random(in: 0..<10_000, using: &generator))"
        item._geoloc = Place(
          lat: Double.random(in: -80...80, using: &generator),
          lng: Double.random(in: -170...170, using: &generator))
      }
      return item
    }
  }
}
