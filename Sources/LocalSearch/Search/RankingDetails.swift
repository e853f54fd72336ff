import InstantSearchJSON

/// Why a hit stands where it stands: the member `_rankingInfo`.
struct RankingDetails: Sendable, Hashable {
  /// The point of a record nearest to the searched one.
  struct MatchedPlace: Sendable, Hashable {
    var point: Point
    /// In whole metres.
    var distance: Int
    /// The bucket size that applied, in metres.
    var precision: Int
  }

  var typoCount = 0
  /// The rank of the attribute times 1000, plus the position of the word.
  var firstMatchedWord = 0
  var proximityDistance = 0
  var exactWordCount = 0
  var wordCount = 0
  var filterScore = 0
  /// How many records of the index the custom ranking puts after this one.
  var userScore = 0
  var place: MatchedPlace?

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
    number("geoDistance", place.map { $0.distance / $0.precision } ?? 0)
    number("geoPrecision", place?.precision ?? 1)
    if let place {
      writer.key("matchedGeoLocation")
      writer.beginObject()
      writer.key("lat")
      writer.double(place.point.latitude)
      writer.key("lng")
      writer.double(place.point.longitude)
      writer.key("distance")
      writer.int(place.distance)
      writer.endObject()
    }
    number("nbExactWords", exactWordCount)
    number("words", wordCount)
    number("filters", filterScore)
    writer.endObject()
  }
}

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
