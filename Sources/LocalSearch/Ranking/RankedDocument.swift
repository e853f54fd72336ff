/// A matching record in its place among the others.
struct RankedDocument: Sendable, Hashable {
  /// The segment, a number in the snapshot.
  let segment: Int
  /// The document in the segment.
  let document: Int
  /// What the criteria compared.
  let features: RankingFeatures
}

/// What the criteria know of a record.
struct RankingFeatures: Sendable, Hashable {
  /// What the textual criteria know.
  var score = MatchScore()
  /// The score of the filters.
  var filters = 0
  /// The distance from the centre of the search in steps of its precision; `nil` without one.
  var geoDistance: Int?

  /// The typos of all matched words together.
  var typos: Int { score.typos }
  /// The number of query words matched.
  var words: Int { score.words }
  /// The sum of the distances between neighbouring query words.
  var proximity: Int { score.proximity }
  /// The number of exact words.
  var exact: Int { score.exact }
  /// The rank of the best attribute times 1000, plus the position of the word there, at most 999.
  var firstMatchedWord: Int { score.attribute * 1000 + min(score.position, 999) }

  /// Attribute and position as one number.
  var place: Int { score.attribute << 20 | score.position }
}
