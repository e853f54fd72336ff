/// Finds the words of a text.
///
/// - A word is the longest run of letters, digits and marks. An ideograph or Hiragana character is
///   a word by itself.
/// - Separators are skipped, except those of `separatorsToIndex`: each of them is a word.
/// - A single `.`, apostrophe, `®` or `©` between two runs joins them: `hello.world` gives `hello`,
///   `world` and `helloworld`. Parts of fewer than three characters are no words of their own:
///   `B.C.E.` gives `bce` only.
/// - Words are numbered from 0. A joined word has the number of its first part.
package struct Tokenizer: Sendable {
  /// How words are normalised.
  package let normalizer: TextNormalizer
  private let indexedSeparators: Set<Unicode.Scalar>

  /// The length from which a part of a joined word is a word too.
  package static let minimumPartLength = 3
  /// How many bytes of a long word are a step; a power of two.
  private static let stepLength = 64

  /// Creates a tokeniser.
  package init(separatorsToIndex: String = "", keepDiacriticsOnCharacters: String = "") {
    normalizer = TextNormalizer(keepingDiacriticsOn: keepDiacriticsOnCharacters)
    indexedSeparators = Set(
      separatorsToIndex.unicodeScalars.filter { scalar in
        switch ScalarClass(scalar) {
        case .separator, .joiner: !scalar.properties.isWhitespace
        default: false
        }
      })
  }

  /// Returns the words of `text`, joined words included.
  package func tokens(of text: String) -> [Token] { tokens(of: text) { _ in } }

  /// Returns the words of `text`, joined words included.
  ///
  /// - Parameter count: Called with the steps that were made; what it throws ends the work.
  func tokens(of text: String, count: (Int) throws -> Void) rethrows -> [Token] {
    var buffer = TokenBuffer()
    try tokenize(Array(text.utf8), into: &buffer, count: count)
    return try buffer.items.map {
      try count(1 &+ $0.word.count &>> 6)
      return Token(word: buffer.word(of: $0), range: $0.source, position: $0.position)
    }
  }

  /// Puts the words of a UTF-8 text into `buffer`, which is emptied first.
  ///
  /// - Parameter count: Called with the steps that were made: one for each word and each separator,
  ///   and for every ``stepLength`` bytes of a long one. What it throws ends the work.
  func tokenize(
    _ text: [UInt8], into buffer: inout TokenBuffer, count: (Int) throws -> Void
  ) rethrows {
    buffer.removeAll()
    var index = 0
    var group = 0
    while index < text.count {
      try count(1)
      let (scalar, length) = UTF8Scalars.decode(text, at: index, limit: text.count)
      switch classify(scalar) {
      case .word:
        index = try scanRuns(text, from: index, group: group, into: &buffer, count: count)
        group += 1
      case .ideograph:
        index = try scanSingle(
          text, scalar, index..<index + length, group: group, into: &buffer, count: count)
        group += 1
      case .separator, .joiner:
        if indexedSeparators.contains(scalar) {
          index = try scanSingle(
            text, scalar, index..<index + length, group: group, into: &buffer, count: count)
          group += 1
        } else {
          index += length
        }
      case .mark:
        index += length
      }
    }
  }

  private func classify(_ scalar: Unicode.Scalar) -> ScalarClass { ScalarClass(scalar) }

  /// Adds a character that is a word by itself; marks after it belong to it.
  private func scanSingle(
    _ text: [UInt8], _ scalar: Unicode.Scalar, _ source: Range<Int>, group: Int,
    into buffer: inout TokenBuffer, count: (Int) throws -> Void
  ) rethrows -> Int {
    let start = buffer.bytes.count
    let length = buffer.write { normalizer.append(scalar, to: &$0) }
    var end = source.upperBound
    while end < text.count {
      let (mark, length) = UTF8Scalars.decode(text, at: end, limit: text.count)
      guard ScalarClass(mark) == .mark else { break }
      end += length
      if end & (Self.stepLength - 1) < length { try count(1) }
    }
    if length > 0 {
      buffer.append(
        TokenBuffer.Item(
          word: start..<buffer.bytes.count, source: source.lowerBound..<end,
          position: buffer.positionCount, length: length, joinedParts: 0, group: group))
    }
    return end
  }

  /// Adds a run of word characters and the runs joined to it, and returns the index after them.
  private func scanRuns(
    _ text: [UInt8], from start: Int, group: Int, into buffer: inout TokenBuffer,
    count: (Int) throws -> Void
  ) rethrows -> Int {
    let wordStart = buffer.bytes.count
    let firstPosition = buffer.positionCount
    var index = start
    var parts = 0
    var total = 0
    while true {
      try count(1)
      let partStart = buffer.bytes.count
      let sourceStart = index
      let length = try scanRun(text, from: &index, into: &buffer, count: count)
      parts += 1
      total += length
      let next = indexAfterJoiner(text, at: index)
      if parts == 1, next == nil {
        if length > 0 {
          buffer.append(
            TokenBuffer.Item(
              word: partStart..<buffer.bytes.count, source: sourceStart..<index,
              position: firstPosition, length: length, joinedParts: 0, group: group))
        }
        return index
      }
      if length >= Self.minimumPartLength {
        buffer.append(
          TokenBuffer.Item(
            word: partStart..<buffer.bytes.count, source: sourceStart..<index,
            position: buffer.positionCount, length: length, joinedParts: 0, group: group))
      }
      guard let next else { break }
      index = next
    }
    if total > 0 {
      buffer.append(
        TokenBuffer.Item(
          word: wordStart..<buffer.bytes.count, source: start..<index, position: firstPosition,
          length: total, joinedParts: parts, group: group))
    }
    return index
  }

  /// Appends the folded run that begins at `index`, moves `index` past it and returns its length in
  /// scalars.
  private func scanRun(
    _ text: [UInt8], from index: inout Int, into buffer: inout TokenBuffer,
    count: (Int) throws -> Void
  ) rethrows -> Int {
    let keeps = normalizer.keepsSomeCharacters
    let limit = text.count
    var end = index
    var nextStep = index + Self.stepLength
    let length = try buffer.write { output in
      var length = 0
      while end < limit {
        if end >= nextStep {
          nextStep = end + Self.stepLength
          try count(1)
        }
        let byte = text[end]
        if byte < 0x80, !keeps {
          guard ScalarClass.ascii(byte) == .word else { break }
          output.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
          length += 1
          end += 1
          continue
        }
        let (scalar, size) = UTF8Scalars.decode(text, at: end, limit: limit)
        let scalarClass = ScalarClass(scalar)
        guard scalarClass == .word || scalarClass == .mark else { break }
        if keeps {
          let clusterEnd = endOfMarks(text, from: end + size)
          let cluster = String(decoding: text[end..<clusterEnd], as: UTF8.self)
          if normalizer.appendKept(cluster, to: &output) {
            length += 1
            end = clusterEnd
            continue
          }
        }
        length += normalizer.append(scalar, to: &output)
        end += size
      }
      return length
    }
    index = end
    return length
  }

  private func endOfMarks(_ text: [UInt8], from start: Int) -> Int {
    var end = start
    while end < text.count {
      let (scalar, size) = UTF8Scalars.decode(text, at: end, limit: text.count)
      guard ScalarClass(scalar) == .mark else { break }
      end += size
    }
    return end
  }

  /// Returns where the next run begins when exactly one joiner stands between.
  private func indexAfterJoiner(_ text: [UInt8], at index: Int) -> Int? {
    guard index < text.count else { return nil }
    let (scalar, length) = UTF8Scalars.decode(text, at: index, limit: text.count)
    guard ScalarClass(scalar) == .joiner, !indexedSeparators.contains(scalar) else { return nil }
    let next = index + length
    guard next < text.count else { return nil }
    let (following, _) = UTF8Scalars.decode(text, at: next, limit: text.count)
    return ScalarClass(following) == .word ? next : nil
  }
}

/// A word of a text.
package struct Token: Sendable, Hashable {
  /// The normalised word.
  package let word: String
  /// Where the word stands in the original text, in UTF-8 bytes.
  package let range: Range<Int>
  /// The number of the word in its text, from 0; a joined word has the number of its first part.
  package let position: Int
}

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
