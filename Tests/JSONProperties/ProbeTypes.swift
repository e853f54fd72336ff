import Foundation

/// A key with any name.
package struct AnyCodingKey: CodingKey, Hashable, Sendable {
  package let stringValue: String
  package let intValue: Int?

  package init(_ name: String) {
    stringValue = name
    intValue = nil
  }
  package init(stringValue: String) { self.init(stringValue) }
  package init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

/// Keys with fixed names.
enum NamedKey: String, CodingKey, CaseIterable {
  case a, b, id, name, list, map, children, firstName
  case unconverted = "first_name"
  case empty = ""
  case tab = "tab\t"
}

/// Keys with integer values.
enum NumberedKey: Int, CodingKey, CaseIterable {
  case one = 1
  case two = 2
  case minusFive = -5
}

/// An enum encoded by name.
package enum Level: String, Codable, Sendable { case none, partial, full }

/// An enum that can be the key of a dictionary encoded as an object.
enum KeyLevel: String, Decodable, CodingKeyRepresentable { case none, partial, full }

/// An enum encoded as a number.
enum Grade: Int, Decodable { case low = -1, middle, high }

/// A value encoded as the one inside it.
struct Wrapped: RawRepresentable, Decodable, Hashable {
  var rawValue: String
}

/// Cases with associated values.
package enum Figure: Codable, Sendable {
  case point
  case circle(radius: Double)
  case line(Int, Int?)
  case nested(inner: [Level], note: String?)
}

/// A record with fields of every kind, most of them optional, and nested records.
package struct Item: Codable, Sendable {
  package struct Place: Codable, Sendable {
    var lat: Double
    var lng: Float?
  }

  var name: String?
  var id: Int?
  var count: UInt8?
  var signed: Int64?
  var large: UInt64?
  var huge: Int128?
  var flag: Bool?
  var ratio: Float?
  var price: Double?
  var cost: Decimal?
  var link: URL?
  var date: Date?
  var blob: Data?
  var unique: UUID?
  var level: Level?
  var tags: [String]?
  var numbers: [Int?]?
  var matrix: [[Double]]?
  var place: Place?
  var figure: Figure?
  var children: [Item]?
  var range: Range<Int>?
}

/// A record whose dictionaries are of every kind.
struct Directory: Decodable {
  var names: [String: Int]?
  var nested: [String: [String: Double]]?
  var numbered: [Int: String]?
  var pairs: [Level: Int]?
  var levels: [KeyLevel: [Bool]]?
  var ids: Set<Int>?
}

/// A record whose keys share prefixes and differ around the lengths at which readers compare words.
struct LongKeys: Decodable {
  var abcdefg: Int?
  var abcdefgh: Int?
  var abcdefgi: Int?
  var abcdefghi: Int?
  var abcdefghijklmnop: Int?
  var abcdefghijklmnoq: Int?
  var abcdefghijklmnopq: Int?
  var abcdefghijklmnopqrstuvwx: Int?
  var abcdefghijklmnopqrstuvwy: Int?
  var abcdefghijklmnopqrstuvwxy: Int
  var xbcdefghijklmnopqrstuvwx: Int?
}

/// Decodes its members from last to first, one of them twice.
struct Backwards: Decodable {
  var a: Int
  var b: [String]
  var c: Figure?
  var again: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyCodingKey.self)
    c = try container.decodeIfPresent(Figure.self, forKey: AnyCodingKey("c"))
    b = try container.decode([String].self, forKey: AnyCodingKey("b"))
    a = try container.decode(Int.self, forKey: AnyCodingKey("a"))
    again = try container.decode(Int.self, forKey: AnyCodingKey("a"))
  }
}

/// A class, and one that encodes it under `super` or beside its own members.
class Base: Decodable {
  var name: String
  var legs: Int?

  private enum CodingKeys: String, CodingKey { case name, legs }
}

final class Apart: Base {
  var fins: [Int]

  private enum CodingKeys: String, CodingKey { case fins }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let base = try container.superDecoder()
    fins = try container.decode([Int].self, forKey: .fins)
    try super.init(from: base)
  }
}

final class Together: Base {
  var breed: String

  private enum CodingKeys: String, CodingKey { case breed }

  required init(from decoder: any Decoder) throws {
    breed = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .breed)
    try super.init(from: decoder)
  }
}

final class Named: Base {
  var lives: Double?

  private enum CodingKeys: String, CodingKey { case lives, base }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let base = try container.superDecoder(forKey: .base)
    lives = try container.decodeIfPresent(Double.self, forKey: .lives)
    try super.init(from: base)
  }
}

/// An array decoded element by element, with containers of every kind inside it.
struct Mixed: Decodable {
  var number: Int
  var isNull: Bool
  var text: String?
  var inner: [Double] = []
  var member: Int
  var last: Base

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    number = try list.decode(Int.self)
    isNull = try list.decodeNil()
    text = try list.isAtEnd ? nil : list.decodeIfPresent(String.self)
    var nested = try list.nestedUnkeyedContainer()
    let object = try list.nestedContainer(keyedBy: AnyCodingKey.self)
    while !nested.isAtEnd { inner.append(try nested.decode(Double.self)) }
    member = try object.decode(Int.self, forKey: AnyCodingKey("member"))
    last = try Base(from: list.superDecoder())
  }
}

/// A list linked by objects.
indirect enum Chain: Decodable {
  case end
  case link(Int, Chain)

  private enum CodingKeys: String, CodingKey { case value, next }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let value = try container.decode(Int.self, forKey: .value)
    guard let next = try container.decodeIfPresent(Chain.self, forKey: .next) else {
      self = .link(value, .end)
      return
    }
    self = .link(value, next)
  }
}

/// A record whose names contain underscores.
struct Person: Decodable {
  struct Town: Decodable { var zipCode: Int? }

  var firstName: String
  var homeTowns: [String: Town]?
  var townsByNumber: [Int: Town]?
  var _privateNote: String?
  var lastSeen: Date?
}
