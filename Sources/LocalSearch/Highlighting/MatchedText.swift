/// A text with the ranges that the words of a query match.
struct MatchedText: Sendable {
  /// A matched word of the text, or a matched part of it.
  struct Mark: Sendable, Hashable {
    /// The range to mark, in bytes.
    var range: Range<Int>
    /// The range of the whole word, in bytes.
    var word: Range<Int>
    /// The indices of the query words that match here.
    var queryWords: [Int]
  }

  /// The text's UTF-8 bytes.
  let bytes: [UInt8]
  /// The byte range of each word, in ascending order and without overlap.
  let words: [Range<Int>]
  /// The matched ranges, in ascending order and without overlap.
  let marks: [Mark]

  /// Finds the matches in a text. A text that is not searched has none.
  init(
    _ text: String, of attribute: String, isNumber: Bool = false, matcher: TextMatcher
  ) throws {
    let cancellation = matcher.cancellation
    bytes = Array(text.utf8)
    var tokens = try matcher.tokens(of: text)
    try cancellation.sort(&tokens) { $0.range.lowerBound < $1.range.lowerBound }
    // Parts of a joined word are inside it: `hello`, `world` and `helloworld` share their bytes.
    var words: [Range<Int>] = []
    for token in tokens {
      try cancellation.count()
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
    try matcher.cancellation.sort(&found) {
      ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
    }
    // Of overlapping marks the first and longest remains, with the query words of all.
    var result: [Mark] = []
    for mark in found {
      try matcher.cancellation.count()
      if let last = result.last, mark.range.lowerBound < last.range.upperBound {
        result[result.count - 1].queryWords += mark.queryWords
      } else {
        result.append(mark)
      }
    }
    return result
  }

  /// Returns the byte offset after a number of characters of the normalized word.
  ///
  /// Separators inside a joined word have no normalized characters, and some letters have several.
  /// Diacritics stay with their letter.
  private static func end(
    of length: Int, in token: Token, _ bytes: [UInt8], _ matcher: TextMatcher
  ) throws -> Int {
    try matcher.cancellation.count(bytes: token.range.count)
    // There are no more characters than bytes, so most words are not read.
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
      try matcher.cancellation.count()
      end += character.utf8.count
      left -= try matcher.normalizedLength(of: character)
    }
    return end
  }

  /// Returns the indices of the query words that match somewhere, in ascending order.
  func queryWords(_ cancellation: CancellationCheck) throws -> [Int] {
    var numbers: Set<Int> = []
    for mark in marks {
      try cancellation.count(mark.queryWords.count)
      for number in mark.queryWords { numbers.insert(number) }
    }
    return numbers.sorted()
  }

  /// Whether every word of the text is marked as a whole.
  ///
  /// - Complexity: O(n) for n words and marks, which are in order.
  func isFullyMarked(_ cancellation: CancellationCheck) throws -> Bool {
    var rest = marks[...]
    for word in words {
      try cancellation.count()
      while let mark = rest.first, mark.range.upperBound < word.upperBound { rest.removeFirst() }
      guard let mark = rest.first, mark.range.lowerBound <= word.lowerBound else { return false }
    }
    return !words.isEmpty
  }

  /// Returns a part of the text with tags around the marks.
  ///
  /// - Parameters:
  ///   - size: The size of the response before the text, in bytes. A response that becomes too
  ///     large is rejected at once.
  ///   - owner: The part of the response that contains the text.
  func tagged(
    _ part: Range<Int>, pre: String, post: String, after size: Int, of owner: ResponsePart = .hits,
    _ cancellation: CancellationCheck
  ) throws -> String {
    try cancellation.count(bytes: part.count)
    try cancellation.check(responseSize: size + part.count, owner)
    var result: [UInt8] = []
    result.reserveCapacity(part.count)
    var position = part.lowerBound
    for mark in marks {
      try cancellation.count()
      if mark.range.lowerBound >= part.upperBound { break }
      guard part.contains(mark.range) else { continue }
      result += bytes[position..<mark.range.lowerBound]
      result += pre.utf8
      result += bytes[mark.range]
      result += post.utf8
      position = mark.range.upperBound
      try cancellation.check(responseSize: size + result.count, owner)
    }
    result += bytes[position..<part.upperBound]
    return String(decoding: result, as: UTF8.self)
  }
}

/// Finds the words of a query in texts. It caches the matches of distinct words, up to a limit.
final class TextMatcher {
  private let plan: QueryPlan
  private let tokenizer: Tokenizer
  private let searchable: SearchableAttributes
  private let restricted: AttributeList
  /// Counts the work on texts, which may be long.
  let cancellation: CancellationCheck
  private var known: [Question: WordMatches] = [:]
  /// The maximum number of cached words. A larger table would take long to grow and to release.
  private static let maximumKnownCount = 10_000

  /// The arguments that determine the result of ``matches(of:attribute:)``.
  private struct Question: Hashable {
    let word: String
    let allowsTypos: Bool
    let allowsPrefixes: Bool
  }

  /// The matches of a word of a text.
  struct WordMatches {
    /// The indices of the query words that match. Equal words share the array, so that marks are
    /// cheap to create and release.
    let queryWords: [Int]
    /// The number of characters of the normalized word in the longest match.
    let matchedCharacters: Int

    init(_ matches: [TokenMatch]) {
      queryWords = matches.map(\.wordIndex)
      matchedCharacters = matches.map(\.matchedCharacters).max() ?? 0
    }
  }

  /// Creates a matcher for a query.
  init(
    plan: QueryPlan, settings: IndexSettings, lists: SettingsLists,
    _ cancellation: CancellationCheck
  ) throws {
    self.plan = plan
    self.cancellation = cancellation
    tokenizer = Tokenizer(settings: settings)
    searchable = lists.searchable
    restricted = plan.options.restrictedAttributes
  }

  /// Whether the query has words.
  var hasWords: Bool { !plan.words.isEmpty }

  /// Whether the words of an attribute are searched. Numbers are searched only if their attribute
  /// is listed.
  func searches(_ path: String, isNumber: Bool) throws -> Bool {
    try (!isNumber || !searchable.isEmpty) && searchable.role(of: path, cancellation) != nil
      && restricted.covers(path, cancellation)
  }

  /// Returns the words of a text.
  func tokens(of text: String) throws -> [Token] {
    try tokenizer.tokens(of: text, cancellation)
  }

  /// Returns the number of characters (Unicode scalars) of a character in the normalized word. A
  /// separator has none.
  func normalizedLength(of character: Character) throws -> Int {
    let utf8 = character.utf8
    if utf8.count == 1, let byte = utf8.first { return ScalarClass.ascii(byte) == .word ? 1 : 0 }
    return try tokenizer.tokens(of: String(character), cancellation).reduce(0) {
      $0 + $1.word.unicodeScalars.count
    }
  }

  /// Returns the query words that match a word of an attribute.
  func matches(of word: String, attribute: String) throws -> WordMatches {
    try cancellation.count(bytes: word.utf8.count)
    let question = try Question(
      word: word, allowsTypos: !plan.options.typoFreeAttributes.covers(attribute, cancellation),
      allowsPrefixes: !plan.options.prefixFreeAttributes.covers(attribute, cancellation))
    if let matches = known[question] { return matches }
    // A new word is compared with each word of the query.
    try cancellation.count(plan.groups.count)
    let matches = WordMatches(
      plan.matches(
        ofToken: word, allowsTypos: question.allowsTypos, allowsPrefixes: question.allowsPrefixes))
    if known.count >= Self.maximumKnownCount { known.removeAll(keepingCapacity: true) }
    known[question] = matches
    return matches
  }

  /// Returns the level for distinct matched query words.
  func level(of matched: [Int]) -> HighlightLevel {
    if matched.isEmpty { return .none }
    return matched.count >= plan.words.count ? .full : .partial
  }

  /// Returns the query words with some indices, in the order of the query, each once.
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

/// The share of a query that a text matches.
enum HighlightLevel: String, Sendable, Hashable {
  case none, partial, full
}
