/// A parsed query text: words with their options, phrases and exclusions.
///
/// A plan does not depend on a particular index. ``execute(on:allowed:_:)`` finds the records, and
/// returns the plan with the decisions that depend on the index: how words are split, and which
/// became optional.
package struct QueryPlan: Sendable {
  /// The options of the plan.
  package let options: MatchingOptions
  /// The normalized words, without the excluded ones.
  package var words: [QueryWord]
  /// The number of each word's group. Words of a group match the same.
  let groupOfWord: [Int]
  /// The groups of the words, in the order of their first words.
  let groups: [WordGroup]
  /// The phrases among the words.
  package let phrases: [QueryPhrase]
  /// The sequences that records must not contain.
  package let exclusions: [WordSequence]
  /// Adjacent words that can match as one.
  package let concatenations: [WordConcatenation]
  /// Words that can match as two, known after execution.
  package var splits: [WordSplit] = []

  /// The number of words at the start of a query that are joined in pairs.
  package static let concatenatedWordCount = 5

  /// Parses the query.
  package init(_ options: MatchingOptions, _ cancellation: CancellationCheck) throws {
    let parser = try QueryParser(options, cancellation)
    self.options = options
    words = parser.words
    (groups, groupOfWord) = WordGroup.all(of: parser.words)
    phrases = parser.phrases
    exclusions = parser.exclusions
    concatenations = WordConcatenation.all(of: parser.words, options: options)
  }

  /// Whether the query text has no words, so that only exclusions and filters matter.
  package var isEmpty: Bool { words.isEmpty }
}

/// Equal words of a query that match in the same ways, so that they are looked up once.
struct WordGroup: Sendable {
  /// One of the words.
  let word: QueryWord
  /// The characters of the word.
  let scalars: [UInt32]
  /// The characters of the long part of a joined word, if any.
  let longPart: [UInt32]?
  /// The numbers of the words, ascending.
  private(set) var words: [Int]

  private struct Key: Hashable {
    let word: String
    let longPart: String?
    let allowsPrefix: Bool
    let allowsSplitting: Bool
    let maximumTypos: Int
  }

  /// Returns the groups of a query's words, and the group of each word.
  static func all(of words: [QueryWord]) -> (groups: [WordGroup], groupOfWord: [Int]) {
    var groups: [WordGroup] = []
    var numbers: [Key: Int] = [:]
    var groupOfWord: [Int] = []
    for (position, word) in words.enumerated() {
      let key = Key(
        word: word.word, longPart: word.longPart, allowsPrefix: word.allowsPrefix,
        allowsSplitting: word.allowsSplitting, maximumTypos: word.maximumTypos)
      let number = numbers[key] ?? groups.count
      groupOfWord.append(number)
      if number < groups.count {
        groups[number].words.append(position)
      } else {
        numbers[key] = number
        groups.append(
          WordGroup(
            word: word, scalars: word.scalars,
            longPart: word.longPart.map { $0.unicodeScalars.map(\.value) }, words: [position]))
      }
    }
    return (groups, groupOfWord)
  }
}

/// Adjacent query words written as one (`ice cream`, `icecream`), at the cost of one typo in total.
package struct WordConcatenation: Sendable, Hashable {
  /// The query words.
  package let range: Range<Int>
  /// The joined word.
  package let word: String
  /// Whether the joined word matches prefixes.
  package let allowsPrefix: Bool

  /// Returns the pairs among the first words of a query, and all words joined.
  ///
  /// Words without typos are not joined. A joined word matches prefixes if its last word does and
  /// if it is as long as a word with a typo must be.
  package static func all(of words: [QueryWord], options: MatchingOptions) -> [WordConcatenation] {
    var ranges: [Range<Int>] = []
    let limit = min(words.count, QueryPlan.concatenatedWordCount)
    if limit >= 2 { for start in 0..<limit - 1 { ranges.append(start..<start + 2) } }
    if words.count > 2 { ranges.append(0..<words.count) }
    return ranges.compactMap { range in
      guard words[range].allSatisfy(\.allowsSplitting) else { return nil }
      let word = words[range].map(\.word).joined()
      let isLongEnough = word.unicodeScalars.count >= options.minimumLengths.oneTypo
      return WordConcatenation(
        range: range, word: word,
        allowsPrefix: isLongEnough && words[range.upperBound - 1].allowsPrefix)
    }
  }
}

extension QueryPlan {
  /// Plans a query. Index settings replace absent parameters.
  ///
  /// - Parameters:
  ///   - lists: The lists of attributes in the settings.
  ///   - placeLanguage: The language of places to search. Defaults to all.
  ///   - cancellation: Counts the words of the settings.
  init(
    query: SearchQuery, settings: IndexSettings, lists: SettingsLists,
    placeLanguage: PlaceLanguage? = nil, cancellation: CancellationCheck
  ) throws {
    var options = try MatchingOptions(
      query: query, settings: settings, lists: lists, cancellation)
    options.placeLanguage = placeLanguage
    try self.init(options, cancellation)
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

  /// The scalar values of the word.
  package var scalars: [UInt32] { word.unicodeScalars.map(\.value) }
}

/// Words that must follow each other in one attribute.
package struct WordSequence: Sendable, Hashable {
  /// The normalized words.
  package let words: [String]
  /// The distance of each word from the first, in positions.
  package let offsets: [Int]
}

/// A phrase of the query: a sequence, and its query words.
package struct QueryPhrase: Sendable, Hashable {
  /// The query words.
  package let range: Range<Int>
  /// The sequence to match.
  package let sequence: WordSequence
}

/// A query word split in two, where most records contain both parts.
package struct WordSplit: Sendable, Hashable {
  /// The query word.
  package let word: Int
  /// The two parts.
  package let sequence: WordSequence
}
