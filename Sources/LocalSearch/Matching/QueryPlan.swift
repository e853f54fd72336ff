/// A query text ready to be matched: its words with their flags, phrases and exclusions.
///
/// A plan knows nothing of a particular index. ``execute(on:allowed:checkCancellation:)`` finds the records, and
/// returns the plan completed with what only the index can decide: how words are split, and which became optional.
package struct QueryPlan: Sendable {
  /// The options the plan was made with.
  package let options: MatchingOptions
  /// The words as typed and normalised, without the excluded ones.
  package var words: [QueryWord]
  /// The phrases among the words.
  package let phrases: [QueryPhrase]
  /// What records must not contain.
  package let exclusions: [WordSequence]
  /// Neighbouring words that may be written as one.
  package let concatenations: [WordConcatenation]
  /// Words that may be written as two; known after execution.
  package var splits: [WordSplit] = []

  /// How many words at the start of a query are joined in pairs.
  package static let concatenatedWordCount = 5

  /// Parses the query.
  package init(_ options: MatchingOptions) {
    let parser = QueryParser(options)
    self.options = options
    words = parser.words
    phrases = parser.phrases
    exclusions = parser.exclusions
    concatenations = WordConcatenation.all(of: parser.words, options: options)
  }

  /// Whether the query text has no words, so that only exclusions and filters decide.
  package var isEmpty: Bool { words.isEmpty }
}

/// Neighbouring query words written as one (`ice cream`, `icecream`), at the cost of one typo for all of them.
package struct WordConcatenation: Sendable, Hashable {
  /// The query words.
  package let range: Range<Int>
  /// The joined word.
  package let word: String
  /// Whether the joined word may match the beginning of a word.
  package let allowsPrefix: Bool

  /// Returns the pairs among the first words of a query, and all words joined.
  ///
  /// Words that may have no typos take no part. Beginnings match only where the last word's may, and only when the
  /// joined word is as long as a word with a typo must be.
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
