@testable import InstantSearchAPI
@testable import LocalSearch

/// The order of results, criterion by criterion.
struct OracleOrder {
  typealias Item = (document: OracleDocument, result: OracleSearch.Result)

  private let ranking: [String]
  private let custom: [String]
  private let conditions: OracleSearch.Conditions

  init(_ search: OracleSearch) {
    var ranking = search.query.ranking ?? search.settings.ranking
    let tolerance = search.query.typoTolerance ?? search.settings.typoTolerance
    if tolerance == .min || tolerance == .strict {
      ranking = ["typo"] + ranking.filter { $0 != "typo" }
    }
    self.ranking = ranking
    custom = search.settings.customRanking
    conditions = search.conditions
  }

  func precedes(_ left: Item, _ right: Item) -> Bool {
    for criterion in ranking {
      if let isFirst = isFirst(criterion, left, right) { return isFirst }
    }
    return Array(left.result.objectID.utf8)
      .lexicographicallyPrecedes(Array(right.result.objectID.utf8))
  }

  /// Whether the custom ranking puts a record before another; `nil` for a tie.
  func isFirstByCustom(_ left: OracleDocument, _ right: OracleDocument) -> Bool? {
    for criterion in custom {
      if let isFirst = Self.isFirst(criterion, left, right) { return isFirst }
    }
    return nil
  }

  private func isFirst(_ criterion: String, _ left: Item, _ right: Item) -> Bool? {
    func compare(_ key: (Item) -> [Int]) -> Bool? {
      let (left, right) = (key(left), key(right))
      return left == right ? nil : left.lexicographicallyPrecedes(right)
    }
    switch criterion {
    case "typo": return compare { [$0.result.typos] }
    case "geo": return conditions.distance.flatMap { distance in compare { distance($0.document) } }
    case "words": return compare { [-$0.result.words] }
    case "filters": return compare { [-conditions.filterScore($0.document)] }
    case "proximity": return compare { [$0.result.proximity] }
    case "attribute": return compare { [$0.result.attributeKey] }
    case "exact": return compare { [-$0.result.exact] }
    case "custom": return isFirstByCustom(left.document, right.document)
    default: return Self.isFirst(criterion, left.document, right.document)
    }
  }

  /// Compares by `asc(a)` or `desc(a)`. Missing values, `null` and arrays are last in both; then
  /// booleans are less than numbers, and these less than texts, of which 50 bytes count.
  private static func isFirst(
    _ criterion: String, _ left: OracleDocument, _ right: OracleDocument
  ) -> Bool? {
    let isAscending = criterion.hasPrefix("asc(")
    let path = criterion.drop { $0 != "(" }.dropFirst().dropLast()
    let (left, right) = (value(of: left, path), value(of: right, path))
    guard let left else { return right == nil ? nil : false }
    guard let right else { return true }
    return left == right ? nil : left.lexicographicallyPrecedes(right) == isAscending
  }

  /// A value as numbers that compare as the value does.
  private static func value(of document: OracleDocument, _ path: Substring) -> [Double]? {
    var value: JSON? = document.members
    for key in path.split(separator: ".") { value = value?[String(key)] }
    switch value {
    case .bool(let bool): return [0, bool ? 1 : 0]
    case .string(let text): return [2] + text.utf8.prefix(50).map { Double($0) }
    default: return value?.doubleValue.map { [1, $0] }
    }
  }
}
