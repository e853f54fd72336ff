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
