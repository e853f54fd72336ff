/// The words of one text in flat arrays, reused from text to text.
struct TokenBuffer: Sendable {
  /// One word.
  struct Item: Sendable, Hashable {
    /// The normalised word, as a range of ``TokenBuffer/bytes``.
    var word: Range<Int>
    /// The word's bytes in the text.
    var source: Range<Int>
    /// The number of the word in the text.
    var position: Int
    /// The number of scalars of the normalised word.
    var length: Int
    /// The number of parts of a joined word (`hello.world` has 2), 0 for a plain word or a part.
    var joinedParts: Int
    /// The joined word that the part belongs to, and the joined word itself; equal numbers belong
    /// together.
    var group: Int
  }

  /// The normalised words; a joined word shares the bytes of its parts.
  private(set) var bytes: [UInt8] = []
  /// The words in the order of their positions; a joined word follows its parts.
  private(set) var items = PieceList<Item>()
  /// The number of positions used.
  private(set) var positionCount = 0

  /// Forgets all words, keeping the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    items.removeAll()
    positionCount = 0
  }

  /// Returns the word of an item.
  func word(of item: Item) -> String { String(decoding: bytes[item.word], as: UTF8.self) }

  /// Whether the item is everything that its text says: the only word, or one joined word.
  func isWholeText(_ item: Item) -> Bool {
    guard let last = items.last, let first = items.first else { return false }
    return first.group == last.group && (items.count == 1 || item.joinedParts > 0)
  }

  /// Runs `body` on the bytes under construction.
  mutating func write<Result>(_ body: (inout [UInt8]) throws -> Result) rethrows -> Result {
    try body(&bytes)
  }

  /// Adds a word.
  mutating func append(_ item: Item) {
    items.append(item)
    positionCount = max(positionCount, item.position + 1)
  }
}
