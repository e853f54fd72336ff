// Query text.

extension SearchQuery {
  /// The text to search for, up to 512 bytes.
  ///
  /// An empty text matches every record, in the order of the custom ranking. Default: empty. Per
  /// search only.
  public var query: String? {
    get { self[.query] }
    set { self[.query] = newValue }
  }

  /// A text whose words rank records instead of selecting them.
  ///
  /// It replaces ``query`` to find similar records: every word is optional, stop words are
  /// removed, no word matches as a prefix, and the number of matching words ranks first. Default:
  /// empty. Per search only.
  public var similarQuery: String? {
    get { self[.similarQuery] }
    set { self[.similarQuery] = newValue }
  }

  /// The words of the query that match as prefixes.
  ///
  /// Default: `prefixLast`. Also a setting.
  public var queryType: QueryType? {
    get { self[.queryType] }
    set { self[.queryType] = newValue }
  }

  /// The words that are removed from a query without results.
  ///
  /// Default: `none`. Also a setting.
  public var removeWordsIfNoResults: RemoveWordsIfNoResults? {
    get { self[.removeWordsIfNoResults] }
    set { self[.removeWordsIfNoResults] = newValue }
  }

  /// Words of the query that a record does not have to contain.
  ///
  /// Each text means all of its words; `.null` means none. Default: an empty list. Also a setting.
  public var optionalWords: Nullable<OptionalWords>? {
    get { self[.optionalWords] }
    set { self[.optionalWords] = newValue }
  }

  /// Whether `"phrases"` and `-excluded` words have their special meaning in the query.
  ///
  /// Default: `false`. Also a setting.
  public var advancedSyntax: Bool? {
    get { self[.advancedSyntax] }
    set { self[.advancedSyntax] = newValue }
  }

  /// The parts of the advanced syntax that ``advancedSyntax`` enables.
  ///
  /// Default: `[.exactPhrase, .excludeWords]`. Also a setting.
  public var advancedSyntaxFeatures: [AdvancedSyntaxFeature]? {
    get { self[.advancedSyntaxFeatures] }
    set { self[.advancedSyntaxFeatures] = newValue }
  }

  /// The match that the Exact criterion rewards for a query of one word.
  ///
  /// Default: `attribute`. Also a setting.
  public var exactOnSingleWordQuery: ExactOnSingleWordQuery? {
    get { self[.exactOnSingleWordQuery] }
    set { self[.exactOnSingleWordQuery] = newValue }
  }

  /// The alternatives of a word that count as exact.
  ///
  /// Default: `[.ignorePlurals, .singleWordSynonym]`. Also a setting.
  public var alternativesAsExact: [AlternativeAsExact]? {
    get { self[.alternativesAsExact] }
    set { self[.alternativesAsExact] = newValue }
  }

  /// Attributes that the Exact criterion ignores.
  ///
  /// Default: none. Also a setting.
  public var disableExactOnAttributes: [String]? {
    get { self[.disableExactOnAttributes] }
    set { self[.disableExactOnAttributes] = newValue }
  }

  /// Whether to search by keywords only, or semantically as well.
  ///
  /// Default: `keywordSearch`. Also a setting.
  public var mode: SearchMode? {
    get { self[.mode] }
    set { self[.mode] = newValue }
  }

  /// Settings of the semantic search.
  ///
  /// They apply to the mode `neuralSearch` only. No default. Also a setting.
  public var semanticSearch: SemanticSearch? {
    get { self[.semanticSearch] }
    set { self[.semanticSearch] = newValue }
  }
}

// Typos.

extension SearchQuery {
  /// The tolerance of typos.
  ///
  /// Default: `true`. Also a setting.
  public var typoTolerance: TypoTolerance? {
    get { self[.typoTolerance] }
    set { self[.typoTolerance] = newValue }
  }

  /// The minimum length of a query word that may contain one typo, in characters.
  ///
  /// Default: 4. Also a setting.
  public var minWordSizefor1Typo: Int? {
    get { self[.minWordSizefor1Typo] }
    set { self[.minWordSizefor1Typo] = newValue }
  }

  /// The minimum length of a query word that may contain two typos, in characters.
  ///
  /// Default: 8. Also a setting.
  public var minWordSizefor2Typos: Int? {
    get { self[.minWordSizefor2Typos] }
    set { self[.minWordSizefor2Typos] = newValue }
  }

  /// Whether numbers in the query may contain typos.
  ///
  /// Default: `true`. Also a setting.
  public var allowTyposOnNumericTokens: Bool? {
    get { self[.allowTyposOnNumericTokens] }
    set { self[.allowTyposOnNumericTokens] = newValue }
  }

  /// Attributes whose words match without typos only.
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

  /// Whether words without meaning for the search are removed from the query.
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
  /// It implies several parameters: plurals and stop words in these languages, every word optional
  /// if nothing matches, and `natural_language` among the rule contexts and analytics tags.
  /// Parameters that are set explicitly take precedence. Default: none. Per search only.
  public var naturalLanguages: [Language]? {
    get { self[.naturalLanguages] }
    set { self[.naturalLanguages] = newValue }
  }

  /// Whether compound words of the query are split, in languages that have them.
  ///
  /// Default: `true`. Also a setting.
  public var decompoundQuery: Bool? {
    get { self[.decompoundQuery] }
    set { self[.decompoundQuery] = newValue }
  }
}
