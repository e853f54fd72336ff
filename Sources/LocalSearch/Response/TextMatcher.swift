import AsyncInstantSearch

/// Finds the words of a query in texts; remembers the distinct words it was asked about, until they
/// are very many.
final class TextMatcher {
  private let plan: QueryPlan
  private let tokenizer: Tokenizer
  private let searchable: SearchableAttributes
  private let restricted: AttributeList
  /// Counts the work on texts, which may be long.
  let checkpoint: Checkpoint
  private var known: [Question: WordMatches] = [:]
  /// How many words are remembered at most: a larger table would take long to grow and to free.
  private static let maximumKnownCount = 10_000

  /// What the answer to ``matches(of:attribute:)`` depends on.
  private struct Question: Hashable {
    let word: String
    let allowsTypos: Bool
    let allowsPrefixes: Bool
  }

  /// What matches a word of a text.
  struct WordMatches {
    /// The numbers of the query words that match; equal words share the array, so that marks are
    /// soon made and freed.
    let queryWords: [Int]
    /// How many characters of the normalised word match: those of the longest match.
    let matchedCharacters: Int

    init(_ matches: [TokenMatch]) {
      queryWords = matches.map(\.wordIndex)
      matchedCharacters = matches.map(\.matchedCharacters).max() ?? 0
    }
  }

  /// Creates a matcher for a query.
  init(
    plan: QueryPlan, settings: IndexSettings, lists: SettingsLists, _ checkpoint: Checkpoint
  ) throws {
    self.plan = plan
    self.checkpoint = checkpoint
    tokenizer = Tokenizer(settings: settings)
    searchable = lists.searchable
    restricted = plan.options.restrictedAttributes
  }

  /// Whether the query has words to look for.
  var hasWords: Bool { !plan.words.isEmpty }

  /// Whether the words of an attribute are searched; numbers only where their attribute is listed.
  func searches(_ path: String, isNumber: Bool) throws -> Bool {
    try (!isNumber || !searchable.isEmpty) && searchable.role(of: path, checkpoint) != nil
      && restricted.covers(path, checkpoint)
  }

  /// The words of a text.
  func tokens(of text: String) throws -> [Token] {
    try tokenizer.tokens(of: text) { try checkpoint.count($0) }
  }

  /// How many characters (Unicode scalars) a character of a text has in the normalised word; a
  /// separator has none.
  func normalizedLength(of character: Character) -> Int {
    let utf8 = character.utf8
    if utf8.count == 1, let byte = utf8.first { return ScalarClass.ascii(byte) == .word ? 1 : 0 }
    return tokenizer.tokens(of: String(character)).reduce(0) {
      $0 + $1.word.unicodeScalars.count
    }
  }

  /// Which query words match a word of an attribute.
  func matches(of word: String, attribute: String) throws -> WordMatches {
    try checkpoint.count(bytes: word.utf8.count)
    let question = try Question(
      word: word, allowsTypos: !plan.options.typoFreeAttributes.covers(attribute, checkpoint),
      allowsPrefixes: !plan.options.prefixFreeAttributes.covers(attribute, checkpoint))
    if let matches = known[question] { return matches }
    // A word that was not seen before is compared with each word of the query.
    try checkpoint.count(plan.groups.count)
    let matches = WordMatches(
      plan.matches(
        ofToken: word, allowsTypos: question.allowsTypos, allowsPrefixes: question.allowsPrefixes))
    if known.count >= Self.maximumKnownCount { known.removeAll(keepingCapacity: true) }
    known[question] = matches
    return matches
  }

  /// How many of the query words are among those numbers, each there once.
  func level(of matched: [Int]) -> HighlightLevel {
    if matched.isEmpty { return .none }
    return matched.count >= plan.words.count ? .full : .partial
  }

  /// The query words of those numbers, in the order of the query, each once.
  func text(of matched: [Int]) -> [String] {
    var seen: Set<String> = []
    var result: [String] = []
    for number in matched where plan.words.indices.contains(number) {
      let text = plan.words[number].word
      if seen.insert(text).inserted { result.append(text) }
    }
    return result
  }
}

/// How much of a query a text matches.
enum HighlightLevel: String, Sendable, Hashable {
  case none, partial, full
}
