/// Some texts that are looked for together, mostly among the keys of objects.
///
/// A text is compared with those of its length only, eight bytes at a time. Objects of one kind
/// mostly have their keys in the same order, so the key listed behind the one found last is tried
/// first.
package struct JSONKeys: Sendable {
  /// What tells a text apart from others of its length.
  private struct Key {
    let size: Int
    /// The first eight bytes, or all of them.
    let head: UInt64
    /// Which bits of eight bytes belong to the head.
    let mask: UInt64
    /// The last eight bytes, where there are more than eight.
    let tail: UInt64

    init(_ text: String) {
      let bytes = Array(text.utf8)
      let word = { (bytes: ArraySlice<UInt8>) in
        bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      size = bytes.count
      head = word(bytes.prefix(8))
      mask = size < 8 ? ~(UInt64.max << UInt64(8 * size)) : .max
      tail = size > 8 ? word(bytes.suffix(8)) : 0
    }

    /// Whether the text at a position, which has as many bytes, begins and ends like this one.
    @inline(__always)
    func isLike(_ text: PaddedText, at position: Int) -> Bool {
      text.word(at: position) & mask == head
        && (size <= 8 || text.word(at: position + size - 8) == tail)
    }
  }

  private let texts: [String]
  private let keys: [Key]
  /// The numbers of the keys, the shortest first.
  private let bySize: [Int]
  /// For each length up to the longest, where its keys begin in ``bySize``; where those of the next
  /// length begin, they end.
  private let starts: [Int]

  /// How many texts there are.
  var count: Int { keys.count }

  /// Creates a set of texts, which are told apart by their number in this list.
  package init(_ texts: [String]) {
    self.texts = texts
    let keys = texts.map(Key.init)
    let longest = keys.map(\.size).max() ?? 0
    starts = (0...longest + 1).map { size in keys.count { $0.size < size } }
    bySize = keys.indices.sorted { keys[$0].size < keys[$1].size }
    self.keys = keys
  }

  /// The number of the text of a string or key; nil for another one.
  ///
  /// - Parameters:
  ///   - index: The index of the string or key.
  ///   - document: The document.
  package func number(ofTextAt index: Int, in document: JSONDocument) -> Int? {
    number(ofTextAt: index, in: document, expected: 0)
  }

  @inline(__always)
  func number(
    ofTextAt index: Int, in document: JSONDocument, expected: Int
  ) -> Int? {
    let word = document.word(at: index)
    if word.isEscaped { return number(ofEscapedTextAt: index, in: document) }
    let size = word.size
    if expected < keys.count, keys[expected].size == size,
      isText(at: index, word, expected, in: document)
    {
      return expected
    }
    guard size < starts.count - 1 else { return nil }
    var position = starts[size]
    let end = starts[size + 1]
    while position < end {
      let number = bySize[position]
      if isText(at: index, word, number, in: document) { return number }
      position += 1
    }
    return nil
  }

  @inline(never)
  private func number(ofEscapedTextAt index: Int, in document: JSONDocument) -> Int? {
    // An escape sequence is at most six times as long as what it stands for.
    guard document.word(at: index).size <= 6 * (starts.count - 2) else { return nil }
    let text = document.unescapedText(at: index)
    return texts.firstIndex { $0.utf8.elementsEqual(text.utf8) }
  }

  /// Whether a text without escapes is the one of a number, which has as many bytes.
  @inline(__always)
  private func isText(
    at index: Int, _ word: JSONWord, _ number: Int, in document: JSONDocument
  ) -> Bool {
    keys[number].isLike(document.text, at: word.offset)
      && (word.size <= 16 || document.text(at: index, equals: texts[number]))
  }
}
