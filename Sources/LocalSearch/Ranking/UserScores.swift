/// The places of records in the custom ranking of a whole snapshot, for `_rankingInfo`.
struct UserScores {
  private let segments: [SegmentView]
  private let criteria: [SortCriterion]
  /// For each segment and place in its custom order, how many live records stand there or later.
  private let liveCounts: [[UInt32]]

  /// Counts the live records of every segment in their custom order.
  ///
  /// - Complexity: O(n) for n documents.
  init(_ snapshot: Snapshot, _ checkpoint: Checkpoint) throws {
    segments = snapshot.segments
    criteria = snapshot.settings.customRanking.compactMap(SortCriterion.init)
    var liveCounts: [[UInt32]] = []
    for view in criteria.isEmpty ? [] : segments {
      let order = view.segment.order.byCustomRank
      var counts = [UInt32](repeating: 0, count: order.count + 1)
      try checkpoint.forEach(order.indices.reversed()) { place in
        counts[place] = counts[place + 1] + (view.live[Int(order[place])] ? 1 : 0)
      }
      liveCounts.append(counts)
    }
    self.liveCounts = liveCounts
  }

  /// How many live records of the index the custom ranking puts after a record; greater is better,
  /// and records that tie have equal scores.
  ///
  /// - Complexity: O(log n) for each segment.
  func score(segment: Int, document: Int, _ checkpoint: Checkpoint) throws -> Int {
    if criteria.isEmpty { return 0 }
    let values = try criteria.map {
      try segments[segment].segment.attributes.rankingValue(
        of: $0.attribute, document: document, checkpoint)
    }
    var score = 0
    for (view, counts) in zip(segments, liveCounts) {
      let attributes = view.segment.attributes
      let place = try view.segment.order.byCustomRank.partitionPoint { other in
        try !isBefore(values) {
          try attributes.rankingValue(of: $0, document: Int(other), checkpoint)
        }
      }
      score += Int(counts[place])
    }
    return score
  }

  /// Whether a record with these values stands before another one.
  private func isBefore(
    _ values: [RankingValue], _ other: (String) throws -> RankingValue
  ) rethrows -> Bool {
    for (criterion, value) in zip(criteria, values) {
      if let isBefore = criterion.precedes(value, try other(criterion.attribute)) {
        return isBefore
      }
    }
    return false
  }
}
