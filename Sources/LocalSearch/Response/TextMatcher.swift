import AsyncInstantSearch

/// Finds the words of a query in texts; remembers each distinct word it was asked about.
final class TextMatcher {
  private let plan: QueryPlan
  private let tokenizer: Tokenizer
  private let searchable: SearchableAttributes
  private let restricted: AttributeList
  private let dependsOnAttribute: Bool
  /// Counts the work on texts, which may be long.
  let checkpoint: Checkpoint
  private var known: [String: [TokenMatch]] = [:]

  /// Creates a matcher for a query.
  init(
    plan: QueryPlan, query: SearchQuery, settings: IndexSettings, _ checkpoint: Checkpoint
  ) {
    self.plan = plan
    self.checkpoint = checkpoint
    tokenizer = Tokenizer(settings: settings)
    searchable = SearchableAttributes(settings.searchableAttributes)
    let names = query.restrictSearchableAttributes ?? []
    restricted = names.isEmpty ? .all : AttributeList(names)
    dependsOnAttribute =
      !plan.options.typoFreeAttributes.isEmpty || !plan.options.prefixFreeAttributes.isEmpty
  }

  /// Whether the query has words to look for.
  var hasWords: Bool { !plan.words.isEmpty }

  /// The attributes that are searched, as a list for highlighting.
  var searchedAttributes: AttributeList {
    searchable.isEmpty ? .all : AttributeList(searchable.paths)
  }

  /// Whether the words of an attribute are searched; numbers only where their attribute is listed.
  func searches(_ path: String, isNumber: Bool) -> Bool {
    (!isNumber || !searchable.isEmpty) && searchable.role(of: path) != nil
      && restricted.covers(path)
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
  func matches(of word: String, attribute: String) throws -> [TokenMatch] {
    try checkpoint.count(bytes: word.utf8.count)
    if dependsOnAttribute { return plan.matches(ofToken: word, attribute: attribute) }
    if let matches = known[word] { return matches }
    // A word that was not seen before is compared with each word of the query.
    try checkpoint.count(plan.words.count)
    let matches = plan.matches(ofToken: word)
    known[word] = matches
    return matches
  }

  /// How many of the query words are among those numbers.
  func level(of matched: [Int]) -> HighlightLevel {
    if matched.isEmpty { return .none }
    return plan.words.indices.allSatisfy(matched.contains) ? .full : .partial
  }

  /// The query words of those numbers, in the order of the query, each once.
  func text(of matched: [Int]) -> [String] {
    var result: [String] = []
    for number in matched where plan.words.indices.contains(number) {
      let text = plan.words[number].word
      if !result.contains(text) { result.append(text) }
    }
    return result
  }
}

/// How much of a query a text matches.
enum HighlightLevel: String, Sendable, Hashable {
  case none, partial, full
}
