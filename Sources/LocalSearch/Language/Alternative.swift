import InstantSearchAPI

/// A way to find one word of a query, or adjacent words, in a record.
///
/// Alternatives are made once per query, by ``QueryGraph``. Matching, ranking and highlights read
/// them.
package struct Alternative: Sendable, Hashable {
  /// The rule that makes the target of the query words.
  package enum Kind: String, Sendable, CaseIterable {
    /// The word as typed, with its typos and prefixes.
    case original
    /// A phrase in quotes.
    case phrase
    /// The long part of a joined word: `avion` of `l'avion`.
    case part
    /// A word written as two.
    case split
    /// Adjacent words written as one.
    case concatenation
    /// Another form of the word, such as its plural.
    case plural
    /// The parts of a compound word, or a compound word with the word as a part.
    case compound
    /// A synonym.
    case synonym
    /// A synonym that ranks like one typo, or like two.
    case correction
  }

  /// The words to find in a record.
  package enum Target: Sendable, Hashable {
    case word(String)
    /// Words that follow each other in one attribute.
    case sequence(WordSequence)
    /// Words in one attribute, in any order.
    case all([String])

    /// The words.
    var words: [String] {
      switch self {
      case .word(let word): [word]
      case .sequence(let sequence): sequence.words
      case .all(let words): words
      }
    }
  }

  /// The rule.
  package let kind: Kind
  /// The words to find.
  package let target: Target
  /// The cost of the alternative in typos, which the typos in a word are added to.
  package let cost: Int
  /// The maximum number of edits in a word, 0 to 2.
  package let maximumTypos: Int
  /// Whether the word matches prefixes.
  package let allowsPrefix: Bool
  /// Whether a match without typos and prefixes is exact.
  package let isExact: Bool
  /// The text that highlights show in place of the matched words, or `nil` for the words.
  package let replacement: String?
  /// The language to whose decompounded attributes the alternative is limited, or `nil` for all
  /// attributes.
  let language: Language?
  /// The part of the word that highlights mark, in characters, or `nil` for the whole word.
  let slice: Range<Int>?
  /// The characters of the word to find, or none for a sequence.
  let scalars: [UInt32]
  /// Whether the word is a character of a script without spaces, which is the beginning of a word
  /// in every attribute.
  let isUnspaced: Bool

  /// Creates an alternative.
  package init(
    _ kind: Kind, _ target: Target, cost: Int = 0, maximumTypos: Int = 0,
    allowsPrefix: Bool = false, isExact: Bool = false, replacement: String? = nil,
    language: Language? = nil, slice: Range<Int>? = nil
  ) {
    self.kind = kind
    self.target = target
    self.cost = cost
    self.maximumTypos = maximumTypos
    self.allowsPrefix = allowsPrefix
    self.isExact = isExact
    self.replacement = replacement
    self.language = language
    self.slice = slice
    if case .word(let word) = target {
      scalars = word.unicodeScalars.map(\.value)
    } else {
      scalars = []
    }
    let first = scalars.first.flatMap(Unicode.Scalar.init)
    isUnspaced = first.map { ScalarClass($0) == .unspaced } ?? false
  }

  /// Whether the cost is that of a typo, which some attributes do not allow.
  var isTypo: Bool {
    switch kind {
    case .part, .split, .concatenation: true
    case .original, .phrase, .plural, .compound, .synonym, .correction: false
    }
  }
}

extension Alternative {
  /// Creates the alternative of a compound word: all of its parts.
  static func compound(of parts: [String]) -> Alternative { Alternative(.compound, .all(parts)) }
}

extension String {
  /// Creates a text of scalar values.
  init(scalars: some Sequence<UInt32>) {
    self.init(UnicodeScalarView(scalars.lazy.compactMap(Unicode.Scalar.init)))
  }
}
