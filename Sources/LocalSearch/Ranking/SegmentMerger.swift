/// Merges the ranked documents of several segments into one order.
struct SegmentMerger {
  private let criteria: [RankingCriterion]
  private let customRanking: [SortCriterion]
  private let segments: [Segment]

  /// Creates a merger that compares by the given criteria.
  init(criteria: [RankingCriterion], customRanking: [SortCriterion], segments: [Segment]) {
    self.criteria = criteria
    self.customRanking = customRanking
    self.segments = segments
  }

  /// Merges sorted lists and returns the first `limit` documents.
  ///
  /// - Complexity: O(n log s) comparisons for n documents in s lists.
  func merge(
    _ lists: [[RankedDocument]], limit: Int, _ checkpoint: Checkpoint
  ) throws -> [RankedDocument] {
    var lists = lists
    while lists.count > 1 {
      var merged: [[RankedDocument]] = []
      for index in stride(from: 0, to: lists.count, by: 2) {
        merged.append(
          index + 1 < lists.count
            ? try merge(lists[index], lists[index + 1], limit: limit, checkpoint) : lists[index])
      }
      lists = merged
    }
    return Array((lists.first ?? []).prefix(limit))
  }

  private func merge(
    _ left: [RankedDocument], _ right: [RankedDocument], limit: Int, _ checkpoint: Checkpoint
  ) throws -> [RankedDocument] {
    var merged: [RankedDocument] = []
    merged.reserveCapacity(min(limit, left.count + right.count))
    var leftIndex = 0
    var rightIndex = 0
    while merged.count < limit, leftIndex < left.count, rightIndex < right.count {
      try checkpoint.count()
      if precedes(right[rightIndex], left[leftIndex]) {
        merged.append(right[rightIndex])
        rightIndex += 1
      } else {
        merged.append(left[leftIndex])
        leftIndex += 1
      }
    }
    merged.append(contentsOf: left[leftIndex...].prefix(limit - merged.count))
    merged.append(contentsOf: right[rightIndex...].prefix(limit - merged.count))
    return merged
  }

  /// Whether one record stands before another, by all criteria and at last by the object ID.
  func precedes(_ left: RankedDocument, _ right: RankedDocument) -> Bool {
    for criterion in criteria {
      if let isBefore = decision(criterion, left, right) { return isBefore }
    }
    return segments[left.segment].records.objectIDBytes(of: left.document)
      .lexicographicallyPrecedes(segments[right.segment].records.objectIDBytes(of: right.document))
  }

  private func decision(
    _ criterion: RankingCriterion, _ left: RankedDocument, _ right: RankedDocument
  ) -> Bool? {
    func less(_ left: Int, _ right: Int) -> Bool? { left == right ? nil : left < right }
    let (first, second) = (left.features, right.features)
    switch criterion {
    case .typo: return less(first.typos, second.typos)
    case .geo: return less(first.geoDistance ?? .max, second.geoDistance ?? .max)
    case .words: return less(second.words, first.words)
    case .filters: return less(second.filters, first.filters)
    case .proximity: return less(first.proximity, second.proximity)
    case .attribute: return less(first.place, second.place)
    case .exact: return less(second.exact, first.exact)
    case .sort(let sort): return decision(sort, left, right)
    case .custom:
      for sort in customRanking {
        if let isBefore = decision(sort, left, right) { return isBefore }
      }
      return nil
    }
  }

  private func decision(
    _ sort: SortCriterion, _ left: RankedDocument, _ right: RankedDocument
  ) -> Bool? {
    sort.precedes(
      segments[left.segment].attributes.rankingValue(of: sort.attribute, document: left.document),
      segments[right.segment].attributes.rankingValue(of: sort.attribute, document: right.document))
  }
}
