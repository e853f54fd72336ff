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
    for found in try row(range).words { append(found, at: range.lowerBound, phrase: nil) }
  }

  private mutating func addPhrase(_ range: Range<Int>) throws {
    let row = try row(range)
    guard let sequence = row.sequence else { return }
    let start = words.count
    for word in row.words { append(word, at: range.lowerBound, phrase: phrases.count) }
    phrases.append(QueryPhrase(range: start..<words.count, sequence: sequence))
  }

  private mutating func exclude(_ range: Range<Int>) throws {
    if let sequence = try row(range).sequence { exclusions.append(sequence) }
  }

  private func row(_ range: Range<Int>) throws -> WordRow {
    try WordRow(Array(text[range]), options.tokenizer, cancellation)
  }

  private mutating func append(_ found: WordRow.Word, at base: Int, phrase: Int?) {
    let isPhrase = phrase != nil
    words.append(
      QueryWord(
        word: found.word, range: found.range.lowerBound + base..<found.range.upperBound + base,
        // A character of a script without spaces is the beginning of a word.
        allowsPrefix: !isPhrase
          && (options.prefixRule == .all || found.isUnspaced && found.pairs == nil),
        maximumTypos: isPhrase ? 0 : options.maximumTypos(in: found.word),
        allowsSplitting: !isPhrase && !found.isUnspaced && options.isTypoTolerant(found.word),
        isOptional: !isPhrase
          && (options.isEveryWordOptional || options.optionalWords.contains(found.word)),
        phrase: phrase, longPart: isPhrase ? nil : found.longPart, pairs: found.pairs))
  }

  /// Lets the last word match prefixes if the rule says so, unless a phrase ends the query.
  private mutating func markPrefixes() {
    guard options.prefixRule == .last, let last = words.popLast() else { return }
    words.append(
      QueryWord(
        word: last.word, range: last.range, allowsPrefix: last.phrase == nil,
        maximumTypos: last.maximumTypos, allowsSplitting: last.allowsSplitting,
        isOptional: last.isOptional, phrase: last.phrase, longPart: last.longPart,
        pairs: last.pairs))
  }
}
