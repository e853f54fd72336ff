// Ranking and grouping.

extension SearchQuery {
  /// The ranking criteria in order. They can include `asc(attribute)` and `desc(attribute)`.
  ///
  /// Default: typo, geo, words, filters, proximity, attribute, exact, custom. Also a setting.
  public var ranking: [String]? {
    get { self[.ranking] }
    set { self[.ranking] = newValue }
  }

  /// The number of records of a group that are returned, up to 4.
  ///
  /// Default: 0, which does not group. Also a setting.
  public var distinct: Distinct? {
    get { self[.distinct] }
    set { self[.distinct] = newValue }
  }

  /// The word distance up to which all distances are equal, 1 to 7.
  ///
  /// Default: 1. Also a setting.
  public var minProximity: Int? {
    get { self[.minProximity] }
    set { self[.minProximity] = newValue }
  }

  /// Whether the best attribute is the one with the smallest distance between the query words.
  ///
  /// Default: `false`. Also a setting.
  public var attributeCriteriaComputedByMinProximity: Bool? {
    get { self[.attributeCriteriaComputedByMinProximity] }
    set { self[.attributeCriteriaComputedByMinProximity] = newValue }
  }

  /// The minimum relevancy of records in a virtual replica, 0 to 100.
  ///
  /// Default: 100. Also a setting.
  public var relevancyStrictness: Int? {
    get { self[.relevancyStrictness] }
    set { self[.relevancyStrictness] = newValue }
  }

  /// Whether the hosted service may reorder hits based on its statistics.
  ///
  /// Default: `true`. Also a setting.
  public var enableReRanking: Bool? {
    get { self[.enableReRanking] }
    set { self[.enableReRanking] = newValue }
  }

  /// The hits that the hosted service may reorder. `.null` means all of them.
  ///
  /// No default. Also a setting.
  public var reRankingApplyFilter: Nullable<NestedFilters>? {
    get { self[.reRankingApplyFilter] }
    set { self[.reRankingApplyFilter] = newValue }
  }

  /// Whether each hit includes ranking information.
  ///
  /// Default: `false`. Per search only.
  public var getRankingInfo: Bool? {
    get { self[.getRankingInfo] }
    set { self[.getRankingInfo] = newValue }
  }

  /// What the response explains about the search, in its member `explain`.
  ///
  /// The public description of the API does not have this parameter: a hosted service may ignore
  /// it. A search service demands the right `settings`, because synonyms show.
  ///
  /// Default: nothing. Per search only.
  public var explain: [ExplainModule]? {
    get { self[.explain] }
    set { self[.explain] = newValue }
  }
}

// Rules, personalization and the response.

extension SearchQuery {
  /// Whether rules apply.
  ///
  /// Default: `true`. Also a setting.
  public var enableRules: Bool? {
    get { self[.enableRules] }
    set { self[.enableRules] = newValue }
  }

  /// The contexts in which rules apply.
  ///
  /// Default: none. Per search only.
  public var ruleContexts: [String]? {
    get { self[.ruleContexts] }
    set { self[.ruleContexts] = newValue }
  }

  /// Whether hits are ranked for the user of ``userToken``.
  ///
  /// Default: `false`. Also a setting.
  public var enablePersonalization: Bool? {
    get { self[.enablePersonalization] }
    set { self[.enablePersonalization] = newValue }
  }

  /// The weight of personal ranking, 0 to 100.
  ///
  /// Default: 100. Per search only.
  public var personalizationImpact: Int? {
    get { self[.personalizationImpact] }
    set { self[.personalizationImpact] = newValue }
  }

  /// A pseudonym of the user, 1 to 128 characters.
  ///
  /// It never appears in descriptions and errors. No default. Per search only.
  public var userToken: String? {
    get { self[.userToken] }
    set { self[.userToken] = newValue }
  }

  /// Whether the search counts in the statistics.
  ///
  /// Default: `true`. Per search only.
  public var analytics: Bool? {
    get { self[.analytics] }
    set { self[.analytics] = newValue }
  }

  /// The segments of the statistics in which the search counts.
  ///
  /// Default: none. Per search only.
  public var analyticsTags: [String]? {
    get { self[.analyticsTags] }
    set { self[.analyticsTags] = newValue }
  }

  /// Whether the response has a `queryID`, which links later events to the search.
  ///
  /// Default: `false`. Per search only.
  public var clickAnalytics: Bool? {
    get { self[.clickAnalytics] }
    set { self[.clickAnalytics] = newValue }
  }

  /// Whether the search counts in the statistics of processing times.
  ///
  /// Default: `true`. Per search only.
  public var percentileComputation: Bool? {
    get { self[.percentileComputation] }
    set { self[.percentileComputation] = newValue }
  }

  /// Whether the search may take part in A/B tests.
  ///
  /// Default: `true`. Per search only.
  public var enableABTest: Bool? {
    get { self[.enableABTest] }
    set { self[.enableABTest] = newValue }
  }

  /// Whether synonyms are used.
  ///
  /// Default: `true`. Per search only.
  public var synonyms: Bool? {
    get { self[.synonyms] }
    set { self[.synonyms] = newValue }
  }

  /// The members of a result that ``responseFields`` can leave out.
  package static let excludableResponseFields: Set<String> = [
    "aroundLatLng", "automaticRadius", "exhaustive", "facets", "facets_stats", "hits",
    "hitsPerPage", "index", "length", "nbHits", "nbPages", "offset", "page", "params",
    "processingTimeMS", "query", "queryAfterRemoval", "renderingContent", "serverTimeMS",
    "userData",
  ]

  /// The members of the response. `*` means all of them.
  ///
  /// Default: `["*"]`. Also a setting.
  public var responseFields: [String]? {
    get { self[.responseFields] }
    set { self[.responseFields] = newValue }
  }

  /// Hints for the user interface, which are returned unchanged.
  ///
  /// Default: none. Also a setting.
  public var renderingContent: RenderingContent? {
    get { self[.renderingContent] }
    set { self[.renderingContent] = newValue }
  }
}

// Highlights and snippets.

extension SearchQuery {
  /// The attributes whose matched words are highlighted. `*` means all, an empty list none.
  ///
  /// Default: every searchable attribute. Also a setting.
  public var attributesToHighlight: [String]? {
    get { self[.attributesToHighlight] }
    set { self[.attributesToHighlight] = newValue }
  }

  /// The attributes whose matching part is returned.
  ///
  /// `name`, or `name:N` with the length in words. `*` or `*:N` means every attribute. Default:
  /// none. Also a setting.
  public var attributesToSnippet: [String]? {
    get { self[.attributesToSnippet] }
    set { self[.attributesToSnippet] = newValue }
  }

  /// The text before a highlighted word.
  ///
  /// Default: `<em>`. Also a setting.
  public var highlightPreTag: String? {
    get { self[.highlightPreTag] }
    set { self[.highlightPreTag] = newValue }
  }

  /// The text after a highlighted word.
  ///
  /// Default: `</em>`. Also a setting.
  public var highlightPostTag: String? {
    get { self[.highlightPostTag] }
    set { self[.highlightPostTag] = newValue }
  }

  /// The text that replaces the cut part of a snippet.
  ///
  /// Default: `…`. Also a setting.
  public var snippetEllipsisText: String? {
    get { self[.snippetEllipsisText] }
    set { self[.snippetEllipsisText] = newValue }
  }

  /// Whether elements without a match are excluded from highlighted and snippeted lists.
  ///
  /// Default: `false`. Also a setting.
  public var restrictHighlightAndSnippetArrays: Bool? {
    get { self[.restrictHighlightAndSnippetArrays] }
    set { self[.restrictHighlightAndSnippetArrays] = newValue }
  }

  /// Whether a matched synonym is replaced by the word of the query.
  ///
  /// Default: `false`. Also a setting.
  public var replaceSynonymsInHighlight: Bool? {
    get { self[.replaceSynonymsInHighlight] }
    set { self[.replaceSynonymsInHighlight] = newValue }
  }
}
