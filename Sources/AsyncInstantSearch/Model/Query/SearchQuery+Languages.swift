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
