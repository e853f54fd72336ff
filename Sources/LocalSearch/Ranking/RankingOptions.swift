/// How matches are scored, in plain values.
package struct RankingOptions: Sendable {
  /// The criteria in their order.
  package var criteria: [RankingCriterion] = RankingCriterion.standard
  /// The criteria of `customRanking`.
  package var customRanking: [SortCriterion] = []
  /// Distances up to this are equal.
  package var minimumProximity = 1
  /// Whether the criterion Attribute looks at the words that are nearest to each other, and not at
  /// the best ones.
  package var isAttributeChosenByProximity = true
  /// What makes a match exact when the query is one word.
  package var singleWordExactness = MatchingOptions.SingleWordExactness.attribute

  /// Creates the default options.
  package init() {}
}
