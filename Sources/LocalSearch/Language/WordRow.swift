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
      if joined.joinedParts > 0, joined.joinedParts != end - index - 1 {
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

  /// The words as a sequence, or `nil` without words.
  var sequence: WordSequence? {
    guard let first = words.first else { return nil }
    return WordSequence(
      words: words.map(\.word), offsets: words.map { $0.position - first.position })
  }
}
