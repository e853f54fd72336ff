/// What decides which records match a query text, in plain values.
package struct MatchingOptions: Sendable {
  /// Which words may match the beginning of a word.
  package enum PrefixRule: Sendable { case last, all, none }
  /// How typing mistakes are treated.
  package enum TypoTolerance: Sendable { case off, on, fewest, twoFewest }
  /// Which words become optional when nothing is found.
  package enum WordRemoval: Sendable { case none, last, first, all }
  /// What counts as exact for a query of one word.
  package enum SingleWordExactness: Sendable { case attribute, word, none }

  /// The query text.
  package var text = ""
  /// The tokeniser of the index.
  package var tokenizer = Tokenizer()
  package var prefixRule = PrefixRule.last
  package var typoTolerance = TypoTolerance.on
  /// From how many characters on a word may have one typo, and two.
  package var minimumLengths: (oneTypo: Int, twoTypos: Int) = (4, 8)
  /// Whether words of digits may have typos.
  package var allowsNumericTypos = true
  /// Normalised words that may have no typos.
  package var typoFreeWords: Set<String> = []
  /// Attributes without typos, without prefixes, and not seen by Exact.
  package var typoFreeAttributes = AttributeList.none
  package var prefixFreeAttributes = AttributeList.none
  package var exactFreeAttributes = AttributeList.none
  /// The only attributes to search; all by default.
  package var restrictedAttributes = AttributeList.all
  /// The language of places to search; `nil` for all.
  package var placeLanguage: PlaceLanguage?
  /// Normalised words that need not match.
  package var optionalWords: Set<String> = []
  /// Whether no word needs to match.
  package var isEveryWordOptional = false
  /// Whether `"phrases"` and `-exclusions` are understood.
  package var understandsPhrases = false
  package var understandsExclusions = false
  package var wordRemoval = WordRemoval.none
  package var singleWordExactness = SingleWordExactness.attribute

  /// Creates the default options.
  package init() {}

  /// Returns how many typos a word may have.
  ///
  /// The allowance grows with the length in characters. Words with an ideograph have none, nor do
  /// words of digits where those may have none, nor words of more than
  /// ``EditAutomaton/maximumLength`` characters.
  package func allowance(of word: String) -> Int {
    let scalars = word.unicodeScalars
    guard isTypoTolerant(word) else { return 0 }
    if scalars.contains(where: { ScalarClass($0) == .ideograph }) { return 0 }
    let count = scalars.count
    guard count <= EditAutomaton.maximumLength else { return 0 }
    return count >= minimumLengths.twoTypos ? 2 : count >= minimumLengths.oneTypo ? 1 : 0
  }

  /// Whether a word may be written in another way at all: with typos, split, or joined with its
  /// neighbour.
  package func isTypoTolerant(_ word: String) -> Bool {
    typoTolerance != .off && !typoFreeWords.contains(word)
      && (allowsNumericTypos
        || !word.unicodeScalars.allSatisfy { $0.properties.numericType != nil })
  }

  /// Returns the normalised words of texts, as sets of words are compared with query words.
  package static func words(
    of texts: [String], _ tokenizer: Tokenizer, _ checkpoint: Checkpoint
  ) throws -> Set<String> {
    var words: Set<String> = []
    for text in texts {
      try checkpoint.count(bytes: text.utf8.count)
      for token in tokenizer.tokens(of: text) { words.insert(token.word) }
    }
    return words
  }
}
