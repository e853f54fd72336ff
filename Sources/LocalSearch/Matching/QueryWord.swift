/// A word of a query and the ways in which it may match.
package struct QueryWord: Sendable, Hashable {
  /// The normalised word.
  package let word: String
  /// Where the word stands in the query text, in UTF-8 bytes.
  package let range: Range<Int>
  /// Whether the word may match the beginning of a word.
  package let allowsPrefix: Bool
  /// How many edits the word may be away, 0 to 2.
  package let maximumTypos: Int
  /// Whether the word may be split, or joined with its neighbours.
  package let allowsSplitting: Bool
  /// Whether records need not contain the word.
  package var isOptional: Bool
  /// The phrase the word belongs to, a number among ``QueryPlan/phrases``.
  package let phrase: Int?
  /// The one long part of a joined word (`avion` of `l'avion`), which matches at the cost of one
  /// typo.
  package let longPart: String?

  /// The scalar values of the word.
  package var scalars: [UInt32] { word.unicodeScalars.map(\.value) }
}

/// Words that must follow one another in one attribute.
package struct WordSequence: Sendable, Hashable {
  /// The normalised words.
  package let words: [String]
  /// The distance of each word from the first, in positions.
  package let offsets: [Int]
}

/// A phrase of the query: a sequence, and the query words that make it.
package struct QueryPhrase: Sendable, Hashable {
  /// The query words.
  package let range: Range<Int>
  /// The sequence sought.
  package let sequence: WordSequence
}

/// A query word cut in two; the cut that most records contain is chosen.
package struct WordSplit: Sendable, Hashable {
  /// The query word.
  package let word: Int
  /// The two parts.
  package let sequence: WordSequence
}
