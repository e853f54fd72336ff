import AsyncInstantSearch
import AsyncInstantSearchTesting

/// Seeded responses in the format of the hosted service: hits with highlights, snippets and ranking
/// information, ten facets of twenty values, and the other members.
struct SampleResponse {
  private var text: SampleText
  private var writer = JSONText()
  /// Whether the members of records have another order, with three of them absent.
  private let isReordered: Bool

  private init(seed: UInt64, isReordered: Bool) {
    text = SampleText(generator: SeededGenerator(seed: seed))
    self.isReordered = isReordered
  }

  /// The response to one query.
  static func page(hits: Int, isReordered: Bool = false, seed: UInt64 = 1) -> [UInt8] {
    var response = SampleResponse(seed: seed, isReordered: isReordered)
    response.writePage(hits: hits)
    return escaped(response.writer.bytes)
  }

  /// The response to several queries.
  static func multi(queries: Int, hits: Int, seed: UInt64 = 1) -> [UInt8] {
    var response = SampleResponse(seed: seed, isReordered: false)
    response.writer.beginObject()
    response.writer.key("results")
    response.writer.beginArray()
    for _ in 0..<queries { response.writePage(hits: hits) }
    response.writer.endArray()
    response.writer.endObject()
    return escaped(response.writer.bytes)
  }

  /// The responses to the queries of ``multi(queries:hits:seed:)``, each for itself.
  static func pages(count: Int, hits: Int, seed: UInt64 = 1) -> [[UInt8]] {
    var response = SampleResponse(seed: seed, isReordered: false)
    return (0..<count).map { _ in
      response.writer = JSONText()
      response.writePage(hits: hits)
      return escaped(response.writer.bytes)
    }
  }

  /// The same text with line ends and indentation.
  static func pretty(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var depth = 0
    var isInString = false
    var isEscaped = false
    func newLine() {
      result.append(UInt8(ascii: "\n"))
      result.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }
    for byte in bytes {
      if isInString {
        result.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        result.append(byte)
        depth += 1
        newLine()
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        newLine()
        result.append(byte)
      case UInt8(ascii: ","):
        result.append(byte)
        newLine()
      case UInt8(ascii: ":"):
        result += [byte, UInt8(ascii: " ")]
      default:
        isInString = byte == UInt8(ascii: "\"")
        result.append(byte)
      }
    }
    return result
  }

  /// The text with every seventh non-ASCII character escaped, as some producers do.
  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var count = 0
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if !scalar.isASCII { count += 1 }
      if scalar.isASCII || count % 7 != 0 {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let digits = String(unit, radix: 16)
          result.append(
            contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        }
      }
    }
    return result
  }
}

// MARK: - Parts

extension SampleResponse {
  private mutating func member(_ key: String, _ value: String) {
    writer.key(key)
    writer.string(value)
  }

  private mutating func member(_ key: String, _ value: Int) {
    writer.key(key)
    writer.int(value)
  }

  private mutating func member(_ key: String, _ value: Bool) {
    writer.key(key)
    writer.bool(value)
  }

  private mutating func object(_ key: String? = nil, _ write: (inout Self) -> Void) {
    if let key { writer.key(key) }
    writer.beginObject()
    write(&self)
    writer.endObject()
  }

  private mutating func array<Element>(
    _ key: String, _ elements: some Sequence<Element>, _ write: (inout Self, Element) -> Void
  ) {
    writer.key(key)
    writer.beginArray()
    for element in elements { write(&self, element) }
    writer.endArray()
  }

  private mutating func writePage(hits: Int) {
    object { response in
      response.array("hits", 0..<hits) { response, _ in response.writeHit() }
      response.member("nbHits", response.text.number(hits...20_000))
      response.member("page", 0)
      response.member("nbPages", 50)
      response.member("hitsPerPage", hits)
      response.writeFacets()
      for name in ["exhaustiveFacetsCount", "exhaustiveNbHits", "exhaustiveTypo"] {
        response.member(name, true)
      }
      response.object("exhaustive") { response in
        for name in ["facetsCount", "nbHits", "typo"] { response.member(name, true) }
      }
      response.member("query", "wireless headphones pro")
      response.member(
        "params",
        "query=wireless%20headphones%20pro&hitsPerPage=\(hits)&facets=%5B%22*%22%5D"
          + "&getRankingInfo=true&attributesToSnippet=%5B%22description%3A12%22%5D")
      response.member("index", "products")
      response.member("queryID", "43b15df305339e827f0ac0bdc5ebcaa7")
      response.member("serverUsed", "d85-usw-3")
      response.member("indexUsed", "products")
      response.member("parsedQuery", "wireless headphones pro")
      response.object("renderingContent") { response in
        response.object("facetOrdering") { response in
          response.object("facets") { response in
            response.array("order", ["brand", "categories"]) { $0.writer.string($1) }
          }
        }
      }
      response.member("processingTimeMS", 3)
      response.object("processingTimingsMS") { response in
        response.object("_request") { $0.member("roundTrip", 22) }
        response.member("total", 3)
      }
      response.member("serverTimeMS", 4)
    }
  }

  private mutating func writeFacets() {
    let names = [
      "brand", "categories", "hierarchicalCategories.lvl0", "hierarchicalCategories.lvl1",
      "hierarchicalCategories.lvl2", "price_range", "rating", "color", "material", "seller.name",
    ]
    object("facets") { response in
      for name in names {
        response.object(name) { response in
          var count = response.text.number(5_000...20_000)
          for index in 0..<20 {
            response.member(response.text.facetValue(index), count)
            count = max(1, count * response.text.number(60...95) / 100)
          }
        }
      }
    }
    object("facets_stats") { response in
      response.object("price") { response in
        for (name, value) in [("min", 1), ("max", 5_000.01), ("avg", 206.5), ("sum", 2_236_411)] {
          response.writer.key(name)
          response.writer.double(value)
        }
      }
    }
  }

  private mutating func writeHit() {
    let name = text.name()
    let brand = text.brand()
    let description = text.description()
    let category = text.category()
    let categories = [category.0, category.1, category.2]
    let price = Double(text.number(400...199_900)) / 100
    let rating = Double(text.number(6...10)) / 2
    let image =
      "https://cdn.example.com/images/products/\(text.number(1_000_000...9_999_999))_sb.jpg"
    let popularity = text.number(1...30_000)
    let hasPlace = text.chance(40)
    var members: [(inout Self) -> Void] = [
      { $0.member("name", name) },
      { $0.member("description", description) },
      { $0.member("brand", brand) },
      { response in response.array("categories", categories) { $0.writer.string($1) } },
      { response in
        response.object("hierarchicalCategories") { response in
          response.member("lvl0", category.0)
          response.member("lvl1", "\(category.0) > \(category.1)")
          response.member("lvl2", "\(category.0) > \(category.1) > \(category.2)")
        }
      },
      {
        $0.writer.key("price")
        $0.writer.double(price)
      },
      { $0.member("image", image) },
      {
        $0.writer.key("rating")
        $0.writer.double(rating)
      },
      { $0.member("popularity", popularity) },
      { $0.member("freeShipping", popularity % 2 == 0) },
    ]
    if isReordered {
      // Without three members that are optional in the record.
      members = [1, 0, 8, 2, 5, 3, 4].map { members[$0] }
    }
    object { response in
      for write in members { write(&response) }
      if hasPlace { response.writePlace() }
      response.member("objectID", "\(response.text.number(1_000_000...9_999_999))")
      response.object("_snippetResult") { response in
        response.object("description") { response in
          response.member(
            "value", description.split(separator: " ").prefix(12).joined(separator: " ") + " …")
          response.member("matchLevel", "none")
        }
      }
      response.object("_highlightResult") { response in
        for (key, value) in [("name", name), ("description", description), ("brand", brand)] {
          response.object(key) { $0.writeHighlight(of: value) }
        }
        response.array("categories", categories) { response, value in
          response.object { $0.writeHighlight(of: value) }
        }
      }
      response.writeRanking()
    }
  }

  private mutating func writePlace() {
    object("_geoloc") { response in
      for (name, limit) in [("lat", 90), ("lng", 180)] {
        response.writer.key(name)
        response.writer.double(
          Double(response.text.number(-limit * 1_000_000...limit * 1_000_000)) / 1_000_000)
      }
    }
  }

  private mutating func writeRanking() {
    object("_rankingInfo") { response in
      for (name, limit) in [
        ("nbTypos", 2), ("firstMatchedWord", 3_000), ("proximityDistance", 8),
        ("userScore", 99_999), ("geoDistance", 0), ("geoPrecision", 1), ("nbExactWords", 3),
        ("words", 4), ("filters", 3),
      ] {
        response.member(name, response.text.number(0...limit))
      }
    }
  }

  private mutating func writeHighlight(of value: String) {
    var matched: [String] = []
    let words = value.split(separator: " ").map { word -> String in
      let lower = word.lowercased()
      guard let query = ["wireless", "headphones", "pro", "sound"].first(where: lower.hasPrefix)
      else { return String(word) }
      if !matched.contains(query) { matched.append(query) }
      return "<em>\(word)</em>"
    }
    member("value", words.joined(separator: " "))
    member("matchLevel", matched.isEmpty ? "none" : matched.count == 4 ? "full" : "partial")
    if !matched.isEmpty { member("fullyHighlighted", matched.count == words.count) }
    array("matchedWords", matched) { $0.writer.string($1) }
  }
}

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

  /// Returns `true` in the given percentage of cases.
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

  /// A value of a facet, made unique by its number.
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
