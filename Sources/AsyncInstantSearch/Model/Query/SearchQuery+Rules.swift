// Rules, people and the response.

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

  /// How much personal ranking weighs, 0 to 100.
  ///
  /// Default: 100. Per search only.
  public var personalizationImpact: Int? {
    get { self[.personalizationImpact] }
    set { self[.personalizationImpact] = newValue }
  }

  /// A pseudonym of the user, 1 to 128 characters.
  ///
  /// Never shown in descriptions and errors.
  /// No default. Per search only.
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

  /// Whether the response has a `queryID`, by which later events refer to the search.
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

  /// The members of the response; `*` stands for all of them.
  ///
  /// Default: `["*"]`. Also a setting.
  public var responseFields: [String]? {
    get { self[.responseFields] }
    set { self[.responseFields] = newValue }
  }

  /// Hints for the user interface, returned as they are.
  ///
  /// Default: none. Also a setting.
  public var renderingContent: RenderingContent? {
    get { self[.renderingContent] }
    set { self[.renderingContent] = newValue }
  }
}
