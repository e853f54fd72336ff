import Foundation

/// A record with every kind of property the compiler synthesizes coding for.
struct Record: Codable, Equatable {
  enum Level: String, Codable { case none, partial, full }
  enum Shape: Codable, Equatable {
    case point
    case circle(radius: Double)
    case line(Int, Int)
    case nested(inner: [Level], note: String?)
  }
  struct Place: Codable, Equatable {
    var lat: Double
    var lng: Float
  }

  var name: String
  var count: Int
  var flag: Bool
  var ratio: Double
  var level: Level
  var shapes: [Shape]
  var place: Place?
  var places: [String: Place]
  var byNumber: [Int: String]
  var byLevel: [Level: Int]
  var missing: Int?
  var link: URL
  var price: Decimal
  var blob: Data
  var date: Date
  var ids: Set<Int>
  var matrix: [[Double]]
  var maybe: [Int?]
  var unique: UUID
  var small: Int8
  var large: UInt64
  var range: Range<Int>

  static let sample = Record(
    name: "Zoë \"/\" 😀\n", count: -7, flag: true, ratio: 0.1, level: .partial,
    shapes: [
      .point, .circle(radius: 1.5), .line(1, -2), .nested(inner: [.full, .none], note: nil),
    ],
    place: Place(lat: 47.25, lng: 8.5),
    places: ["a b": Place(lat: 1, lng: 2), "": Place(lat: 3, lng: 4)],
    byNumber: [1: "one", -2: "minus two"], byLevel: [.full: 1], missing: nil,
    link: URL(filePath: "/a b/c", directoryHint: .notDirectory), price: Decimal(12345) / 1000,
    blob: Data([0, 1, 254, 255]), date: Date(timeIntervalSince1970: 1_700_000_000.25), ids: [3],
    matrix: [[1, 2.5], []], maybe: [1, nil, 3],
    unique: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), small: -128,
    large: .max, range: 2..<5)
}

/// Classes that share one object, and classes that encode their superclass separately.
class Animal: Codable {
  var name = "animal"
  var legs = 4

  init() {}

  private enum CodingKeys: String, CodingKey { case name, legs }
}

final class Dog: Animal {
  var breed = "collie"
  var trick: String?

  override init() { super.init() }

  private enum CodingKeys: String, CodingKey { case breed, trick, legs }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    breed = try container.decode(String.self, forKey: .breed)
    trick = try container.decodeIfPresent(String.self, forKey: .trick)
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(breed, forKey: .breed)
    try container.encodeIfPresent(trick, forKey: .trick)
    try container.encode(legs * 10, forKey: .legs)
  }
}

final class Cat: Animal {
  var lives = 9

  override init() { super.init() }

  private enum CodingKeys: String, CodingKey { case lives, base }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    lives = try container.decode(Int.self, forKey: .lives)
    try super.init(from: container.superDecoder(forKey: .base))
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try super.encode(to: container.superEncoder(forKey: .base))
    try container.encode(lives, forKey: .lives)
  }
}

final class Fish: Animal {
  var fins = 2

  override init() { super.init() }

  private enum CodingKeys: String, CodingKey { case fins }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    fins = try container.decode(Int.self, forKey: .fins)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(fins, forKey: .fins)
    try super.encode(to: container.superEncoder())
  }
}
