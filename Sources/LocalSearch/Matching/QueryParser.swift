/// Parses the words, phrases and exclusions of a query text.
///
/// In the advanced syntax, `"…"` is a phrase. A `-` before a word or phrase, at the start of the
/// text or after a space, excludes it. An unmatched quote and any other minus are separators.
package struct QueryParser {
  /// The words of the query, without the excluded ones.
  private(set) var words: [QueryWord] = []
  private(set) var phrases: [QueryPhrase] = []
  private(set) var exclusions: [WordSequence] = []

  private let options: MatchingOptions
  private let cancellation: CancellationCheck
  private let text: [UInt8]
  private var buffer = TokenBuffer()

  /// A word found in a part of the text.
  private struct Found {
    let word: String
    let range: Range<Int>
    let position: Int
    let longPart: String?
  }

  /// Parses the text of `options`.
  package init(_ options: MatchingOptions, _ cancellation: CancellationCheck) throws {
    self.options = options
    self.cancellation = cancellation
    text = Array(options.text.utf8)
    try parse()
    markPrefixes()
  }

  private mutating func parse() throws {
    var index = 0
    var plainStart = 0
    while index < text.count {
      let isExclusion = options.understandsExclusions && startsExclusion(at: index)
      let start = isExclusion ? index + 1 : index
      if options.understandsPhrases, text[start] == UInt8(ascii: "\""),
        let end = text[(start + 1)...].firstIndex(of: UInt8(ascii: "\""))
      {
        try addPlain(plainStart..<index)
        if isExclusion { try exclude(start + 1..<end) } else { try addPhrase(start + 1..<end) }
        index = end + 1
        plainStart = index
      } else if isExclusion {
        try addPlain(plainStart..<index)
        let end =
          text[start...].firstIndex { Self.isSpace($0) || $0 == UInt8(ascii: "\"") } ?? text.count
        try exclude(start..<end)
        index = end
        plainStart = end
      } else {
        index += 1
      }
    }
    try addPlain(plainStart..<text.count)
  }

  /// Whether a minus at `index` excludes the text after it.
  private func startsExclusion(at index: Int) -> Bool {
    guard text[index] == UInt8(ascii: "-"), index + 1 < text.count, !Self.isSpace(text[index + 1])
    else {
      return false
    }
    return index == 0 || Self.isSpace(text[index - 1])
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }

  private mutating func addPlain(_ range: Range<Int>) throws {
    for found in try find(in: range) { append(found, phrase: nil) }
  }

  private mutating func addPhrase(_ range: Range<Int>) throws {
    let found = try find(in: range)
    guard let first = found.first else { return }
    let start = words.count
    for word in found { append(word, phrase: phrases.count) }
    phrases.append(
      QueryPhrase(
        range: start..<words.count,
        sequence: WordSequence(
          words: found.map(\.word), offsets: found.map { $0.position - first.position })))
  }

  private mutating func exclude(_ range: Range<Int>) throws {
    let found = try find(in: range)
    guard let first = found.first else { return }
    exclusions.append(
      WordSequence(words: found.map(\.word), offsets: found.map { $0.position - first.position }))
  }

  private mutating func append(_ found: Found, phrase: Int?) {
    let isPhrase = phrase != nil
    words.append(
      QueryWord(
        word: found.word, range: found.range, allowsPrefix: options.prefixRule == .all && !isPhrase,
        maximumTypos: isPhrase ? 0 : options.maximumTypos(in: found.word),
        allowsSplitting: !isPhrase && options.isTypoTolerant(found.word),
        isOptional: !isPhrase
          && (options.isEveryWordOptional || options.optionalWords.contains(found.word)),
        phrase: phrase, longPart: isPhrase ? nil : found.longPart))
  }

  /// Lets the last word match prefixes if the rule says so, unless a phrase ends the query.
  private mutating func markPrefixes() {
    guard options.prefixRule == .last, let last = words.popLast() else { return }
    words.append(
      QueryWord(
        word: last.word, range: last.range, allowsPrefix: last.phrase == nil,
        maximumTypos: last.maximumTypos, allowsSplitting: last.allowsSplitting,
        isOptional: last.isOptional, phrase: last.phrase, longPart: last.longPart))
  }

  /// Returns the words of a part of the text.
  ///
  /// A joined word counts as its parts if all of them are words, otherwise as itself.
  private mutating func find(in range: Range<Int>) throws -> [Found] {
    guard !range.isEmpty else { return [] }
    try options.tokenizer.tokenize(Array(text[range]), into: &buffer, cancellation)
    var found: [Found] = []
    var index = 0
    let items = buffer.items
    while index < items.count {
      var end = index + 1
      while end < items.count, items[end].group == items[index].group { end += 1 }
      let joined = items[end - 1]
      if joined.joinedParts > 0, joined.joinedParts != end - index - 1 {
        let longPart = end - index == 2 ? buffer.word(of: items[index]) : nil
        found.append(self.found(joined, at: range.lowerBound, longPart: longPart))
      } else {
        for item in items[index..<end] where item.joinedParts == 0 {
          found.append(self.found(item, at: range.lowerBound, longPart: nil))
        }
      }
      index = end
    }
    return found
  }

  private func found(_ item: TokenBuffer.Item, at base: Int, longPart: String?) -> Found {
    Found(
      word: buffer.word(of: item),
      range: item.source.lowerBound + base..<item.source.upperBound + base, position: item.position,
      longPart: longPart)
  }
}
