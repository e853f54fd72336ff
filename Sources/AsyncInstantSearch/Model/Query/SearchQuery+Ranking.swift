// Ranking and grouping.

extension SearchQuery {
  /// The ranking criteria in order; may contain `asc(attribute)` and `desc(attribute)`.
  ///
  /// Default: typo, geo, words, filters, proximity, attribute, exact, custom. Also a setting.
  public var ranking: [String]? {
    get { self[.ranking] }
    set { self[.ranking] = newValue }
  }

  /// How many records of a group are returned, up to 4.
  ///
  /// Default: 0, which does not group. Also a setting.
  public var distinct: Distinct? {
    get { self[.distinct] }
    set { self[.distinct] = newValue }
  }

  /// The distance in words up to which all distances are equal, 1 to 7.
  ///
  /// Default: 1. Also a setting.
  public var minProximity: Int? {
    get { self[.minProximity] }
    set { self[.minProximity] = newValue }
  }

  /// Whether the best attribute is the one where the words are closest to each other.
  ///
  /// Default: `false`. Also a setting.
  public var attributeCriteriaComputedByMinProximity: Bool? {
    get { self[.attributeCriteriaComputedByMinProximity] }
    set { self[.attributeCriteriaComputedByMinProximity] = newValue }
  }

  /// How strictly a virtual replica keeps to relevant records, 0 to 100.
  ///
  /// Default: 100. Also a setting.
  public var relevancyStrictness: Int? {
    get { self[.relevancyStrictness] }
    set { self[.relevancyStrictness] = newValue }
  }

  /// Whether the hosted service may reorder hits by its statistics.
  ///
  /// Default: `true`. Also a setting.
  public var enableReRanking: Bool? {
    get { self[.enableReRanking] }
    set { self[.enableReRanking] = newValue }
  }

  /// Which hits the hosted service may reorder; `.null` means all of them.
  ///
  /// No default. Also a setting.
  public var reRankingApplyFilter: Nullable<NestedFilters>? {
    get { self[.reRankingApplyFilter] }
    set { self[.reRankingApplyFilter] = newValue }
  }

  /// Whether each hit tells how it was ranked.
  ///
  /// Default: `false`. Per search only.
  public var getRankingInfo: Bool? {
    get { self[.getRankingInfo] }
    set { self[.getRankingInfo] = newValue }
  }
}
