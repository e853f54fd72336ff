@testable import InstantSearchAPI
import TestSupport
@testable import AsyncInstantSearchTesting
@testable import LocalSearch

/// Seeded random groups of filters, and records with text that filters could misinterpret.
struct RandomFilterGroups {
  var random: RandomRecords
  /// The attributes and values that are used.
  var facets = Self.facets
  var numbers = Self.numbers
  var values = Self.values

  init(seed: UInt64) { random = RandomRecords(seed: seed) }

  /// Attributes of facets, with names that must be quoted.
  static let facets: [Attribute] = ["brand", #"odd "name" \<AND>"#, "parts.kind", "TO", "a:b"]
  /// Attributes of numbers.
  static let numbers: [Attribute] = ["price", "parts.weight", "the size", "x>y", "none"]
  static let settings = IndexSettings {
    $0.attributesForFaceting = facets.map(\.rawValue)
  }

  /// Values of facets and tags.
  static let values = [
    "", " ", "-", "--", "-12", #"\-12"#, #"-\-12"#, #"\"#, #"\\"#, #"\""#, #"""#, "'", #""a" 'b'"#,
    "a:b", ":", ":-x", "<", ">", "<score=3>", "x<score=3>", "x<score=no>", "-x<score=3>", "a<b>",
    "<score=", "AND", "OR", "NOT", "NOT x", "TO", "1 TO 2", "a OR b", "(", ")", "(a)", "x", "X",
    "É", "é", "e\u{301}", "🧵", "👩‍🚀", "-👩‍🚀", "-\u{301}", ":\u{301}", "\\-\u{301}", "\u{301}",
    "\u{200D}",
    "\u{FE0F}>", "x<score=3>\u{301}", "x<score=3\u{600}>", "\r\n", "-\r\n", "\n", "\t", "\u{0}",
    "12", "-12.5", "true",
    "false", "null", "[\"a\"]", "{}", "_tags:x", "objectID", "*",
  ]

  // MARK: Records

  mutating func record(_ number: Int) -> JSON {
    var record: JSON = ["objectID": .string("\(number)")]
    for attribute in facets where attribute != "parts.kind" && random.chance(70) {
      record[attribute.rawValue] = valueOrList()
    }
    for attribute in numbers.dropLast() where attribute != "parts.weight" && random.chance(70) {
      record[attribute.rawValue] =
        random.chance(30) ? .array([self.number(), self.number()]) : self.number()
    }
    if random.chance(50) {
      record["parts"] = .array(
        (0..<2).map { _ in ["kind": value(), "weight": self.number()] })
    }
    if random.chance(50) {
      record["_tags"] = .array((0..<2).map { _ in .string(random.pick(values)) })
    }
    return record
  }

  private mutating func valueOrList() -> JSON {
    random.chance(40) ? .array((0..<3).map { _ in value() }) : value()
  }

  private mutating func value() -> JSON {
    switch Int.random(in: 0..<10, using: &random.generator) {
    case 0: .bool(random.chance(50))
    case 1: number()
    case 2: .null
    default: .string(random.pick(values))
    }
  }

  private mutating func number() -> JSON {
    random.pick([
      .int(12), .int(-12), .double(-12.5), .double(0.25), .int(0), .int(3), .int(10_000),
    ])
  }

  // MARK: Filters

  mutating func facet() -> Filter.Facet {
    let value: Filter.Facet.Value =
      switch Int.random(in: 0..<10, using: &random.generator) {
      case 0: .bool(random.chance(50))
      case 1: .number(number().doubleValue ?? 0)
      default: .string(random.pick(values))
      }
    return Filter.Facet(
      random.pick(facets), value, isNegated: random.chance(30),
      score: random.chance(30) ? random.pick([0, 3, 65_535]) : nil)
  }

  mutating func numeric() -> Filter.Numeric {
    let attribute = random.pick(numbers)
    let bound = number().doubleValue ?? 0
    var filter =
      random.chance(30)
      ? attribute.isIn(bound...(bound + 20))
      : Filter.Numeric(attribute, random.pick(Filter.Numeric.Operator.allCases), bound)
    filter.isNegated = random.chance(30)
    return filter
  }

  mutating func tag() -> Filter.Tag {
    Filter.Tag(random.pick(values), isNegated: random.chance(30))
  }

  mutating func groups() -> FilterGroups {
    var groups = FilterGroups()
    for number in 0..<Int.random(in: 1...3, using: &random.generator) {
      let name = random.pick(["a", "b \(number)", ""])
      let count = Int.random(in: 1...3, using: &random.generator)
      switch Int.random(in: 0..<5, using: &random.generator) {
      case 0: groups[or: name].add(contentsOf: (0..<count).map { _ in facet() })
      case 1:
        groups[or: name, Filter.Numeric.self].add(contentsOf: (0..<count).map { _ in numeric() })
      case 2: groups[or: name, Filter.Tag.self].add(contentsOf: (0..<count).map { _ in tag() })
      case 3: groups[hierarchical: name].path = (0..<count).map { _ in facet() }
      default:
        if random.chance(60) { groups[and: name].add(facet()) }
        if random.chance(60) { groups[and: name].add(numeric()) }
        if random.chance(60) { groups[and: name].add(tag()) }
      }
    }
    return groups
  }
}
