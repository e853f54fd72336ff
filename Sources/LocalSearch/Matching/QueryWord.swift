/// A word of a query and the ways in which it may match.
struct QueryWord: Sendable, Hashable {
  /// The normalised word.
  let word: String
  /// Where the word stands in the query text, in UTF-8 bytes.
  let range: Range<Int>
  /// Whether the word may match the beginning of a word.
  let allowsPrefix: Bool
  /// How many edits the word may be away, 0 to 2.
  let maximumTypos: Int
  /// Whether the word may be split, or joined with its neighbours.
  let allowsSplitting: Bool
  /// Whether records need not contain the word.
  var isOptional: Bool
  /// The phrase the word belongs to, a number among ``QueryPlan/phrases``.
  let phrase: Int?
  /// The one long part of a joined word (`avion` of `l'avion`), which matches at the cost of one typo.
  let longPart: String?

  /// The scalar values of the word.
  var scalars: [UInt32] { word.unicodeScalars.map(\.value) }
}

/// Words that must follow one another in one attribute.
struct WordSequence: Sendable, Hashable {
  /// The normalised words.
  let words: [String]
  /// The distance of each word from the first, in positions.
  let offsets: [Int]
}

/// A phrase of the query: a sequence, and the query words that make it.
struct QueryPhrase: Sendable, Hashable {
  /// The query words.
  let range: Range<Int>
  /// The sequence sought.
  let sequence: WordSequence
}

/// A query word cut in two; the cut that most records contain is chosen.
struct WordSplit: Sendable, Hashable {
  /// The query word.
  let word: Int
  /// The two parts.
  let sequence: WordSequence
}
