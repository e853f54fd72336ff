@testable import AsyncInstantSearch
@testable import InstantSearchClient

/// What the order of a facet's values depends on. Values of equal rank have the order of the keys
/// in the answer, which JSON does not keep.
struct Ranks {
  var criteria: [FacetSortCriterion] = []
  var ordering: FacetValuesOrder?
  /// Whether the criteria replace the order of the service.
  var isOverriding = false
  /// The number of values after which the list is cut off; `nil` if it is whole.
  var limit: Int?

  private func rank(of value: JSON) -> [String] {
    let name = value["label"]?.stringValue ?? value["name"]?.stringValue ?? ""
    let path = value["path"]?.stringValue ?? value["value"]?.stringValue?.unescapedFacetValue
    let count = "\(value["count"]?.intValue ?? 0)"
    if let ordering, !isOverriding {
      if ordering.order.contains(path ?? name) { return ["pinned", path ?? name] }
      return ordering.sortRemainingBy == .alphabetical ? ["name", path ?? name] : ["count", count]
    }
    return criteria.map { criterion in
      switch criterion.field {
      case .isRefined: "\(value["isRefined"] == true)"
      case .count: count
      case .name: name
      case .path: path ?? ""
      case .escapedValue: path ?? name
      }
    }
  }

  /// Sorts the values of each rank, in a tree at all levels. Of the rank at which a list is cut
  /// off, only the number of values is kept.
  static func sort(_ values: inout JSON, by levels: ArraySlice<Ranks>) {
    guard let ranks = levels.first, case .array(var elements) = values else { return }
    for index in elements.indices {
      elements[index].change(["data"]) { sort(&$0, by: levels.dropFirst()) }
    }
    var runs: [(rank: [String], values: [JSON])] = []
    for element in elements {
      let rank = ranks.rank(of: element)
      if runs.last?.rank == rank {
        runs[runs.count - 1].values.append(element)
      } else {
        runs.append((rank, [element]))
      }
    }
    let isCut = ranks.limit.map { elements.count >= $0 } ?? false
    values = .array(
      runs.enumerated().flatMap { position, run in
        isCut && position == runs.count - 1
          ? run.values.map { _ in JSON.array(run.rank.map(JSON.string)) }
          : run.values.sorted { "\($0)" < "\($1)" }
      })
  }
}
