import InstantSearchJSON

/// The options for matching a query text, as plain values.
package struct MatchingOptions: Sendable {
  /// The words that match prefixes.
  package enum PrefixRule: Sendable { case last, all, none }
  /// The tolerance of typos.
  package enum TypoTolerance: Sendable { case off, on, fewest, twoFewest }
  /// The words that become optional without matches.
  package enum WordRemoval: Sendable { case none, last, first, all }
  /// The matches that are exact for a query of one word.
  package enum SingleWordExactness: Sendable { case attribute, word, none }

  /// The query text.
  package var text = ""
  /// The tokenizer of the index.
  package var tokenizer = Tokenizer()
  package var prefixRule = PrefixRule.last
  package var typoTolerance = TypoTolerance.on
  /// The minimum lengths of words with one typo, and with two, in characters.
  package var minimumLengths: (oneTypo: Int, twoTypos: Int) = (4, 8)
  /// Whether words of digits can have typos.
  package var allowsNumericTypos = true
  /// Normalized words without typos.
  package var typoFreeWords: Set<String> = []
  /// The attributes without typos, without prefixes, and ignored by Exact.
  package var typoFreeAttributes = AttributeList.none
  package var prefixFreeAttributes = AttributeList.none
  package var exactFreeAttributes = AttributeList.none
  /// The only attributes to search. All by default.
  package var restrictedAttributes = AttributeList.all
  /// The language of places to search, or `nil` for all.
  package var placeLanguage: PlaceLanguage?
  /// Normalized words that do not have to match.
  package var optionalWords: Set<String> = []
  /// Whether all words are optional.
  package var isEveryWordOptional = false
  /// Whether `"phrases"` and `-exclusions` have a meaning.
  package var understandsPhrases = false
  package var understandsExclusions = false
  package var wordRemoval = WordRemoval.none
  package var singleWordExactness = SingleWordExactness.attribute
  /// Whether synonyms have an effect.
  package var usesSynonyms = true
  /// Whether highlights show the word of the query in the place of its synonym.
  package var replacesSynonyms = false
  /// The languages whose stop words are removed, and in which words match by their forms.
  package var stopWordLanguages = LanguageSelection.none
  package var pluralLanguages = LanguageSelection.none
  /// The languages of the query, whose stop words are not exact as the only word.
  package var queryLanguages: [Language] = []
  /// The languages whose compound words in the query are found by their parts.
  package var compoundLanguages: [Language] = []
  /// The attributes whose compound words are found by their parts, by language.
  var decompoundedAttributes: [DecompoundedAttributes] = []
  /// The alternatives that are exact.
  package var exactAlternatives: Set<AlternativeAsExact> = [.ignorePlurals, .singleWordSynonym]

  /// Creates the default options.
  package init() {}

  /// Returns the maximum number of typos of a word.
  ///
  /// The number grows with the length in characters. Words of scripts without spaces have none, nor
  /// do words of more than ``LevenshteinAutomaton/maximumLength`` characters, nor words of digits
  /// without typo tolerance.
  package func maximumTypos(in word: String) -> Int {
    let scalars = word.unicodeScalars
    guard isTypoTolerant(word) else { return 0 }
    if scalars.contains(where: { ScalarClass($0) == .unspaced }) { return 0 }
    let count = scalars.count
    guard count <= LevenshteinAutomaton.maximumLength else { return 0 }
    return count >= minimumLengths.twoTypos ? 2 : count >= minimumLengths.oneTypo ? 1 : 0
  }

  /// Whether a word can match in another form: with typos, split, or joined with its neighbor.
  package func isTypoTolerant(_ word: String) -> Bool {
    typoTolerance != .off && !typoFreeWords.contains(word)
      && (allowsNumericTypos
        || !word.unicodeScalars.allSatisfy { $0.properties.numericType != nil })
  }

  /// Returns the normalized words of texts, to compare with query words.
  package static func words(
    of texts: [String], _ tokenizer: Tokenizer, _ cancellation: CancellationCheck
  ) throws -> Set<String> {
    var words: Set<String> = []
    for text in texts {
      try cancellation.count(bytes: text.utf8.count)
      for token in try tokenizer.tokens(of: text, cancellation) { words.insert(token.word) }
    }
    return words
  }
}

extension MatchingOptions {
  /// Reads the parameters of a query. Index settings replace absent parameters.
  init(
    query: SearchQuery, settings: IndexSettings, lists: SettingsLists,
    segmenter: (any WordSegmenter)? = nil, _ cancellation: CancellationCheck
  ) throws {
    self.init()
    tokenizer =
      segmenter.map {
        Tokenizer(
          settings: settings, segmenter: $0,
          language: (query.queryLanguages ?? settings.queryLanguages).first)
      } ?? lists.tokenizer
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
      of: settings.disableTypoToleranceOnWords, tokenizer, cancellation)
    typoFreeAttributes =
      try query.disableTypoToleranceOnAttributes.map { try AttributeList($0, cancellation) }
      ?? lists.typoFree
    prefixFreeAttributes = lists.prefixFree
    exactFreeAttributes =
      try query.disableExactOnAttributes.map { try AttributeList($0, cancellation) }
      ?? lists.exactFree
    restrictedAttributes = try AttributeList(
      restrictingTo: query.restrictSearchableAttributes, cancellation)
    let optional =
      query.optionalWords.map { $0.optional?.texts ?? [] } ?? settings.optionalWords.texts
    optionalWords = try Self.words(of: optional, tokenizer, cancellation)
    let natural: RemoveWordsIfNoResults? =
      query.naturalLanguages?.isEmpty == false ? .allOptional : nil
    switch query.removeWordsIfNoResults ?? natural ?? settings.removeWordsIfNoResults {
    case .lastWords: wordRemoval = .last
    case .firstWords: wordRemoval = .first
    case .allOptional: wordRemoval = .all
    default: wordRemoval = .none
    }
    singleWordExactness = SingleWordExactness(query, settings)
    usesSynonyms = query.synonyms ?? true
    replacesSynonyms = query.replaceSynonymsInHighlight ?? settings.replaceSynonymsInHighlight
    exactAlternatives = Set(query.alternativesAsExact ?? settings.alternativesAsExact)
    setLanguages(query, settings)
    decompoundedAttributes = lists.decompounded
    if query.advancedSyntax ?? settings.advancedSyntax {
      let features = query.advancedSyntaxFeatures ?? settings.advancedSyntaxFeatures
      understandsPhrases = features.contains(.exactPhrase)
      understandsExclusions = features.contains(.excludeWords)
    }
    if let similar = query.similarQuery, !similar.isEmpty {
      text = similar
      prefixRule = .none
      isEveryWordOptional = true
      stopWordLanguages = LanguageSelection(.isOn(true), queryLanguages)
    }
  }

  private mutating func setLanguages(_ query: SearchQuery, _ settings: IndexSettings) {
    queryLanguages = (query.queryLanguages ?? settings.queryLanguages).distinct
    if query.decompoundQuery ?? settings.decompoundQuery { compoundLanguages = queryLanguages }
    // Only what the query itself says comes before its natural languages.
    let natural = query.naturalLanguages.flatMap { $0.isEmpty ? nil : $0 }
    stopWordLanguages = LanguageSelection(
      query.removeStopWords?.boolOrLanguages ?? natural.map { .languages($0) }
        ?? settings.removeStopWords.boolOrLanguages, queryLanguages)
    pluralLanguages = LanguageSelection(
      query.ignorePlurals?.boolOrLanguages ?? natural.map { .languages($0) }
        ?? settings.ignorePlurals.boolOrLanguages, queryLanguages)
  }
}

/// The languages of a parameter.
package enum LanguageSelection: Sendable, Hashable {
  case none
  /// All languages for which there is a list.
  case all
  case some([Language])

  /// Reads a parameter. The languages of the query replace `true`.
  init(_ value: BoolOrLanguagesValue, _ queryLanguages: [Language]) {
    switch value {
    case .isOn(false), .languages([]): self = .none
    case .isOn(true): self = queryLanguages.isEmpty ? .all : .some(queryLanguages.distinct)
    case .languages(let languages): self = .some(languages.distinct)
    }
  }

  /// Returns the languages, given all languages for which there is a list.
  func languages(among all: @autoclosure () -> [Language]) -> [Language] {
    switch self {
    case .none: []
    case .all: all()
    case .some(let languages): languages
    }
  }
}

extension [Language] {
  /// The languages, each once.
  fileprivate var distinct: [Language] {
    var seen: Set<Language> = []
    return filter { seen.insert($0).inserted }
  }
}

extension MatchingOptions.SingleWordExactness {
  /// Reads the parameter of a query. The index setting replaces an absent parameter.
  init(_ query: SearchQuery, _ settings: IndexSettings) {
    switch query.exactOnSingleWordQuery ?? settings.exactOnSingleWordQuery {
    case .word: self = .word
    case .none: self = .none
    default: self = .attribute
    }
  }
}

/// The language in which places are searched and returned. Names in a place's own language count
/// too.
package struct PlaceLanguage: Sendable, Hashable {
  /// The code of the language in records.
  package let code: String

  /// The attributes of a place with a value for each language.
  private static let attributes: Set<Substring> = ["locale_names", "city", "county", "country"]
  /// The member with the value in the place's own language.
  private static let ownLanguage = "default"

  /// Creates the language of a code, even if no place has it.
  package init(code: String) { self.code = code }

  /// Whether values at a path are searched. Values in other languages are not.
  package func includes(_ path: String) -> Bool {
    guard let dot = path.firstIndex(of: "."), Self.attributes.contains(path[..<dot]) else {
      return true
    }
    let language = path[path.index(after: dot)...]
    return language == code || language == Self.ownLanguage
  }

  /// Returns the place with one value for each localized attribute: in this language, or else in
  /// its own. An attribute without either is omitted. `null` is not a value.
  func projecting(_ place: JSONNode) -> [UInt8] {
    var writer = JSONWriter(capacity: place.sourceRange.count)
    writer.beginObject()
    for member in place.currentMembers {
      var value = member.value
      if value.kind == .object, Self.attributes.contains(Substring(member.key)) {
        let names = [code, Self.ownLanguage]
        guard let own = names.lazy.compactMap({ value[$0] }).first(where: { !$0.isNull }) else {
          continue
        }
        value = own
      }
      writer.key(member.key)
      writer.raw(value)
    }
    writer.endObject()
    return writer.bytes
  }
}
