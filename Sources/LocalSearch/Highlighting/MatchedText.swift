/// A text with the places that the words of a query match.
struct MatchedText: Sendable {
  /// A word of the text that is matched, or a part of it.
  struct Mark: Sendable, Hashable {
    /// The bytes to be marked.
    var range: Range<Int>
    /// The bytes of the whole word.
    var word: Range<Int>
    /// The numbers of the query words that match here.
    var queryWords: [Int]
  }

  /// The text's UTF-8 bytes.
  let bytes: [UInt8]
  /// The bytes of each word, ascending and apart from one another.
  let words: [Range<Int>]
  /// The matched places, ascending and apart from one another.
  let marks: [Mark]

  /// Finds the places in a text; a text that is not searched has none.
  init(
    _ text: String, of attribute: String, isNumber: Bool = false, matcher: TextMatcher
  ) throws {
    let checkpoint = matcher.checkpoint
    bytes = Array(text.utf8)
    var tokens = try matcher.tokens(of: text)
    try checkpoint.sort(&tokens) { $0.range.lowerBound < $1.range.lowerBound }
    // Parts of a joined word stand inside it: `hello`, `world` and `helloworld` share their bytes.
    var words: [Range<Int>] = []
    for token in tokens {
      try checkpoint.count()
      if let last = words.last, token.range.lowerBound < last.upperBound {
        words[words.count - 1] =
          last.lowerBound..<max(last.upperBound, token.range.upperBound)
      } else if !token.range.isEmpty {
        words.append(token.range)
      }
    }
    self.words = words
    marks =
      try matcher.hasWords && matcher.searches(attribute, isNumber: isNumber)
      ? Self.marks(bytes, tokens, attribute, matcher) : []
  }

  private static func marks(
    _ bytes: [UInt8], _ tokens: [Token], _ attribute: String, _ matcher: TextMatcher
  ) throws -> [Mark] {
    var found: [Mark] = []
    for token in tokens {
      let matches = try matcher.matches(of: token.word, attribute: attribute)
      guard !matches.queryWords.isEmpty, !token.range.isEmpty else { continue }
      let end = try end(of: matches.matchedCharacters, in: token, bytes, matcher)
      found.append(
        Mark(
          range: token.range.lowerBound..<end, word: token.range, queryWords: matches.queryWords))
    }
    try matcher.checkpoint.sort(&found) {
      ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
    }
    // Where marks overlap, the first and longest one stays and takes over the others' words.
    var result: [Mark] = []
    for mark in found {
      try matcher.checkpoint.count()
      if let last = result.last, mark.range.lowerBound < last.range.upperBound {
        result[result.count - 1].queryWords += mark.queryWords
      } else {
        result.append(mark)
      }
    }
    return result
  }

  /// The byte after so many characters of the normalised word.
  ///
  /// Separators inside a joined word have none of these characters, and some letters have several.
  /// Marks above or below a letter stay with it.
  private static func end(
    of length: Int, in token: Token, _ bytes: [UInt8], _ matcher: TextMatcher
  ) throws -> Int {
    try matcher.checkpoint.count(bytes: token.range.count)
    // There are no more characters than bytes, so a word is mostly not walked through.
    if length >= token.word.utf8.count
      || token.word.unicodeScalars.prefix(length + 1).count <= length
    {
      return token.range.upperBound
    }
    let text = String(decoding: bytes[token.range], as: UTF8.self)
    var end = token.range.lowerBound
    var left = length
    for character in text {
      if left <= 0 { break }
      try matcher.checkpoint.count()
      end += character.utf8.count
      left -= matcher.normalizedLength(of: character)
    }
    return end
  }

  /// The numbers of the query words that match somewhere, ascending.
  func queryWords(_ checkpoint: Checkpoint) throws -> [Int] {
    var numbers: Set<Int> = []
    for mark in marks {
      try checkpoint.count(mark.queryWords.count)
      for number in mark.queryWords { numbers.insert(number) }
    }
    return numbers.sorted()
  }

  /// Whether every word of the text is marked as a whole.
  ///
  /// - Complexity: O(n) for n words and marks; both are in order.
  func isFullyMarked(_ checkpoint: Checkpoint) throws -> Bool {
    var rest = marks[...]
    for word in words {
      try checkpoint.count()
      while let mark = rest.first, mark.range.upperBound < word.upperBound { rest.removeFirst() }
      guard let mark = rest.first, mark.range.lowerBound <= word.lowerBound else { return false }
    }
    return !words.isEmpty
  }

  /// A part of the text with tags around the marks.
  ///
  /// - Parameters:
  ///   - size: The bytes of the answer before the text; with it the answer is refused as soon as it
  ///     is too large.
  ///   - owner: What of the answer has the text.
  func tagged(
    _ part: Range<Int>, pre: String, post: String, after size: Int, of owner: AnswerPart = .hits,
    _ checkpoint: Checkpoint
  ) throws -> String {
    try checkpoint.count(bytes: part.count)
    try checkpoint.check(answerSize: size + part.count, owner)
    var result: [UInt8] = []
    result.reserveCapacity(part.count)
    var position = part.lowerBound
    for mark in marks {
      try checkpoint.count()
      if mark.range.lowerBound >= part.upperBound { break }
      guard part.contains(mark.range) else { continue }
      result += bytes[position..<mark.range.lowerBound]
      result += pre.utf8
      result += bytes[mark.range]
      result += post.utf8
      position = mark.range.upperBound
      try checkpoint.check(answerSize: size + result.count, owner)
    }
    result += bytes[position..<part.upperBound]
    return String(decoding: result, as: UTF8.self)
  }
}

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
