import AsyncInstantSearchTesting

/// Words and names for generated responses.
struct SampleText {
  private static let adjectives = [
    "Ultra", "Compact", "Wireless", "Smart", "Premium", "Classic", "Portable", "Rugged", "Slim",
    "Mini", "Digital", "Foldable", "Organic", "Vintage", "Stainless", "Ergonomic", "Waterproof",
  ]
  private static let nouns = [
    "Headphones", "Speaker", "Laptop", "Camera", "Keyboard", "Mouse", "Monitor", "Charger",
    "Backpack", "Lamp", "Blender", "Kettle", "Toaster", "Drone", "Tripod", "Router", "Printer",
  ]
  private static let brands = [
    "Alpine", "Borealis", "Café Nérée", "Delta", "Echo & Sons", "Fjällgård", "Granit™",
    "Hanami 花見", "Ibis", "Krüger & Söhne", "Lumen", "Meridian", "Northwind", "Orchid", "Pagode",
  ]
  private static let words = [
    "the", "with", "and", "for", "your", "of", "in", "to", "a", "perfect", "everyday", "travel",
    "home", "office", "studio", "design", "sound", "battery", "life", "hours", "fast", "charging",
    "quality", "lightweight", "durable", "material", "finish", "comfortable", "fit", "easy",
    "setup", "compatible", "devices", "cable", "included", "warranty", "year", "crystal", "clear",
    "powerful", "motor", "quiet", "operation", "energy", "efficient", "reviews", "customers",
    "best", "value", "gift", "compact", "size", "large", "capacity", "water", "resistant",
  ]
  private static let unusual = [
    "naïve", "crème", "façade", "Größe", "señor", "日本製", "“studio-grade”", "—", "½-inch",
    "20 °C", "€", "🎧", "🔋", "Ångström",
  ]
  private static let categories = [
    ("Electronics", "Audio", "Headphones"), ("Electronics", "Audio", "Speakers"),
    ("Electronics", "Computers", "Laptops"), ("Electronics", "Cameras", "Drones"),
    ("Home & Kitchen", "Appliances", "Kettles"), ("Home & Kitchen", "Lighting", "LED Strips"),
    ("Accessories", "Bags", "Backpacks"), ("Accessories", "Power", "Chargers"),
  ]

  var generator: SeededGenerator

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  /// True in that many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  mutating func brand() -> String { pick(Self.brands) }

  mutating func name() -> String {
    let kind = chance(66) ? ["Wireless", "Pro"][number(0...1)] : "XL"
    return "\(brand()) \(pick(Self.adjectives)) \(pick(Self.adjectives)) \(kind) "
      + "\(pick(Self.nouns)) \(["A", "B", "X"][number(0...2)])\(number(100...999))"
  }

  mutating func category() -> (String, String, String) { pick(Self.categories) }

  /// About forty words, some in other scripts, some with quotes, tabs and line ends.
  mutating func description() -> String {
    let count = number(32...42)
    let words = (0..<count).map { _ in chance(3) ? pick(Self.unusual) : pick(Self.words) }
    let text = words.joined(separator: " ")
    let end =
      chance(15) ? ". 15.6\" \"screen\"" : chance(40) ? ".\nSee details:\t\"box\" contents" : ""
    return text + end + "."
  }

  /// A value of a facet, different from others by its number.
  mutating func facetValue(_ index: Int) -> String {
    switch index % 3 {
    case 0: "\(pick(Self.adjectives)) \(pick(Self.nouns)) \(index)"
    case 1: "\(brand()) \(index)"
    default: "\(index * 50) - \(index * 50 + number(51...99))"
    }
  }

  private mutating func pick<Element>(_ list: [Element]) -> Element {
    list[number(0...(list.count - 1))]
  }
}
