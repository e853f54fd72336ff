import InstantSearchJSON

/// Why a hit is ranked where it is, in the member `_rankingInfo`.
struct RankingDetails: Sendable, Hashable {
  /// The point of a record that is nearest to the center.
  struct MatchedPoint: Sendable, Hashable {
    var point: Point
    /// The distance in whole meters.
    var distance: Int
    /// The bucket size at the distance, in meters.
    var precision: Int
  }

  var typoCount = 0
  /// The rank of the attribute times 1000, plus the position of the word.
  var firstMatchedWord = 0
  var proximityDistance = 0
  var exactWordCount = 0
  var wordCount = 0
  var filterScore = 0
  /// The number of records that the custom ranking puts after this one.
  var userScore = 0
  var matchedPoint: MatchedPoint?

  /// Writes the object.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    func number(_ name: String, _ value: Int) {
      writer.key(name)
      writer.int(value)
    }
    number("nbTypos", typoCount)
    number("firstMatchedWord", firstMatchedWord)
    number("proximityDistance", proximityDistance)
    number("userScore", userScore)
    number("geoDistance", matchedPoint.map { $0.distance / $0.precision } ?? 0)
    number("geoPrecision", matchedPoint?.precision ?? 1)
    if let matchedPoint {
      writer.key("matchedGeoLocation")
      writer.beginObject()
      writer.key("lat")
      writer.double(matchedPoint.point.latitude)
      writer.key("lng")
      writer.double(matchedPoint.point.longitude)
      writer.key("distance")
      writer.int(matchedPoint.distance)
      writer.endObject()
    }
    number("nbExactWords", exactWordCount)
    number("words", wordCount)
    number("filters", filterScore)
    writer.endObject()
  }
}

/// The positions of records in the custom ranking of a snapshot, for `_rankingInfo`.
struct UserScores {
  private let segments: [SegmentView]
  private let criteria: [SortCriterion]
  /// The number of live records at or after each index of a segment's custom order.
  private let liveCounts: [[UInt32]]

  /// Counts the live records of every segment in their custom order.
  ///
  /// - Complexity: O(n) for n documents.
  init(_ snapshot: IndexSnapshot, _ cancellation: CancellationCheck) throws {
    segments = snapshot.segments
    criteria = snapshot.settings.customRanking.compactMap(SortCriterion.init)
    var liveCounts: [[UInt32]] = []
    for view in criteria.isEmpty ? [] : segments {
      let order = view.segment.order.byCustomRank
      var counts = [UInt32](repeating: 0, count: order.count + 1)
      try cancellation.forEach(order.indices.reversed()) { index in
        counts[index] = counts[index + 1] + (view.live[Int(order[index])] ? 1 : 0)
      }
      liveCounts.append(counts)
    }
    self.liveCounts = liveCounts
  }

  /// Returns the number of live records that the custom ranking puts after a record. Greater is
  /// better, and records that tie have equal scores.
  ///
  /// - Complexity: O(log n) for each segment.
  func score(segment: Int, document: Int, _ cancellation: CancellationCheck) throws -> Int {
    if criteria.isEmpty { return 0 }
    let values = try criteria.map {
      try segments[segment].segment.attributes.rankingValue(
        of: $0.attribute, document: document, cancellation)
    }
    var score = 0
    for (view, counts) in zip(segments, liveCounts) {
      let attributes = view.segment.attributes
      let end = try view.segment.order.byCustomRank.partitionPoint { other in
        try !isBefore(values) {
          try attributes.rankingValue(of: $0, document: Int(other), cancellation)
        }
      }
      score += Int(counts[end])
    }
    return score
  }

  /// Whether a record with these values ranks before another one.
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
