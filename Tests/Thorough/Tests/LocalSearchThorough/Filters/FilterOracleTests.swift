@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport
import Testing

/// Compares filters with a naive evaluation of the same condition on every record.
struct FilterOracleTests {
  /// A condition as text and as a function.
  struct Condition {
    var text: String
    var holds: (JSON) -> Bool
  }

  private enum Kind: CaseIterable { case facet, numeric, tag }

  private static func facet(_ random: inout RandomRecords) -> Condition {
    let (attribute, value) = random.pick([
      ("color", "RED"), ("color", "green"), ("color", "12"), ("color", "a b"), ("size", "3"),
      ("size", "-2"), ("size", "1.5"), ("flag", "true"), ("parts.kind", "x"), ("label", "label 7"),
      ("nothing", "x"),
    ])
    return Condition(text: "\(attribute):\"\(value)\"") { record in
      guard attribute != "nothing" else { return false }
      return record.values(at: attribute).contains {
        $0.facetText.lowercased() == value.lowercased()
      }
    }
  }

  private static func numeric(_ random: inout RandomRecords) -> Condition {
    let attribute = random.pick(["price", "size", "parts.weight", "none"])
    let operand = Double(Int.random(in: -3...20, using: &random.generator)) / 2
    func numbers(_ record: JSON) -> [Double] {
      record.values(at: attribute).compactMap(\.doubleValue)
    }
    if random.chance(25) {
      let upper = operand + Double(Int.random(in: -1...5, using: &random.generator))
      return Condition(text: "\(attribute):\(operand) TO \(upper)") { record in
        numbers(record).contains { operand <= $0 && $0 <= upper }
      }
    }
    let sign = random.pick(["<", "<=", "=", "!=", ">", ">="])
    return Condition(text: "\(attribute) \(sign) \(operand)") { record in
      let numbers = numbers(record)
      switch sign {
      case "<": return numbers.contains { $0 < operand }
      case "<=": return numbers.contains { $0 <= operand }
      case "=": return numbers.contains(operand)
      case "!=": return !numbers.isEmpty && !numbers.contains(operand)
      case ">": return numbers.contains { $0 > operand }
      default: return numbers.contains { $0 >= operand }
      }
    }
  }

  private static func tag(_ random: inout RandomRecords) -> Condition {
    let tag = random.pick(["new", "New", "sale", "other"])
    return Condition(text: random.chance(50) ? tag : "_tags:\(tag)") { record in
      record.values(at: "_tags").contains(.string(tag))
    }
  }

  private static func term(_ kind: Kind, _ random: inout RandomRecords) -> Condition {
    let condition =
      switch kind {
      case .facet: facet(&random)
      case .numeric: numeric(&random)
      case .tag: tag(&random)
      }
    guard random.chance(30) else { return condition }
    return Condition(text: "NOT " + condition.text) { !condition.holds($0) }
  }

  private static func filter(_ random: inout RandomRecords) -> Condition {
    let groups = (0..<Int.random(in: 1...3, using: &random.generator)).map { _ -> Condition in
      let kind = random.pick(Array(Kind.allCases))
      let terms = (0..<Int.random(in: 1...3, using: &random.generator)).map { _ in
        term(kind, &random)
      }
      let text = terms.map(\.text).joined(separator: " OR ")
      return Condition(text: random.chance(50) ? "(\(text))" : text) { record in
        terms.contains { $0.holds(record) }
      }
    }
    return Condition(text: groups.map(\.text).joined(separator: " AND ")) { record in
      groups.allSatisfy { $0.holds(record) }
    }
  }

  @Test(arguments: Seed.all(12))
  func filtersMatchANaiveEvaluation(seed: Seed) async throws {
    var random = RandomRecords(seed: seed.value)
    let (fixture, records) = try await random.fixture(300)
    for _ in 0..<40 {
      let filter = Self.filter(&random)
      let expected = records.filter(filter.holds).map(\.id).sorted()
      let found = try await fixture.ids(filters: filter.text)
      expectEqual(found, expected, "seed \(seed.value): \(filter.text)")
    }
  }

  @Test(arguments: Seed.all(4))
  func queryTextAndFilterAreJoinedByAnd(seed: Seed) async throws {
    var random = RandomRecords(seed: seed.value)
    let (fixture, records) = try await random.fixture(200)
    for _ in 0..<10 {
      let filter = Self.filter(&random)
      let found = try await fixture.ids([
        "query": "label", "filters": .string(filter.text),
        "restrictSearchableAttributes": ["label"],
      ])
      let expected = records.filter { $0["label"] != nil && filter.holds($0) }.map(\.id)
      expectEqual(found.sorted(), expected.sorted(), "seed \(seed.value): \(filter.text)")
    }
  }
}
