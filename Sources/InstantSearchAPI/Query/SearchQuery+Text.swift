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

// Typing mistakes.

extension SearchQuery {
  /// How typing mistakes are treated.
  ///
  /// Default: `true`. Also a setting.
  public var typoTolerance: TypoTolerance? {
    get { self[.typoTolerance] }
    set { self[.typoTolerance] = newValue }
  }

  /// The length from which a word of the query may contain one mistake, in characters.
  ///
  /// Default: 4. Also a setting.
  public var minWordSizefor1Typo: Int? {
    get { self[.minWordSizefor1Typo] }
    set { self[.minWordSizefor1Typo] = newValue }
  }

  /// The length from which a word of the query may contain two mistakes, in characters.
  ///
  /// Default: 8. Also a setting.
  public var minWordSizefor2Typos: Int? {
    get { self[.minWordSizefor2Typos] }
    set { self[.minWordSizefor2Typos] = newValue }
  }

  /// Whether numbers in the query may contain mistakes.
  ///
  /// Default: `true`. Also a setting.
  public var allowTyposOnNumericTokens: Bool? {
    get { self[.allowTyposOnNumericTokens] }
    set { self[.allowTyposOnNumericTokens] = newValue }
  }

  /// Attributes in which words match without mistakes only.
  ///
  /// Default: none. Also a setting.
  public var disableTypoToleranceOnAttributes: [String]? {
    get { self[.disableTypoToleranceOnAttributes] }
    set { self[.disableTypoToleranceOnAttributes] = newValue }
  }
}

// Languages.

extension SearchQuery {
  /// Whether inflected forms of a word are equal.
  ///
  /// Default: `false`. Also a setting.
  public var ignorePlurals: IgnorePlurals? {
    get { self[.ignorePlurals] }
    set { self[.ignorePlurals] = newValue }
  }

  /// Whether words that carry no meaning are dropped from the query.
  ///
  /// Default: `false`. Also a setting.
  public var removeStopWords: RemoveStopWords? {
    get { self[.removeStopWords] }
    set { self[.removeStopWords] = newValue }
  }

  /// The languages of ``ignorePlurals``, ``removeStopWords`` and the splitting of CJK text.
  ///
  /// Default: none. Also a setting.
  public var queryLanguages: [Language]? {
    get { self[.queryLanguages] }
    set { self[.queryLanguages] = newValue }
  }

  /// The languages of a spoken query.
  ///
  /// Stands for a set of parameters: both word lists in these languages, every word optional when
  /// nothing matches, and `natural_language` among the rule contexts and analytics tags. Parameters
  /// that are set here win.
  /// Default: none. Per search only.
  public var naturalLanguages: [Language]? {
    get { self[.naturalLanguages] }
    set { self[.naturalLanguages] = newValue }
  }

  /// Whether compound words of the query are split, in the languages that have them.
  ///
  /// Default: `true`. Also a setting.
  public var decompoundQuery: Bool? {
    get { self[.decompoundQuery] }
    set { self[.decompoundQuery] = newValue }
  }
}
