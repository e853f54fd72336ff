/// What decides which records match a query text, in plain values.
struct MatchingOptions: Sendable {
  /// Which words may match the beginning of a word.
  enum PrefixRule: Sendable { case last, all, none }
  /// How typing mistakes are treated.
  enum TypoTolerance: Sendable { case off, on, fewest, twoFewest }
  /// Which words become optional when nothing is found.
  enum WordRemoval: Sendable { case none, last, first, all }
  /// What counts as exact for a query of one word.
  enum SingleWordExactness: Sendable { case attribute, word, none }

  /// The query text.
  var text = ""
  /// The tokeniser of the index.
  var tokenizer = Tokenizer()
  var prefixRule = PrefixRule.last
  var typoTolerance = TypoTolerance.on
  /// From how many characters on a word may have one typo, and two.
  var minimumLengths: (oneTypo: Int, twoTypos: Int) = (4, 8)
  /// Whether words of digits may have typos.
  var allowsNumericTypos = true
  /// Normalised words that may have no typos.
  var typoFreeWords: Set<String> = []
  /// Attributes without typos, without prefixes, and not seen by Exact.
  var typoFreeAttributes: [String] = []
  var prefixFreeAttributes: [String] = []
  var exactFreeAttributes: [String] = []
  /// The only attributes to search; empty for all.
  var restrictedAttributes: [String] = []
  /// Normalised words that need not match.
  var optionalWords: Set<String> = []
  /// Whether no word needs to match.
  var isEveryWordOptional = false
  /// Whether `"phrases"` and `-exclusions` are understood.
  var understandsPhrases = false
  var understandsExclusions = false
  var wordRemoval = WordRemoval.none
  var singleWordExactness = SingleWordExactness.attribute

  /// Creates the default options.
  init() {}

  /// Returns how many typos a word may have.
  ///
  /// The allowance grows with the length in characters. Words with an ideograph have none, nor do words of digits
  /// where those may have none.
  func allowance(of word: String) -> Int {
    let scalars = word.unicodeScalars
    guard isTypoTolerant(word) else { return 0 }
    if scalars.contains(where: { ScalarClass($0) == .ideograph }) { return 0 }
    let count = scalars.count
    return count >= minimumLengths.twoTypos ? 2 : count >= minimumLengths.oneTypo ? 1 : 0
  }

  /// Whether a word may be written in another way at all: with typos, split, or joined with its neighbour.
  func isTypoTolerant(_ word: String) -> Bool {
    typoTolerance != .off && !typoFreeWords.contains(word)
      && (allowsNumericTypos
        || !word.unicodeScalars.allSatisfy { $0.properties.numericType != nil })
  }

  /// Returns the normalised words of texts, as sets of words are compared with query words.
  static func words(of texts: [String], _ tokenizer: Tokenizer) -> Set<String> {
    Set(texts.flatMap { tokenizer.tokens(of: $0) }.map(\.word))
  }
}
