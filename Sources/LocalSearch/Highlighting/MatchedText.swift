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
  ///
  /// - Parameter wantsWords: Whether ``words`` are wanted without a match, too. Defaults to `true`.
  init(
    _ text: String, of attribute: String, isNumber: Bool = false, matcher: TextMatcher,
    wantsWords: Bool = true
  ) throws {
    let way = try matcher.way(of: attribute)
    let isSearched = matcher.hasWords && (isNumber ? way.searchesNumbers : way.isSearched)
    bytes = isSearched || wantsWords ? Array(text.utf8) : []
    try matcher.tokenize(bytes)
    marks = isSearched ? try Self.marks(bytes, way, matcher) : []
    words = wantsWords || !marks.isEmpty ? try Self.words(matcher) : []
  }

  /// Returns the ranges of the words. Parts of a joined word are inside it: `hello`, `world` and
  /// `helloworld` share their bytes.
  private static func words(_ matcher: TextMatcher) throws -> [Range<Int>] {
    var words: [Range<Int>] = []
    words.reserveCapacity(matcher.items.count)
    for (index, item) in matcher.items.enumerated() where !item.source.isEmpty {
      try matcher.cancellation.count(element: index)
      var range = item.source
      // A joined word follows its parts.
      while let last = words.last, range.lowerBound < last.upperBound {
        range =
          min(range.lowerBound, last.lowerBound)..<max(range.upperBound, last.upperBound)
        words.removeLast()
      }
      words.append(range)
    }
    return words
  }

  private static func marks(
    _ bytes: [UInt8], _ way: TextMatcher.Way, _ matcher: TextMatcher
  ) throws -> [Mark] {
    var found: [Mark] = []
    for item in matcher.items {
      guard let matches = try matcher.matches(of: item, way), !item.source.isEmpty else { continue }
      let end = try end(of: matches.matchedCharacters, in: item, bytes, matcher)
      found.append(
        Mark(
          range: item.source.lowerBound..<end, word: item.source, queryWords: matches.queryWords))
    }
    if found.count < 2 { return found }
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
    of length: Int, in item: TokenBuffer.Item, _ bytes: [UInt8], _ matcher: TextMatcher
  ) throws -> Int {
    try matcher.cancellation.count(bytes: item.source.count)
    if length >= matcher.scalarCount(of: item) { return item.source.upperBound }
    let text = String(decoding: bytes[item.source], as: UTF8.self)
    var end = item.source.lowerBound
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

/// The share of a query that a text matches.
enum HighlightLevel: String, Sendable, Hashable {
  case none, partial, full
}
