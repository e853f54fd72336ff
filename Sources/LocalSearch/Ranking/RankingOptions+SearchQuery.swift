package import AsyncInstantSearch

extension RankingOptions {
  /// Reads the parameters of a query; where one is absent the index setting counts.
  ///
  /// Keeping only the fewest typos puts Typo first, a similar query Words. Entries that are no
  /// criteria are skipped, and so are those that stand there before: they cannot decide anything.
  package init(query: SearchQuery, settings: IndexSettings) {
    self.init()
    var seen: Set<RankingCriterion> = []
    criteria = (query.ranking ?? settings.ranking).compactMap(RankingCriterion.init)
      .filter { seen.insert($0).inserted }
    switch query.typoTolerance ?? settings.typoTolerance {
    case .min, .strict: moveToFront(.typo)
    case .enabled: break
    }
    if query.similarQuery?.isEmpty == false { moveToFront(.words) }
    customRanking = settings.customRanking.compactMap(SortCriterion.init)
    minimumProximity = query.minProximity ?? settings.minProximity
    let byMinimum =
      query.attributeCriteriaComputedByMinProximity
      ?? settings.attributeCriteriaComputedByMinProximity
    let attribute = criteria.firstIndex(of: .attribute) ?? criteria.count
    let proximity = criteria.firstIndex(of: .proximity) ?? criteria.count
    isAttributeChosenByProximity = byMinimum || proximity < attribute
    singleWordExactness = MatchingOptions.SingleWordExactness(query, settings)
  }

  private mutating func moveToFront(_ criterion: RankingCriterion) {
    criteria.removeAll { $0 == criterion }
    criteria.insert(criterion, at: 0)
  }
}
