/// A parsed query text: words with their options, phrases and exclusions.
///
/// A plan does not depend on a particular index. ``execute(on:allowed:_:)`` finds the records, and
/// returns the plan with the decisions that depend on the index: how words are split, and which
/// became optional.
package struct QueryPlan: Sendable {
  /// The options of the plan.
  @inline(__always) package var options: MatchingOptions { optionsBox.value }
  /// A plan is copied often, and has many options.
  private let optionsBox: Box<MatchingOptions>
  /// The normalized words, without the excluded ones.
  package var words: [QueryWord]
  /// The ways to find the words.
  package internal(set) var graph: QueryGraph
  /// The stop words that were removed from the text.
  let stopWords: [QueryWord]
  /// The phrases among the words.
  package let phrases: [QueryPhrase]
  /// Whether the only word can be exact as a word: it is long enough, and no stop word.
  let isExactAsOnlyWord: Bool
  /// The sequences that records must not contain.
  package let exclusions: [WordSequence]

  /// Parses the query.
  package init(_ options: MatchingOptions, _ cancellation: CancellationCheck) throws {
    try self.init(options, Lexicon(), cancellation)
  }

  /// Parses the query, removes stop words, and finds the alternatives of the others.
  init(
    _ options: MatchingOptions, _ lexicon: Lexicon, _ cancellation: CancellationCheck
  ) throws {
    let parser = try QueryParser(options, cancellation)
    optionsBox = Box(options)
    let synonyms =
      options.usesSynonyms ? try lexicon.synonyms.matches(parser.words, cancellation) : []
    let dictionaries = lexicon.dictionaries
    let languages = options.stopWordLanguages.languages(among: dictionaries.languages(.stopwords))
    func isStopWord(_ word: String, in languages: [Language]) throws -> Bool {
      try languages.contains {
        try dictionaries.isStopWord(word, $0, options.tokenizer, cancellation)
      }
    }
    let kept = try StopWordRemoval(
      of: parser.words, phrases: parser.phrases, synonyms: synonyms
    ) { try isStopWord($0, in: languages) }
    words = kept.words
    phrases = kept.phrases
    stopWords = kept.removed
    exclusions = parser.exclusions
    var graph = try QueryGraph(
      words: kept.words, phrases: kept.phrases, options: options, cancellation)
    try graph.addForms(dictionaries, options, cancellation)
    try graph.addCompounds(dictionaries, words: kept.words, options, cancellation)
    try graph.addSynonyms(kept.synonyms, in: lexicon.synonyms, options, cancellation)
    self.graph = graph
    isExactAsOnlyWord =
      try kept.words.count == 1 && kept.words[0].scalars.count >= 3
      && !isStopWord(kept.words[0].word, in: options.queryLanguages)
  }

  /// Whether the query text has no words, so that only exclusions and filters matter.
  package var isEmpty: Bool { words.isEmpty }
}

extension QueryPlan {
  /// Plans a query. Index settings replace absent parameters.
  ///
  /// - Parameters:
  ///   - lists: The lists of attributes in the settings.
  ///   - lexicon: The synonyms and dictionaries. Defaults to the standard dictionaries.
  ///   - placeLanguage: The language of places to search. Defaults to all.
  ///   - cancellation: Counts the words of the settings.
  init(
    query: SearchQuery, settings: IndexSettings, lists: SettingsLists,
    lexicon: Lexicon = Lexicon(), placeLanguage: PlaceLanguage? = nil,
    cancellation: CancellationCheck
  ) throws {
    var options = try MatchingOptions(
      query: query, settings: settings, lists: lists, segmenter: lexicon.segmenter, cancellation)
    options.placeLanguage = placeLanguage
    try self.init(options, lexicon, cancellation)
  }

  /// Plans a query with settings whose lists of attributes are not cached.
  package init(
    query: SearchQuery, settings: IndexSettings, cancellation: CancellationCheck
  ) throws {
    try self.init(
      query: query, settings: settings, lists: SettingsLists(settings, cancellation),
      cancellation: cancellation)
  }
}

/// A word of a query, and the ways in which it can match.
package struct QueryWord: Sendable, Hashable {
  /// The normalized word.
  package let word: String
  /// The range of the word in the query text, in UTF-8 bytes.
  package let range: Range<Int>
  /// Whether the word matches prefixes.
  package let allowsPrefix: Bool
  /// The maximum number of edits, 0 to 2.
  package let maximumTypos: Int
  /// Whether the word can be split, or joined with its neighbors.
  package let allowsSplitting: Bool
  /// Whether records do not have to contain the word.
  package var isOptional: Bool
  /// The phrase of the word, an index in ``QueryPlan/phrases``.
  package let phrase: Int?
  /// The only long part of a joined word (`avion` of `l'avion`), which matches at the cost of one
  /// typo.
  package let longPart: String?

  /// The pairs of neighbors to find instead of the word, for a run of a script without spaces.
  package var pairs: WordSequence?

  /// The scalar values of the word.
  package var scalars: [UInt32] { word.unicodeScalars.map(\.value) }
}

/// Words that must follow each other in one attribute.
package struct WordSequence: Sendable, Hashable {
  /// The normalized words.
  package let words: [String]
  /// The distance of each word from the first, in positions.
  package let offsets: [Int]
  /// The distance from the start to the last position that the sequence takes.
  package let span: Int

  /// Creates a sequence.
  ///
  /// - Parameter span: The distance to the last position. Defaults to the last offset.
  package init(words: [String], offsets: [Int], span: Int? = nil) {
    self.words = words
    self.offsets = offsets
    self.span = span ?? offsets.last ?? 0
  }
}

/// A phrase of the query: a sequence, and its query words.
package struct QueryPhrase: Sendable, Hashable {
  /// The query words.
  package let range: Range<Int>
  /// The sequence to match.
  package let sequence: WordSequence
}

/// An immutable value that is copied as one reference.
private final class Box<Value: Sendable>: Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// The words that a search treats specially: the synonyms of its index, and the dictionaries of its
/// engine.
struct Lexicon: Sendable {
  var synonyms = SynonymTable.empty
  var dictionaries = Dictionaries.standard
  /// Finds the words of scripts without spaces.
  var segmenter: (any WordSegmenter)?
}
