/// The words of a short text in order: a part of a query, or a synonym.
///
/// A joined word counts as its parts if all of them are words, otherwise as itself.
struct WordRow: Sendable {
  /// One word.
  struct Word: Sendable, Hashable {
    /// The normalized word.
    let word: String
    /// The range in the text, in UTF-8 bytes.
    let range: Range<Int>
    /// The number of the word in a text, from 0.
    let position: Int
    /// The only long part of a joined word.
    let longPart: String?
    /// The pairs of neighbors of a run of a script without spaces, if it has two characters or
    /// more.
    var pairs: WordSequence?
    /// Whether the word is such a run.
    var isUnspaced = false
  }

  /// The words.
  private(set) var words: [Word] = []

  /// Reads the words of a text.
  init(_ text: [UInt8], _ tokenizer: Tokenizer, _ cancellation: CancellationCheck) throws {
    guard !text.isEmpty else { return }
    var buffer = TokenBuffer()
    try tokenizer.tokenize(text, into: &buffer, cancellation)
    var index = 0
    let items = buffer.items
    while index < items.count {
      var end = index + 1
      while end < items.count, items[end].group == items[index].group { end += 1 }
      let joined = items[end - 1]
      if joined.isUnspaced {
        addRun(items[index], joined, (index..<end - 1).map { buffer.word(of: items[$0]) }, buffer)
      } else if joined.joinedParts > 0, joined.joinedParts != end - index - 1 {
        add(joined, of: buffer, longPart: end - index == 2 ? buffer.word(of: items[index]) : nil)
      } else {
        for item in items[index..<end] where item.joinedParts == 0 {
          add(item, of: buffer, longPart: nil)
        }
      }
      index = end
    }
  }

  private mutating func add(
    _ item: TokenBuffer.Item, of buffer: TokenBuffer, longPart: String?
  ) {
    words.append(
      Word(
        word: buffer.word(of: item), range: item.source, position: item.position,
        longPart: longPart))
  }

  private mutating func addRun(
    _ first: TokenBuffer.Item, _ last: TokenBuffer.Item, _ pairs: [String], _ buffer: TokenBuffer
  ) {
    let bytes = buffer.bytes[first.word.lowerBound..<last.word.upperBound]
    words.append(
      Word(
        word: String(decoding: bytes, as: UTF8.self),
        range: first.source.lowerBound..<last.source.upperBound, position: first.position,
        longPart: nil,
        pairs: pairs.isEmpty
          ? nil
          : WordSequence(words: pairs, offsets: Array(pairs.indices), span: pairs.count),
        isUnspaced: true))
  }

  /// The words as a sequence, or `nil` without words.
  var sequence: WordSequence? {
    guard let first = words.first, let last = words.last else { return nil }
    var parts: [String] = []
    var offsets: [Int] = []
    for word in words {
      let pairs = word.pairs ?? WordSequence(words: [word.word], offsets: [0])
      parts += pairs.words
      offsets += pairs.offsets.map { $0 + word.position - first.position }
    }
    return WordSequence(
      words: parts, offsets: offsets,
      span: last.position - first.position + (last.pairs?.span ?? 0))
  }
}
