import InstantSearchJSON

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
    /// The text to show instead, or `nil` for the text itself.
    var replacement: [UInt8]?

    /// The place among marks that may overlap. Of marks with one range, the text itself comes
    /// before other texts, which are in the order of the query.
    fileprivate var order: (Int, Int, Int, Int) {
      (
        range.lowerBound, -range.upperBound, replacement == nil ? 0 : 1, queryWords.first ?? 0
      )
    }
  }

  /// The text's UTF-8 bytes.
  let bytes: [UInt8]
  /// The byte range of each word, in ascending order and without overlap.
  private(set) var words: [Range<Int>] = []
  /// The matched ranges, in ascending order and without overlap.
  private(set) var marks: [Mark] = []
  /// Whether every word of the text is marked as a whole.
  private(set) var isFullyMarked = false
  /// The number of bytes in which words are found. The bytes after them have no words and no marks.
  let readLength: Int

  /// The number of bytes of a text in which words are found, for one character a byte.
  private static let maximumReadLength = 50_000

  /// Finds the matches in a text.
  ///
  /// - Parameters:
  ///   - way: How the words of the text match.
  ///   - wantsWords: Whether ``words`` are wanted, and not only the marks.
  init(_ bytes: [UInt8], _ way: TextMatcher.Way, _ matcher: TextMatcher, wantsWords: Bool) throws {
    self.bytes = bytes
    readLength = Self.readLength(of: bytes)
    try matcher.cancellation.count(bytes: readLength)
    let isRead = readLength == bytes.count
    if let plain = try PlainWords(bytes, readLength, way, matcher, wantsWords: wantsWords) {
      (words, marks, isFullyMarked) = (plain.words, plain.marks, plain.isFullyMarked && isRead)
      return
    }
    try matcher.readWords(of: bytes, readLength, way)
    if way.isSearched { marks = try Self.marks(bytes, way, matcher) }
    guard wantsWords || !marks.isEmpty else { return }
    words = try Self.words(matcher)
    isFullyMarked = try isRead && Self.isMarked(words, by: marks, matcher.cancellation)
  }

  /// Returns the number of bytes of the first characters (Unicode scalars).
  private static func readLength(of bytes: [UInt8]) -> Int {
    if bytes.count <= maximumReadLength { return bytes.count }
    var count = 0
    for index in bytes.indices where bytes[index] & 0xC0 != 0x80 {
      if count == maximumReadLength { return index }
      count += 1
    }
    return bytes.count
  }

  /// Returns the ranges of the words. Parts of a joined word are inside it: `hello`, `world` and
  /// `helloworld` share their bytes. A character of a script without spaces is a word.
  private static func words(_ matcher: TextMatcher) throws -> [Range<Int>] {
    var words: [Range<Int>] = []
    words.reserveCapacity(matcher.items.count)
    for (index, item) in matcher.items.enumerated() where !item.source.isEmpty {
      try matcher.cancellation.count(element: index)
      var range = item.source
      if item.isUnspaced, index + 1 < matcher.items.count {
        // The next pair begins with the second character of this one.
        let next = matcher.items[index + 1]
        if next.group == item.group { range = range.lowerBound..<next.source.lowerBound }
      }
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
    // The marks of the parts of the joined word that follows them.
    var (group, firstPart) = (-1, 0)
    for item in matcher.items {
      if item.group != group { (group, firstPart) = (item.group, found.count) }
      guard let matches = try matcher.matches(of: item, way), !item.source.isEmpty else { continue }
      let length = matches.skippedCharacters + matches.matchedCharacters
      if item.joinedParts > 0, firstPart < found.count, matches.queryWords.count > 1,
        matches.matchedCharacters < matcher.scalarCount(of: item)
      {
        // Parts that match the same query words are marked one by one, unless the whole matches.
        try matcher.cancellation.count(matches.queryWords.count)
        let parts = found[firstPart...].lazy.filter { item.source.contains($0.range.lowerBound) }
        let words = Set(parts.flatMap(\.queryWords))
        if words.isSuperset(of: matches.queryWords) { continue }
      }
      let start =
        matches.skippedCharacters == 0
        ? item.source.lowerBound : try end(of: matches.skippedCharacters, in: item, bytes, matcher)
      let end = try end(of: length, in: item, bytes, matcher)
      found.append(
        Mark(
          range: start..<end, word: item.source, queryWords: matches.queryWords,
          replacement: matches.replacement))
    }
    if matcher.hasPhrases {
      // Many phrases can mark the same words.
      var known: Set<PhraseMark> = []
      try matcher.forEachPhrase { phrase, items in
        for mark in Self.marks(of: phrase, items)
        where known.insert(PhraseMark(mark)).inserted {
          found.append(mark)
        }
      }
    }
    if found.count < 2 { return found }
    try matcher.cancellation.sort(&found) { $0.order < $1.order }
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

  private struct PhraseMark: Hashable {
    let range: Range<Int>
    let queryWords: [Int]
    let replacement: [UInt8]?

    init(_ mark: Mark) {
      (range, queryWords, replacement) = (mark.range, mark.queryWords, mark.replacement)
    }
  }

  /// Returns the marks of a phrase: one for each word, or one for all if another text is shown.
  private static func marks(of phrase: MatchedPhrase, _ items: [TokenBuffer.Item]) -> [Mark] {
    guard phrase.replacement != nil, let first = items.first else {
      // Pairs of characters overlap with the next ones.
      var ranges: [Range<Int>] = []
      for range in items.map(\.source) {
        if let last = ranges.last, range.lowerBound < last.upperBound {
          ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        } else {
          ranges.append(range)
        }
      }
      return ranges.map { Mark(range: $0, word: $0, queryWords: phrase.queryWords) }
    }
    let end = items.reduce(first.source.upperBound) { max($0, $1.source.upperBound) }
    let range = first.source.lowerBound..<end
    return [
      Mark(
        range: range, word: range, queryWords: phrase.queryWords, replacement: phrase.replacement)
    ]
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

  /// Whether marks cover all words, each alone or with the next ones. `false` without words.
  ///
  /// - Complexity: O(n) for n words and marks, which are in order.
  private static func isMarked(
    _ words: [Range<Int>], by marks: [Mark], _ cancellation: CancellationCheck
  ) throws -> Bool {
    var rest = marks[...]
    for word in words {
      var position = word.lowerBound
      while position < word.upperBound {
        try cancellation.count()
        guard let mark = rest.first else { return false }
        if mark.range.upperBound <= position {
          rest.removeFirst()
        } else {
          guard mark.range.lowerBound <= position else { return false }
          position = mark.range.upperBound
        }
      }
    }
    return !words.isEmpty
  }

  /// Returns the indices of the query words that match somewhere, in ascending order.
  func queryWords(_ cancellation: CancellationCheck) throws -> [Int] {
    var numbers: Set<Int> = []
    for list in try queryWordLists(cancellation).lists {
      try cancellation.count(list.count)
      numbers.formUnion(list)
    }
    return numbers.sorted()
  }

  /// Returns the lists of query words of the marks, and the number of the list of each mark.
  ///
  /// A word that the query repeats is in a list as often. Equal words of the text share a list, so
  /// work on lists instead of marks does not grow with the words of both. A list can be there
  /// twice.
  func queryWordLists(
    _ cancellation: CancellationCheck
  ) throws -> (lists: [[Int]], numbers: [Int]) {
    var lists: [[Int]] = []
    let numbers = try marks.map { mark in
      try cancellation.count()
      // Lists that are shared are equal without a comparison of their elements.
      let recent = lists.indices.suffix(Self.comparedListCount)
      if let number = recent.last(where: { lists[$0] == mark.queryWords }) { return number }
      lists.append(mark.queryWords)
      return lists.count - 1
    }
    return (lists, numbers)
  }

  private static let comparedListCount = 8
}

// Tags.
extension MatchedText {
  /// Writes a part of the text, with tags around the marks, into an open string.
  func write(
    _ part: Range<Int>, _ tags: HighlightTags, to writer: inout JSONWriter,
    _ cancellation: CancellationCheck
  ) throws {
    try cancellation.check(responseSize: writer.count + part.count)
    try forEachPiece(of: part, tags, cancellation) { piece in
      writer.text(piece)
      try cancellation.check(responseSize: writer.count)
    }
  }

  /// Returns the text with tags around the marks.
  ///
  /// - Parameters:
  ///   - size: The size of the response before the text, in bytes. A response that becomes too
  ///     large is rejected at once.
  ///   - owner: The part of the response that contains the text.
  func tagged(
    _ tags: HighlightTags, after size: Int, of owner: ResponsePart,
    _ cancellation: CancellationCheck
  ) throws -> String {
    try cancellation.check(responseSize: size + bytes.count, owner)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    try forEachPiece(of: 0..<bytes.count, tags, cancellation) { piece in
      result += piece
      try cancellation.check(responseSize: size + result.count, owner)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Calls `body` with the texts of a part and the tags between them.
  private func forEachPiece(
    of part: Range<Int>, _ tags: HighlightTags, _ cancellation: CancellationCheck,
    _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    try cancellation.count(bytes: part.count)
    var position = part.lowerBound
    for mark in marks {
      try cancellation.count()
      if mark.range.lowerBound >= part.upperBound { break }
      guard part.contains(mark.range) else { continue }
      try body(bytes[position..<mark.range.lowerBound])
      try body(tags.pre)
      try body(mark.replacement?[...] ?? bytes[mark.range])
      try body(tags.post)
      position = mark.range.upperBound
    }
    try body(bytes[position..<part.upperBound])
  }
}
