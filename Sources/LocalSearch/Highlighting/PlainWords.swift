/// The words of a text of ASCII letters, digits and simple separators, and the ranges that the
/// words of a query match.
///
/// Most texts are plain, and most words of a text match nothing. So a word is compared by its
/// letters and length while it is read, and by its characters only if these allow a match. The
/// result is the same as with ``Tokenizer``.
struct PlainWords {
  /// The byte range of each word, or none if they are not wanted.
  private(set) var words: [Range<Int>] = []
  /// The matched ranges, in ascending order.
  private(set) var marks: [MatchedText.Mark] = []
  /// Whether every word is marked as a whole.
  private(set) var isFullyMarked: Bool

  /// Reads a text, or returns `nil` if it is not plain: with characters beyond ASCII, joined words,
  /// words in camel case or separators that are words. Words that must follow each other are not
  /// found either.
  ///
  /// - Parameter length: The number of bytes to read. Of a longer text, a word that reaches the end
  ///   of this part is left out, because it may go on.
  init?(
    _ bytes: [UInt8], _ length: Int, _ way: TextMatcher.Way, _ matcher: TextMatcher,
    wantsWords: Bool
  ) throws {
    guard !matcher.indexesSeparators, !matcher.hasPhrases, !way.splitsCamelCase else {
      return nil
    }
    let filters = way.isSearched ? matcher.filters : []
    var (wordCount, wholeCount, index) = (0, 0, 0)
    while index < length {
      let byte = bytes[index]
      guard ScalarClass.isWord(byte) else {
        if byte >= 0x80 { return nil }
        index &+= 1
        continue
      }
      let start = index
      var letters: UInt32 = 0
      repeat {
        letters |= WordShape.bit(of: UInt32(bytes[index]))
        index &+= 1
      } while index < length && ScalarClass.isWord(bytes[index])
      if index < length {
        let next = bytes[index]
        if next >= 0x80 { return nil }
        if ScalarClass.ascii(next) == .joiner, index + 1 < bytes.count,
          ScalarClass.isWord(bytes[index + 1]) || bytes[index + 1] >= 0x80
        {
          return nil
        }
      } else if length < bytes.count {
        // A word that may go on.
        break
      }
      wordCount &+= 1
      let word = start..<index
      if wantsWords { words.append(word) }
      try matcher.cancellation.count(element: wordCount)
      let shape = WordShape(
        letters: letters, length: word.count, first: UInt32(TextNormalizer.lowercased(bytes[start]))
      )
      guard filters.contains(where: { $0.mayMatch(shape) }),
        let matches = try matcher.matches(ofPlain: word, in: bytes, way)
      else { continue }
      if matches.matchedCharacters >= word.count { wholeCount &+= 1 }
      let first = start + min(matches.skippedCharacters, word.count)
      marks.append(
        MatchedText.Mark(
          range: first..<min(first + matches.matchedCharacters, index), word: word,
          queryWords: matches.queryWords, replacement: matches.replacement))
    }
    isFullyMarked = wordCount > 0 && wholeCount == wordCount
  }
}
