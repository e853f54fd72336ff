/// How matches are scored, in plain values.
struct RankingOptions: Sendable {
  /// The criteria in their order.
  var criteria: [RankingCriterion] = RankingCriterion.standard
  /// The criteria of `customRanking`.
  var customRanking: [SortCriterion] = []
  /// Distances up to this are equal.
  var minimumProximity = 1
  /// Whether the criterion Attribute looks at the words that are nearest to each other, and not at the best ones.
  var isAttributeChosenByProximity = true
  /// What makes a match exact when the query is one word.
  var singleWordExactness = MatchingOptions.SingleWordExactness.attribute

  /// Creates the default options.
  init() {}
}
