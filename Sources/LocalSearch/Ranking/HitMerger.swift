/// Merges the ranked documents of several segments into one order.
struct HitMerger {
  private let criteria: [RankingCriterion]
  private let customRanking: [SortCriterion]
  private let segments: [Segment]
  private let cancellation: CancellationCheck

  /// Creates a merger that compares by the given criteria.
  init(
    criteria: [RankingCriterion], customRanking: [SortCriterion], segments: [Segment],
    _ cancellation: CancellationCheck
  ) {
    self.cancellation = cancellation
    self.criteria = criteria
    self.customRanking = customRanking
    self.segments = segments
  }

  /// Merges sorted lists and returns the first `limit` documents.
  ///
  /// - Complexity: O(n log s) comparisons for n documents in s lists.
  func merge(_ lists: [[RankedDocument]], limit: Int) throws -> [RankedDocument] {
    var lists = lists
    while lists.count > 1 {
      var merged: [[RankedDocument]] = []
      for index in stride(from: 0, to: lists.count, by: 2) {
        merged.append(
          index + 1 < lists.count
            ? try merge(lists[index], lists[index + 1], limit: limit) : lists[index])
      }
      lists = merged
    }
    let merged = lists.first ?? []
    return merged.count <= limit ? merged : Array(merged.prefix(limit))
  }

  /// Returns the values of a document for the first of some criteria in another segment. A document
  /// of that segment with greater values is behind it.
  ///
  /// The values end where only ranks in the segment are compared.
  ///
  /// - Complexity: O(log n) for n documents of the segment.
  func bound(
    _ document: RankedDocument, in segment: Int, by criteria: [RankingCriterion]
  ) throws -> [Int] {
    var values: [Int] = []
    for criterion in criteria {
      let features = document.features
      switch criterion {
      case .typo: values.append(features.typos)
      case .geo: values.append(features.geoDistance ?? .max)
      case .words: values.append(-features.words)
      case .filters: values.append(-features.filters)
      case .proximity: values.append(features.proximity)
      case .attribute: values.append(features.attributeKey)
      case .exact: values.append(-features.exact)
      case .custom:
        // Later criteria break ties with a document of equal rank, which may not exist.
        return values + [try customRank(notBehind: document, in: segment)]
      case .sort: return values
      }
    }
    return values
  }

  /// Returns the greatest custom rank in a segment that is not behind a document, or -1.
  private func customRank(notBehind document: RankedDocument, in segment: Int) throws -> Int {
    let order = segments[segment].order
    var (low, high) = (0, order.byCustomRank.count)
    while low < high {
      let middle = (low + high) / 2
      let other = RankedDocument(
        segment: segment, document: Int(order.byCustomRank[middle]), features: document.features)
      if try decision(.custom, document, other) == true {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low == 0 ? -1 : Int(order.customRanks[Int(order.byCustomRank[low - 1])])
  }

  private func merge(
    _ left: [RankedDocument], _ right: [RankedDocument], limit: Int
  ) throws -> [RankedDocument] {
    var merged: [RankedDocument] = []
    merged.reserveCapacity(min(limit, left.count + right.count))
    var leftIndex = 0
    var rightIndex = 0
    while merged.count < limit, leftIndex < left.count, rightIndex < right.count {
      try cancellation.count()
      if try precedes(right[rightIndex], left[leftIndex]) {
        merged.append(right[rightIndex])
        rightIndex += 1
      } else {
        merged.append(left[leftIndex])
        leftIndex += 1
      }
    }
    try cancellation.forEach(left[leftIndex...].prefix(limit - merged.count)) { merged.append($0) }
    try cancellation.forEach(right[rightIndex...].prefix(limit - merged.count)) {
      merged.append($0)
    }
    return merged
  }

  /// Whether one record ranks before another, by all criteria and finally by the object ID.
  private func precedes(_ left: RankedDocument, _ right: RankedDocument) throws -> Bool {
    for criterion in criteria {
      if let isBefore = try decision(criterion, left, right) { return isBefore }
    }
    return segments[left.segment].records.objectIDBytes(of: left.document)
      .lexicographicallyPrecedes(segments[right.segment].records.objectIDBytes(of: right.document))
  }

  private func decision(
    _ criterion: RankingCriterion, _ left: RankedDocument, _ right: RankedDocument
  ) throws -> Bool? {
    func less(_ left: Int, _ right: Int) -> Bool? { left == right ? nil : left < right }
    let (first, second) = (left.features, right.features)
    switch criterion {
    case .typo: return less(first.typos, second.typos)
    case .geo: return less(first.geoDistance ?? .max, second.geoDistance ?? .max)
    case .words: return less(second.words, first.words)
    case .filters: return less(second.filters, first.filters)
    case .proximity: return less(first.proximity, second.proximity)
    case .attribute: return less(first.attributeKey, second.attributeKey)
    case .exact: return less(second.exact, first.exact)
    case .sort(let sort): return try decision(sort, left, right)
    case .custom:
      for sort in customRanking {
        if let isBefore = try decision(sort, left, right) { return isBefore }
      }
      return nil
    }
  }

  private func decision(
    _ sort: SortCriterion, _ left: RankedDocument, _ right: RankedDocument
  ) throws -> Bool? {
    func value(_ record: RankedDocument) throws -> RankingValue {
      try segments[record.segment].attributes.rankingValue(
        of: sort.attribute, document: record.document, cancellation)
    }
    return sort.precedes(try value(left), try value(right))
  }
}

/// A matching record with its ranking values.
package struct RankedDocument: Sendable, Hashable {
  /// The index of the segment in the snapshot.
  package let segment: Int
  /// The document in the segment.
  package let document: Int
  /// The values that the criteria compared.
  package let features: RankingFeatures
}

/// The values of a record that the criteria compare.
package struct RankingFeatures: Sendable, Hashable {
  /// The values of the textual criteria.
  package var score = MatchScore()
  /// The score of the filters.
  package var filters = 0
  /// The distance from the center of the search in steps of its precision, or `nil` without one.
  package var geoDistance: Int?

  /// The typos of all matched words together.
  package var typos: Int { score.typos }
  /// The number of query words matched.
  package var words: Int { score.words }
  /// The sum of the distances between adjacent query words.
  package var proximity: Int { score.proximity }
  /// The number of exact words.
  package var exact: Int { score.exact }
  /// The rank of the best attribute times 1000, plus the position of the word there, at most 999.
  package var firstMatchedWord: Int { score.attribute * 1000 + min(score.position, 999) }

  /// The attribute and the position as one number.
  package var attributeKey: Int { score.attribute << 20 | score.position }
}
