import AsyncInstantSearch

extension MatchingOptions {
  /// Reads the parameters of a query; where one is absent the index setting counts.
  init(
    query: SearchQuery, settings: IndexSettings, lists: SettingsLists, _ checkpoint: Checkpoint
  ) throws {
    self.init()
    tokenizer = Tokenizer(settings: settings)
    text = query.query ?? ""
    switch query.queryType ?? settings.queryType {
    case .prefixAll: prefixRule = .all
    case .prefixNone: prefixRule = .none
    default: prefixRule = .last
    }
    switch query.typoTolerance ?? settings.typoTolerance {
    case .enabled(let isEnabled): typoTolerance = isEnabled ? .on : .off
    case .min: typoTolerance = .fewest
    case .strict: typoTolerance = .twoFewest
    }
    minimumLengths = (
      query.minWordSizefor1Typo ?? settings.minWordSizefor1Typo,
      query.minWordSizefor2Typos ?? settings.minWordSizefor2Typos
    )
    allowsNumericTypos = query.allowTyposOnNumericTokens ?? settings.allowTyposOnNumericTokens
    typoFreeWords = try Self.words(
      of: settings.disableTypoToleranceOnWords, tokenizer, checkpoint)
    typoFreeAttributes =
      try query.disableTypoToleranceOnAttributes.map { try AttributeList($0, checkpoint) }
      ?? lists.typoFree
    prefixFreeAttributes = lists.prefixFree
    exactFreeAttributes =
      try query.disableExactOnAttributes.map { try AttributeList($0, checkpoint) }
      ?? lists.exactFree
    restrictedAttributes = try AttributeList(
      restrictingTo: query.restrictSearchableAttributes, checkpoint)
    let optional =
      query.optionalWords.map { $0.optional?.texts ?? [] } ?? settings.optionalWords.texts
    optionalWords = try Self.words(of: optional, tokenizer, checkpoint)
    switch query.removeWordsIfNoResults ?? settings.removeWordsIfNoResults {
    case .lastWords: wordRemoval = .last
    case .firstWords: wordRemoval = .first
    case .allOptional: wordRemoval = .all
    default: wordRemoval = .none
    }
    singleWordExactness = SingleWordExactness(query, settings)
    if query.advancedSyntax ?? settings.advancedSyntax {
      let features = query.advancedSyntaxFeatures ?? settings.advancedSyntaxFeatures
      understandsPhrases = features.contains(.exactPhrase)
      understandsExclusions = features.contains(.excludeWords)
    }
    if let similar = query.similarQuery, !similar.isEmpty {
      text = similar
      prefixRule = .none
      isEveryWordOptional = true
    }
  }
}

extension MatchingOptions.SingleWordExactness {
  /// Reads the parameter of a query; where it is absent the index setting counts.
  init(_ query: SearchQuery, _ settings: IndexSettings) {
    switch query.exactOnSingleWordQuery ?? settings.exactOnSingleWordQuery {
    case .word: self = .word
    case .none: self = .none
    default: self = .attribute
    }
  }
}
