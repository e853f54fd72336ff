/// A matching record in its place among the others.
package struct RankedDocument: Sendable, Hashable {
  /// The segment, a number in the snapshot.
  package let segment: Int
  /// The document in the segment.
  package let document: Int
  /// What the criteria compared.
  package let features: RankingFeatures
}

/// What the criteria know of a record.
package struct RankingFeatures: Sendable, Hashable {
  /// What the textual criteria know.
  package var score = MatchScore()
  /// The score of the filters.
  package var filters = 0
  /// The distance from the centre of the search in steps of its precision; `nil` without one.
  package var geoDistance: Int?

  /// The typos of all matched words together.
  package var typos: Int { score.typos }
  /// The number of query words matched.
  package var words: Int { score.words }
  /// The sum of the distances between neighbouring query words.
  package var proximity: Int { score.proximity }
  /// The number of exact words.
  package var exact: Int { score.exact }
  /// The rank of the best attribute times 1000, plus the position of the word there, at most 999.
  package var firstMatchedWord: Int { score.attribute * 1000 + min(score.position, 999) }

  /// Attribute and position as one number.
  package var place: Int { score.attribute << 20 | score.position }
}
