/// Finds the words of a text.
///
/// - A word is the longest run of letters, digits and marks.
/// - A run of characters of a script without spaces gives each pair of neighbors, and its last
///   character. See ``UnspacedRun``.
/// - Separators are skipped, except the ones in `separatorsToIndex`, each of which is a word.
/// - A single `.`, apostrophe, `®` or `©` between two runs joins them. `hello.world` gives `hello`,
///   `world` and `helloworld`. Parts of fewer than three characters are not words: `B.C.E.` gives
///   `bce` only.
/// - Words are numbered from 0. A joined word has the number of its first part.
package struct Tokenizer: Sendable {
  /// The settings of the tokenizer.
  package let form: TextForm
  /// The normalizer of words.
  package let normalizer: TextNormalizer
  private let indexedSeparators: Set<Unicode.Scalar>
  /// The placeholders in UTF-8.
  private let placeholders: Set<ArraySlice<UInt8>>
  /// Finds the words of runs in scripts without spaces, or `nil` for pairs of characters.
  private let segmenter: (any WordSegmenter)?

  /// The minimum length of a part of a joined word that is also a word.
  package static let minimumPartLength = 3
  /// The number of bytes of a long word that count as one step. A power of two.
  private static let stepLength = 64

  /// Creates a tokenizer.
  package init(separatorsToIndex: String = "", keepDiacriticsOnCharacters: String = "") {
    self.init(
      TextForm(
        separatorsToIndex: separatorsToIndex,
        keepDiacriticsOnCharacters: keepDiacriticsOnCharacters))
  }

  /// Creates a tokenizer.
  init(_ form: TextForm, segmenter: (any WordSegmenter)? = nil) {
    self.form = form
    self.segmenter = segmenter
    normalizer = TextNormalizer(
      keepingDiacriticsOn: form.keepDiacriticsOnCharacters, replacing: form.customNormalization)
    placeholders = Set(form.placeholders.map { Array($0.text.utf8)[...] })
    indexedSeparators = Set(
      form.separatorsToIndex.unicodeScalars.filter { scalar in
        switch ScalarClass(scalar) {
        case .separator, .joiner: !scalar.properties.isWhitespace
        default: false
        }
      }.map(FoldingTable.shared.single))
    indexesSeparators = !indexedSeparators.isEmpty || !placeholders.isEmpty
  }

  /// Whether some separators are words, or parts of placeholders.
  let indexesSeparators: Bool

  /// Returns the words of `text`, including joined words.
  package func tokens(of text: String, _ cancellation: CancellationCheck) throws -> [Token] {
    var buffer = TokenBuffer()
    try tokenize(Array(text.utf8), into: &buffer, cancellation)
    return try buffer.items.map {
      try cancellation.count(bytes: $0.word.count)
      return Token(word: buffer.word(of: $0), range: $0.source, position: $0.position)
    }
  }

  /// Replaces the contents of `buffer` by the words of a UTF-8 text.
  ///
  /// A step is a word, a separator, or ``stepLength`` bytes of a long one.
  ///
  /// - Parameter splitsCamelCase: Whether words are split at capitals and digits too. Defaults to
  ///   `false`.
  func tokenize(
    _ text: [UInt8], splitsCamelCase: Bool = false, into buffer: inout TokenBuffer,
    _ cancellation: CancellationCheck
  ) throws {
    var borders = splitsCamelCase ? CamelCaseBorders() : nil
    buffer.removeAll()
    // A long text is one long word, whose bytes would otherwise be copied as they become more.
    if text.count > 2 * Self.partLength { buffer.reserveCapacity(text.count) }
    var index = 0
    var group = 0
    while index < text.count {
      try cancellation.count()
      let (scalar, length) = UTF8Scalars.decode(text, at: index, limit: text.count)
      switch classify(scalar) {
      case .word:
        index = try scanRuns(
          text, from: index, group: group, &borders, into: &buffer, cancellation)
        group += 1
      case .unspaced:
        index = try scanUnspaced(text, from: index, group: group, into: &buffer, cancellation)
        group += 1
      case .separator, .joiner:
        if !indexesSeparators {
          index += length
        } else if let end = endOfPlaceholder(text, from: index) {
          let start = buffer.bytes.count
          buffer.write { $0 += text[index..<end] }
          buffer.append(
            TokenBuffer.Item(
              word: start..<buffer.bytes.count, source: index..<end,
              position: buffer.positionCount, length: end - index, joinedParts: 0, group: group))
          index = end
          group += 1
        } else if isIndexed(scalar) {
          index = try scanSingle(
            text, scalar, index..<index + length, group: group, into: &buffer, cancellation)
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

  /// Whether a separator is a word.
  private func isIndexed(_ scalar: Unicode.Scalar) -> Bool {
    !indexedSeparators.isEmpty && indexedSeparators.contains(FoldingTable.shared.single(scalar))
  }

  /// Returns the end of the placeholder that begins at an index, or `nil` if there is none.
  private func endOfPlaceholder(_ text: [UInt8], from start: Int) -> Int? {
    guard !placeholders.isEmpty, text[start] == UInt8(ascii: "<"),
      let end = text[start...].prefix(Placeholder.maximumLength).firstIndex(of: UInt8(ascii: ">")),
      placeholders.contains(text[start...end])
    else { return nil }
    return end + 1
  }

  /// Appends a character that is no part of a word with others, or what replaces it with its marks.
  ///
  /// - Returns: By how many characters the word becomes longer, and the index after what was read.
  private func append(
    _ scalar: Unicode.Scalar, _ source: Range<Int>, of text: [UInt8], to output: inout [UInt8],
    wordFrom start: Int
  ) -> (length: Int, end: Int) {
    if normalizer.hasExceptions {
      let end = endOfMarks(text, from: source.upperBound)
      let cluster = String(decoding: text[source.lowerBound..<end], as: UTF8.self)
      if let length = normalizer.appendException(cluster, to: &output) { return (length, end) }
    }
    return (normalizer.append(scalar, to: &output, wordFrom: start), source.upperBound)
  }

  /// Adds a character that is a word by itself, with the marks after it.
  private func scanSingle(
    _ text: [UInt8], _ scalar: Unicode.Scalar, _ source: Range<Int>, group: Int,
    into buffer: inout TokenBuffer, _ cancellation: CancellationCheck
  ) throws -> Int {
    let start = buffer.bytes.count
    let (length, clusterEnd) = buffer.write {
      append(scalar, source, of: text, to: &$0, wordFrom: start)
    }
    var end = clusterEnd
    while end < text.count {
      let (mark, length) = UTF8Scalars.decode(text, at: end, limit: text.count)
      guard ScalarClass(mark) == .mark else { break }
      end += length
      if end & (Self.stepLength - 1) < length { try cancellation.count() }
    }
    if length > 0 {
      buffer.append(
        TokenBuffer.Item(
          word: start..<buffer.bytes.count, source: source.lowerBound..<end,
          position: buffer.positionCount, length: length, joinedParts: 0, group: group))
    }
    return end
  }

  /// Adds a run of characters of a script without spaces. Returns the index after it.
  private func scanUnspaced(
    _ text: [UInt8], from start: Int, group: Int, into buffer: inout TokenBuffer,
    _ cancellation: CancellationCheck
  ) throws -> Int {
    var run = UnspacedRun()
    let end = try buffer.write { output in
      var index = start
      while index < text.count {
        let (scalar, size) = UTF8Scalars.decode(text, at: index, limit: text.count)
        let scalarClass = ScalarClass(scalar)
        guard scalarClass == .unspaced || scalarClass == .mark else { break }
        if index & (Self.stepLength - 1) < size { try cancellation.count() }
        let before = output.count
        let start = run.lastStart ?? before
        // A mark that is left over is no character with marks.
        let (length, next) =
          scalarClass == .mark
          ? (normalizer.append(scalar, to: &output, wordFrom: start), index + size)
          : append(scalar, index..<index + size, of: text, to: &output, wordFrom: start)
        if length > 0, scalarClass == .unspaced || run.count == 0 {
          run.append(start: before, source: index)
        }
        index = next
      }
      run.end(at: output.count, source: index)
      return index
    }
    if let segmenter {
      let words = segmenter.ranges(
        in: Array(text[start..<end]), language: form.language)
      run.addWords(words.map { $0.lowerBound + start..<$0.upperBound + start }, to: &buffer, group)
    } else {
      run.addWords(to: &buffer, group: group)
    }
    return end
  }

  /// Adds the word characters from `start` on, and the runs joined to them. Returns the index after
  /// them.
  private func scanRuns(
    _ text: [UInt8], from start: Int, group: Int, _ borders: inout CamelCaseBorders?,
    into buffer: inout TokenBuffer, _ cancellation: CancellationCheck
  ) throws -> Int {
    let wordStart = buffer.bytes.count
    let firstPosition = buffer.positionCount
    var index = start
    var parts = 0
    var total = 0
    while true {
      try cancellation.count()
      let partStart = buffer.bytes.count
      let sourceStart = index
      borders?.removeAll()
      let length = try scanRun(text, from: &index, &borders, into: &buffer, cancellation)
      parts += 1
      total += length
      let next = indexAfterJoiner(text, at: index)
      let inner = borders?.borders ?? []
      let innerParts = inner.count + 1
      if innerParts > 1 {
        buffer.addParts(
          of: partStart..<buffer.bytes.count, source: sourceStart..<index,
          at: inner, group: group)
      }
      if parts == 1, next == nil {
        if length > 0 {
          buffer.append(
            TokenBuffer.Item(
              word: partStart..<buffer.bytes.count, source: sourceStart..<index,
              position: firstPosition, length: length,
              joinedParts: innerParts > 1 ? innerParts : 0, group: group))
        }
        return index
      }
      if length >= Self.minimumPartLength {
        buffer.append(
          TokenBuffer.Item(
            word: partStart..<buffer.bytes.count, source: sourceStart..<index,
            position: innerParts > 1
              ? buffer.positionCount - innerParts : buffer.positionCount, length: length,
            joinedParts: innerParts > 1 ? innerParts : 0, group: group))
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

  /// Appends the folded run at `index`, advances `index`, and returns the run's length in scalars.
  private func scanRun(
    _ text: [UInt8], from index: inout Int, _ borders: inout CamelCaseBorders?,
    into buffer: inout TokenBuffer, _ cancellation: CancellationCheck
  ) throws -> Int {
    let keeps = normalizer.hasExceptions
    let isPlain = !keeps && borders == nil
    let limit = text.count
    let start = buffer.bytes.count
    var end = index
    var nextStep = index + Self.stepLength
    let length = try buffer.write { output in
      var length = 0
      while end < limit {
        if end >= nextStep {
          nextStep = end + Self.stepLength
          try cancellation.count()
        }
        let byte = text[end]
        if byte < 0x80, isPlain {
          guard ScalarClass.isWord(byte) else { break }
          output.append(TextNormalizer.lowercased(byte))
          length += 1
          end += 1
          continue
        }
        let (scalar, size) = UTF8Scalars.decode(text, at: end, limit: limit)
        let scalarClass = ScalarClass(scalar)
        guard scalarClass == .word || scalarClass == .mark else { break }
        if scalarClass == .word { borders?.add(scalar, source: end, word: output.count) }
        if keeps {
          // A mark that is left over is no letter with marks.
          let clusterEnd =
            scalarClass == .mark ? end + size : endOfMarks(text, from: end + size)
          let cluster = String(decoding: text[end..<clusterEnd], as: UTF8.self)
          if let count = normalizer.appendException(cluster, to: &output) {
            length += count
            end = clusterEnd
            continue
          }
        }
        length += normalizer.append(scalar, to: &output, wordFrom: start)
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

  /// Returns the start of the next run if exactly one joiner precedes it.
  private func indexAfterJoiner(_ text: [UInt8], at index: Int) -> Int? {
    guard index < text.count else { return nil }
    let (scalar, length) = UTF8Scalars.decode(text, at: index, limit: text.count)
    guard ScalarClass(scalar) == .joiner, !isIndexed(scalar) else { return nil }
    let next = index + length
    guard next < text.count else { return nil }
    let (following, _) = UTF8Scalars.decode(text, at: next, limit: text.count)
    return ScalarClass(following) == .word ? next : nil
  }
}

// Long texts are read in parts.
extension Tokenizer {
  /// The length of a part of a long text, in bytes.
  private static let partLength = 1 << 14

  /// Returns the end of the part of a text that begins at an offset: before a space, where no word
  /// goes on, or the end of the text.
  static func endOfPart(
    from start: Int, of text: [UInt8], _ cancellation: CancellationCheck
  ) throws -> Int {
    guard text.count - start > 2 * partLength else { return text.count }
    var end = start + partLength
    while end < text.count, text[end] != 0x20, text[end] != 0x0A {
      end += 1
      if end & 0xFFFF == 0 { try cancellation.count(1 << 12) }
    }
    return end
  }

  /// Whether a text has words from an offset on, where a part begins.
  func hasWords(
    _ text: [UInt8], from start: Int, _ cancellation: CancellationCheck
  ) throws -> Bool {
    var words = TokenBuffer()
    var start = start
    while start < text.count {
      let end = try Self.endOfPart(from: start, of: text, cancellation)
      try tokenize(Array(text[start..<end]), into: &words, cancellation)
      if !words.items.isEmpty { return true }
      start = end
    }
    return false
  }
}

/// A word of a text.
package struct Token: Sendable, Hashable {
  /// The normalized word.
  package let word: String
  /// The range of the word in the original text, in UTF-8 bytes.
  package let range: Range<Int>
  /// The number of the word in its text, from 0. A joined word has the number of its first part.
  package let position: Int
}
