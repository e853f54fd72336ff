/// Ranks matching records by tie-breaking. The first criterion that differs between two records
/// decides.
///
/// If all criteria tie, the object ID decides, in ascending byte order. So the order is total.
///
/// If only the first records are requested, the criteria of a record are calculated only until it
/// is known that it is not among them. The result is the start of the complete order.
package struct Ranking {
  /// The distance of a record in steps of the precision. A record may have many points, which are
  /// counted.
  package typealias GeoDistanceOfDocument = (
    _ segment: Int, _ document: Int, _ cancellation: CancellationCheck
  ) throws -> Int?

  /// Returns the nearest documents of a set, at least a given number or all. `nil` if that takes
  /// more work than calculating all distances.
  package typealias NearestDocuments = (
    _ segment: Int, _ documents: Bitmap, _ count: Int, _ cancellation: CancellationCheck
  ) throws -> Bitmap?

  /// The maximum number of hits for which a segment's documents are compared with the last hit of
  /// the other segments. Larger results are merged once.
  private static let maximumSelection = 10_000

  /// The criteria, and the options for scoring matches.
  package let options: RankingOptions
  private let scoreOfFilters: ((_ segment: Int, _ document: Int) -> Int)?
  private let distanceOfDocument: GeoDistanceOfDocument?
  private let nearestDocuments: NearestDocuments?

  /// Creates a ranking.
  ///
  /// - Parameters:
  ///   - filterScore: Returns the score of a record by the filters. `nil` if all have the same.
  ///   - geoDistance: Returns the distance of a record in steps. `nil` if the search has no center.
  ///     Records without a distance come last.
  ///   - nearest: Returns the nearest records. `nil` if only distances tell.
  package init(
    _ options: RankingOptions, filterScore: ((_ segment: Int, _ document: Int) -> Int)? = nil,
    geoDistance: GeoDistanceOfDocument? = nil, nearest: NearestDocuments? = nil
  ) {
    self.options = options
    scoreOfFilters = filterScore
    distanceOfDocument = geoDistance
    nearestDocuments = nearest
  }

  /// Returns the matches in order.
  ///
  /// - Parameters:
  ///   - matches: The matching records.
  ///   - limit: The number of records to return, or `nil` for all.
  ///   - cancellation: Counts the work, and ends it by throwing.
  package func ranked(
    _ matches: MatchedRecords, limit: Int? = nil, _ cancellation: CancellationCheck
  ) throws -> [RankedDocument] {
    let limit = max(0, limit ?? .max)
    guard limit > 0 else { return [] }
    let merger = HitMerger(
      criteria: options.criteria, customRanking: options.customRanking,
      segments: matches.segments.map(\.matcher.view.segment), cancellation)
    let counts = matches.segments.map(\.documents.cardinality)
    let isSelective = limit <= Self.maximumSelection
    // The largest segment comes first. Then most documents of the others are behind its last one,
    // and are skipped. As soon as there are enough documents, there is one list.
    var lists: [[RankedDocument]] = []
    for number in counts.indices.sorted(by: { counts[$0] > counts[$1] }) where counts[number] > 0 {
      let segment = try SegmentRanking(
        matches.segments[number], number: number, wordCount: matches.plan.words.count,
        ranking: self, cancellation)
      let last = lists.first.flatMap { isSelective && $0.count >= limit ? $0.last : nil }
      lists.append(try segment.ranked(limit: limit, before: last, merger))
      if isSelective, lists.reduce(0, { $0 + $1.count }) >= limit {
        lists = [try merger.merge(lists, limit: limit)]
      }
    }
    return try merger.merge(lists, limit: limit)
  }

  /// Returns the criteria by which the records of a query with or without words can differ.
  package func effectiveCriteria(hasWords: Bool) -> [RankingCriterion] {
    options.criteria.filter { criterion in
      switch criterion {
      case .geo: distanceOfDocument != nil
      case .filters: scoreOfFilters != nil
      default: hasWords || !criterion.isTextual
      }
    }
  }

  /// Returns the filter score of a record.
  package func filterScore(segment: Int, document: Int) -> Int {
    scoreOfFilters?(segment, document) ?? 0
  }

  /// Returns the distance of a record, if the search has a center and the record a point.
  package func geoDistance(
    segment: Int, document: Int, _ cancellation: CancellationCheck
  ) throws -> Int? {
    try distanceOfDocument?(segment, document, cancellation)
  }

  /// Returns the nearest documents of a set, at least `count` or all, or `nil` if they are not
  /// known.
  func nearest(
    segment: Int, _ documents: Bitmap, count: Int, _ cancellation: CancellationCheck
  ) throws -> Bitmap? {
    try nearestDocuments?(segment, documents, count, cancellation)
  }
}

extension Ranking {
  /// Creates the ranking of a query. Index settings replace absent parameters.
  package init(
    query: SearchQuery, settings: IndexSettings,
    filterScore: ((_ segment: Int, _ document: Int) -> Int)? = nil,
    geoDistance: GeoDistanceOfDocument? = nil, nearest: NearestDocuments? = nil
  ) {
    self.init(
      RankingOptions(query: query, settings: settings), filterScore: filterScore,
      geoDistance: geoDistance, nearest: nearest)
  }
}

/// The options for ranking, as plain values.
package struct RankingOptions: Sendable {
  /// The criteria, in order.
  package var criteria: [RankingCriterion] = RankingCriterion.standard
  /// The criteria of `customRanking`.
  package var customRanking: [SortCriterion] = []
  /// The distance up to which all distances are equal.
  package var minimumProximity = 1
  /// Whether the Attribute criterion uses the words that are nearest to each other, instead of the
  /// best ones.
  package var isAttributeChosenByProximity = true
  /// The matches that are exact for a query of one word.
  package var singleWordExactness = MatchingOptions.SingleWordExactness.attribute

  /// Creates the default options.
  package init() {}

  /// Returns the proximity of words that follow each other.
  func leastProximity(wordCount: Int) -> Int {
    max(0, wordCount - 1) * max(1, minimumProximity)
  }
}

extension RankingOptions {
  /// Reads the parameters of a query. Index settings replace absent parameters.
  ///
  /// Keeping only the fewest typos puts Typo first, and a similar query puts Words first. Unknown
  /// and repeated entries are skipped, because they have no effect.
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
