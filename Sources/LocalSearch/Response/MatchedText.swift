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
