/// The words of one text in flat arrays, reused for the next text.
struct TokenBuffer: Sendable {
  /// One word. A text is shorter than 4 GB.
  struct Item: Sendable, Hashable {
    private let wordStart, wordEnd, sourceStart, sourceEnd: UInt32
    private let position32, length32, joinedParts32, group32: UInt32

    init(
      word: Range<Int>, source: Range<Int>, position: Int, length: Int, joinedParts: Int, group: Int
    ) {
      wordStart = UInt32(truncatingIfNeeded: word.lowerBound)
      wordEnd = UInt32(truncatingIfNeeded: word.upperBound)
      sourceStart = UInt32(truncatingIfNeeded: source.lowerBound)
      sourceEnd = UInt32(truncatingIfNeeded: source.upperBound)
      position32 = UInt32(truncatingIfNeeded: position)
      length32 = UInt32(truncatingIfNeeded: length)
      joinedParts32 = UInt32(truncatingIfNeeded: joinedParts)
      group32 = UInt32(truncatingIfNeeded: group)
    }

    /// Creates a word of a script without spaces, of one character or two.
    init(unspaced word: Range<Int>, source: Range<Int>, position: Int, length: Int, group: Int) {
      self.init(
        word: word, source: source, position: position, length: length,
        joinedParts: Int(UInt32.max), group: group)
    }

    /// The normalized word, as a range of ``TokenBuffer/bytes``.
    @inline(__always) var word: Range<Int> { Int(wordStart)..<Int(wordEnd) }
    /// The word's bytes in the text.
    @inline(__always) var source: Range<Int> { Int(sourceStart)..<Int(sourceEnd) }
    /// The number of the word in the text.
    @inline(__always) var position: Int { Int(position32) }
    /// The number of scalars of the normalized word, where a character that keeps its diacritics
    /// counts as one.
    @inline(__always) var length: Int { Int(length32) }
    /// The number of parts of a joined word (`hello.world` has 2), or 0 for a plain word or a part.
    @inline(__always) var joinedParts: Int { isUnspaced ? 0 : Int(joinedParts32) }
    /// Whether the word is a pair of neighbors in a script without spaces, or the last character of
    /// a run.
    @inline(__always) var isUnspaced: Bool { joinedParts32 == .max }
    /// The number of the joined word, shared by its parts and itself.
    @inline(__always) var group: Int { Int(group32) }
  }

  /// The normalized words. A joined word shares the bytes of its parts.
  private(set) var bytes: [UInt8] = []
  /// The words in the order of their positions. A joined word follows its parts.
  private(set) var items = PieceList<Item>()
  /// The number of positions used.
  private(set) var positionCount = 0

  /// Removes all words, and keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    items.removeAll()
    positionCount = 0
  }

  /// Reserves memory for a number of bytes of words.
  mutating func reserveCapacity(_ byteCount: Int) { bytes.reserveCapacity(byteCount) }

  /// Removes the last words if they end at an offset of the text.
  mutating func removeWord(endingAt offset: Int) {
    while let last = items.last, last.source.upperBound == offset { items.discardLast() }
  }

  /// Returns the word of an item.
  func word(of item: Item) -> String { String(decoding: bytes[item.word], as: UTF8.self) }

  /// Whether the item is the whole text: the only word, one joined word, or one pair of characters.
  func isWholeText(_ item: Item) -> Bool {
    guard let last = items.last, let first = items.first else { return false }
    return first.group == last.group
      && item.source.lowerBound <= min(first.source.lowerBound, last.source.lowerBound)
      && item.source.upperBound >= max(first.source.upperBound, last.source.upperBound)
  }

  /// Calls `body` with the bytes of the words.
  mutating func write<Result>(_ body: (inout [UInt8]) throws -> Result) rethrows -> Result {
    try body(&bytes)
  }

  /// Adds the words inside a word, and the rests of the word from each of them on.
  ///
  /// - Parameters:
  ///   - word: The whole word, as a range of ``bytes``. It is not added.
  ///   - source: The range of the word in the text.
  ///   - borders: The starts of the words, without the first one.
  mutating func addParts(
    of word: Range<Int>, source: Range<Int>, at borders: [CamelCaseBorders.Border], group: Int
  ) {
    let starts =
      [CamelCaseBorders.Border(source: source.lowerBound, word: word.lowerBound)] + borders
    let ends =
      borders + [CamelCaseBorders.Border(source: source.upperBound, word: word.upperBound)]
    let base = positionCount
    func item(from first: Int, to last: Int) -> Item {
      let range = starts[first].word..<ends[last].word
      return Item(
        word: range, source: starts[first].source..<ends[last].source, position: base + first,
        length: bytes[range].count { $0 & 0xC0 != 0x80 },
        joinedParts: last > first ? last - first + 1 : 0,
        group: group)
    }
    for index in starts.indices where starts[index].word < ends[index].word {
      append(item(from: index, to: index))
    }
    for index in starts.indices.dropFirst().dropLast().reversed()
    where word.upperBound - starts[index].word <= Self.maximumRestLength {
      append(item(from: index, to: starts.count - 1))
    }
    positionCount = max(positionCount, base + starts.count)
  }

  /// The maximum length of a rest of a word that is a word. A query has no longer ones.
  private static let maximumRestLength = 512

  /// Adds a word.
  mutating func append(_ item: Item) {
    items.append(item)
    positionCount = max(positionCount, item.position + 1)
  }
}
