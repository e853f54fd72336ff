@testable import InstantSearchAPI
import TestSupport

// The naive evaluation of groups of filters on one record.
extension FilterGroups {
  /// Whether a record matches every group.
  func holds(_ record: JSON) -> Bool {
    groups.allSatisfy { group in
      if case .or = group.id { return group.filters.contains { $0.holds(record) } }
      return group.filters.allSatisfy { $0.holds(record) }
    }
  }

  /// The score of a record: groups are added, an OR group counts its best filter or, summed, all
  /// that match.
  func score(of record: JSON, isSummed: Bool) -> Int {
    groups.reduce(0) { sum, group in
      let scores = group.filters.filter { $0.holds(record) }.map(\.score)
      if case .or = group.id, !isSummed { return sum + (scores.max() ?? 0) }
      return sum + scores.reduce(0, +)
    }
  }
}

extension Filter {
  fileprivate var score: Int {
    if case .facet(let filter) = self { filter.score ?? 1 } else { 1 }
  }

  fileprivate func holds(_ record: JSON) -> Bool {
    isFulfilled(by: record.values(at: attribute.rawValue)) != isNegated
  }

  private func isFulfilled(by values: [JSON]) -> Bool {
    switch self {
    case .facet(let filter): return values.contains(where: filter.matches)
    case .tag(let filter): return values.contains(.string(filter.value))
    case .numeric(let filter):
      let numbers = values.compactMap(\.doubleValue)
      switch filter.value {
      case .range(let range): return numbers.contains(where: range.contains)
      case .comparison(.less, let bound): return numbers.contains { $0 < bound }
      case .comparison(.lessOrEqual, let bound): return numbers.contains { $0 <= bound }
      case .comparison(.equal, let bound): return numbers.contains(bound)
      case .comparison(.notEqual, let bound): return !numbers.isEmpty && !numbers.contains(bound)
      case .comparison(.greaterOrEqual, let bound): return numbers.contains { $0 >= bound }
      case .comparison(.greater, let bound): return numbers.contains { $0 > bound }
      }
    }
  }
}

extension Filter.Facet {
  /// Whether a value of a record equals the filter's: texts ignoring case; a text that spells a
  /// number equals that number, `true` and `false` equal the Booleans.
  fileprivate func matches(_ value: JSON) -> Bool {
    let text =
      switch self.value {
      case .string(let text): text
      case .number(let number): Int(exactly: number).map { String($0) } ?? String(number)
      case .bool(let bool): String(bool)
      }
    if value.facetText.lowercased() == text.lowercased() { return true }
    return value.doubleValue.map { $0 == Double(text) } ?? false
  }
}

extension FilterGroups.Lists {
  /// Sets the parameters of a query to these lists.
  func set(in query: inout SearchQuery) {
    query.facetFilters = facetFilters
    query.numericFilters = numericFilters
    query.tagFilters = tagFilters
  }
}
