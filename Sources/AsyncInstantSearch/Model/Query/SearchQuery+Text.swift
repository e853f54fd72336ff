// Query text.

extension SearchQuery {
  /// The text to search for, up to 512 bytes.
  ///
  /// Empty matches every record, in the order of the custom ranking.
  /// Default: empty. Per search only.
  public var query: String? {
    get { self[.query] }
    set { self[.query] = newValue }
  }

  /// A text whose words rank records instead of selecting them.
  ///
  /// Takes the place of ``query`` to find similar records: every word is optional, stop words are
  /// dropped, no word matches as a prefix, and the number of matching words ranks first.
  /// Default: empty. Per search only.
  public var similarQuery: String? {
    get { self[.similarQuery] }
    set { self[.similarQuery] = newValue }
  }

  /// Which words of the query may match the beginning of a longer word.
  ///
  /// Default: `prefixLast`. Also a setting.
  public var queryType: QueryType? {
    get { self[.queryType] }
    set { self[.queryType] = newValue }
  }

  /// What is dropped from a query that matches nothing.
  ///
  /// Default: `none`. Also a setting.
  public var removeWordsIfNoResults: RemoveWordsIfNoResults? {
    get { self[.removeWordsIfNoResults] }
    set { self[.removeWordsIfNoResults] = newValue }
  }

  /// Words of the query that a record need not contain.
  ///
  /// Each text stands for all of its words; `.null` means none.
  /// Default: an empty list. Also a setting.
  public var optionalWords: Nullable<OptionalWords>? {
    get { self[.optionalWords] }
    set { self[.optionalWords] = newValue }
  }

  /// Whether `"phrases"` and `-excluded` words have a meaning in the query.
  ///
  /// Default: `false`. Also a setting.
  public var advancedSyntax: Bool? {
    get { self[.advancedSyntax] }
    set { self[.advancedSyntax] = newValue }
  }

  /// Which parts of the advanced syntax are on, when ``advancedSyntax`` is.
  ///
  /// Default: `[.exactPhrase, .excludeWords]`. Also a setting.
  public var advancedSyntaxFeatures: [AdvancedSyntaxFeature]? {
    get { self[.advancedSyntaxFeatures] }
    set { self[.advancedSyntaxFeatures] = newValue }
  }

  /// What the Exact criterion rewards when the query has one word.
  ///
  /// Default: `attribute`. Also a setting.
  public var exactOnSingleWordQuery: ExactOnSingleWordQuery? {
    get { self[.exactOnSingleWordQuery] }
    set { self[.exactOnSingleWordQuery] = newValue }
  }

  /// Which alternatives of a word count as exact.
  ///
  /// Default: `[.ignorePlurals, .singleWordSynonym]`. Also a setting.
  public var alternativesAsExact: [AlternativeAsExact]? {
    get { self[.alternativesAsExact] }
    set { self[.alternativesAsExact] = newValue }
  }

  /// Attributes that the Exact criterion does not look at.
  ///
  /// Default: none. Also a setting.
  public var disableExactOnAttributes: [String]? {
    get { self[.disableExactOnAttributes] }
    set { self[.disableExactOnAttributes] = newValue }
  }

  /// Whether to search by words only, or by meaning as well.
  ///
  /// Default: `keywordSearch`. Also a setting.
  public var mode: SearchMode? {
    get { self[.mode] }
    set { self[.mode] = newValue }
  }

  /// Settings of the search by meaning.
  ///
  /// Used with the mode `neuralSearch` only.
  /// No default. Also a setting.
  public var semanticSearch: SemanticSearch? {
    get { self[.semanticSearch] }
    set { self[.semanticSearch] = newValue }
  }
}
