/// Puts matching records into order by tie-breaking: the first criterion that distinguishes two
/// records decides.
///
/// When all criteria tie, the object ID decides, ascending by its bytes; so the order is total.
///
/// When only the first records are wanted, each criterion drops the records that can no longer be
/// among them before the next one is worked out; places of words, which are costly, are read only
/// for the rest. The result is the same as the beginning of the whole order.
package struct Ranking {
  /// The distance of a record in steps; a record may have many points, which are counted.
  package typealias GeoDistanceOfDocument = (
    _ segment: Int, _ document: Int, _ checkpoint: Checkpoint
  ) throws -> Int?

  /// The criteria and how matches are scored.
  package let options: RankingOptions
  private let scoreOfFilters: ((_ segment: Int, _ document: Int) -> Int)?
  private let distanceOfDocument: GeoDistanceOfDocument?

  /// Creates a ranking.
  ///
  /// - Parameters:
  ///   - filterScore: The score of a record by the filters; `nil` when all have the same.
  ///   - geoDistance: The distance of a record in steps; `nil` when the search has no centre.
  ///     Records without a distance come last.
  package init(
    _ options: RankingOptions, filterScore: ((_ segment: Int, _ document: Int) -> Int)? = nil,
    geoDistance: GeoDistanceOfDocument? = nil
  ) {
    self.options = options
    scoreOfFilters = filterScore
    distanceOfDocument = geoDistance
  }

  /// Returns the matches in order.
  ///
  /// - Parameters:
  ///   - matches: What was found.
  ///   - limit: How many records from the first on are wanted; `nil` for all.
  ///   - checkpoint: Where the work is counted; what it throws ends the work.
  package func ranked(
    _ matches: MatchedRecords, limit: Int? = nil, _ checkpoint: Checkpoint
  ) throws -> [RankedDocument] {
    let limit = max(0, limit ?? .max)
    guard limit > 0 else { return [] }
    var lists: [[RankedDocument]] = []
    for (number, segment) in matches.segments.enumerated() {
      var ranking = try SegmentRanking(
        segment, number: number, wordCount: matches.plan.words.count, ranking: self, checkpoint)
      let list = try ranking.ranked(limit: limit, checkpoint)
      if !list.isEmpty { lists.append(list) }
    }
    let merger = SegmentMerger(
      criteria: options.criteria, customRanking: options.customRanking,
      segments: matches.segments.map(\.matcher.view.segment))
    return try merger.merge(lists, limit: limit, checkpoint)
  }

  /// The criteria in which records can differ in a query with or without words.
  package func effectiveCriteria(hasWords: Bool) -> [RankingCriterion] {
    options.criteria.filter { criterion in
      switch criterion {
      case .geo: distanceOfDocument != nil
      case .filters: scoreOfFilters != nil
      default: hasWords || !criterion.isTextual
      }
    }
  }

  /// The filter score of a record.
  package func filterScore(segment: Int, document: Int) -> Int {
    scoreOfFilters?(segment, document) ?? 0
  }

  /// The distance of a record, if the search has a centre and the record a place.
  package func geoDistance(
    segment: Int, document: Int, _ checkpoint: Checkpoint
  ) throws -> Int? {
    try distanceOfDocument?(segment, document, checkpoint)
  }
}

extension Ranking {
  /// Creates the ranking of a query; where it leaves a parameter out the index setting counts.
  package init(
    query: SearchQuery, settings: IndexSettings,
    filterScore: ((_ segment: Int, _ document: Int) -> Int)? = nil,
    geoDistance: GeoDistanceOfDocument? = nil
  ) {
    self.init(
      RankingOptions(query: query, settings: settings), filterScore: filterScore,
      geoDistance: geoDistance)
  }
}

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
