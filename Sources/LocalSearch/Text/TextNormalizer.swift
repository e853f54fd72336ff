/// Normalizes text for the comparison of words: lowercase, without diacritics.
package struct TextNormalizer: Sendable {
  /// The characters that keep their diacritics, with their lowercase UTF-8 form.
  ///
  /// `Character` compares by canonical equivalence, so decomposed text matches its precomposed
  /// entry.
  private let kept: [Character: [UInt8]]
  /// The texts that replace characters, by their lowercase scalar, in folded form.
  private let replacements: [Unicode.Scalar: [UInt8]]

  /// Creates a normalizer.
  ///
  /// - Parameters:
  ///   - keepingDiacriticsOn: Characters that are not folded, in both cases.
  ///   - replacing: Texts that replace characters in both cases, before they are folded. A
  ///     character that is written as a letter and a mark is not replaced.
  package init(
    keepingDiacriticsOn characters: String = "", replacing texts: [String: String] = [:]
  ) {
    var kept: [Character: [UInt8]] = [:]
    for character in characters where !character.isASCII && !character.isWhitespace {
      let lower = character.lowercased()
      if lower.count == 1, let key = lower.first { kept[key] = Array(lower.utf8) }
    }
    self.kept = kept
    var replacements: [Unicode.Scalar: [UInt8]] = [:]
    for (character, text) in texts {
      guard let scalar = Self.single(character.lowercased()) else { continue }
      var output: [UInt8] = []
      Self.fold(text, into: &output)
      replacements[scalar] = output
    }
    self.replacements = replacements
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
  }

  private static func fold(_ text: String, into output: inout [UInt8]) {
    let normalizer = TextNormalizer()
    for scalar in text.unicodeScalars {
      _ = normalizer.append(scalar, to: &output, wordFrom: 0)
    }
  }

  /// Whether some characters are not folded, or are replaced. If so, call
  /// ``appendException(_:to:)`` first.
  package var hasExceptions: Bool { !kept.isEmpty || !replacements.isEmpty }

  /// Appends the folded form of a scalar of a word, in UTF-8, and returns by how many characters
  /// (Unicode scalars) the word becomes longer.
  ///
  /// - Parameter start: Where the word begins in `output`.
  @inline(__always)
  package func append(
    _ scalar: Unicode.Scalar, to output: inout [UInt8], wordFrom start: Int
  ) -> Int {
    let entry = FoldingTable.shared[scalar]
    switch entry.kind {
    case .same:
      Self.appendUTF8(scalar, to: &output)
      return 1
    case .scalar:
      Self.appendUTF8(Unicode.Scalar(entry.value) ?? scalar, to: &output)
      return 1
    case .dropped:
      return 0
    case .sequence, .mark, .jamo:
      return Self.append(scalar, entry, to: &output, wordFrom: start)
    }
  }

  private static func append(
    _ scalar: Unicode.Scalar, _ entry: FoldingTable.Entry, to output: inout [UInt8],
    wordFrom start: Int
  ) -> Int {
    switch entry.kind {
    case .sequence:
      for part in FoldingTable.shared.sequence(entry) {
        let rank = FoldingTable.shared[part].rank
        if rank > 0 {
          insert(part, rank: rank, into: &output, wordFrom: start)
        } else {
          appendUTF8(part, to: &output)
        }
      }
      return Int(entry.count)
    case .mark:
      insert(scalar, rank: entry.rank, into: &output, wordFrom: start)
    case .jamo:
      if let last = last(of: output[start...]), let syllable = Hangul.joined(last, scalar) {
        output.removeLast(UTF8Scalars.size(of: last.value))
        appendUTF8(syllable, to: &output)
        return 0
      }
      appendUTF8(scalar, to: &output)
    case .same, .scalar, .dropped:
      break
    }
    return 1
  }

  /// The number of marks of one letter that are in one order, as in texts of the stream-safe format
  /// (Unicode, annex 15). Without a limit a long row of marks would take the square of its length.
  private static let maximumMarkCount = 32

  /// Inserts a mark in the canonical order of the marks of its letter.
  private static func insert(
    _ mark: Unicode.Scalar, rank: UInt8, into output: inout [UInt8], wordFrom start: Int
  ) {
    var end = output.count
    for _ in 0..<maximumMarkCount {
      guard let last = last(of: output[start..<end]), FoldingTable.shared[last].rank > rank else {
        break
      }
      end -= UTF8Scalars.size(of: last.value)
    }
    output.insert(contentsOf: String(mark).utf8, at: end)
  }

  private static func last(of word: ArraySlice<UInt8>) -> Unicode.Scalar? {
    String(decoding: word.suffix(4), as: UTF8.self).unicodeScalars.last
  }

  /// Returns an ASCII letter in lowercase, and other bytes unchanged.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  /// Appends a letter and its marks, if it is among the replaced or the kept characters.
  ///
  /// - Returns: By how many characters the word becomes longer, or `nil` for other characters. A
  ///   character that keeps its marks counts as one.
  package func appendException(_ cluster: String, to output: inout [UInt8]) -> Int? {
    let lower = cluster.lowercased()
    if Self.single(cluster) != nil, let scalar = Self.single(lower),
      let bytes = replacements[scalar]
    {
      output.append(contentsOf: bytes)
      return bytes.count { $0 & 0xC0 != 0x80 }
    }
    guard let character = lower.first, lower.count == 1, let bytes = kept[character] else {
      return nil
    }
    output.append(contentsOf: bytes)
    return 1
  }

  /// Returns the normalized form of a whole text, including separators.
  package func normalized(_ text: String) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    if hasExceptions {
      for character in text where appendException(String(character), to: &output) == nil {
        for scalar in character.unicodeScalars { _ = append(scalar, to: &output, wordFrom: 0) }
      }
    } else {
      for scalar in text.unicodeScalars { _ = append(scalar, to: &output, wordFrom: 0) }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func appendUTF8(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    if scalar.isASCII {
      output.append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      output.append(contentsOf: UTF8.encode(scalar) ?? .init(repeating: 0x3F, count: 1))
    }
  }
}

/// The role of a scalar in finding words.
enum ScalarClass: Sendable, Equatable {
  /// A letter, digit or mark of a word.
  case word
  /// A character of a script without spaces between words: Han, Kana, Hangul, Thai, Lao, Khmer.
  case unspaced
  /// A mark that continues a word, and is ignored outside one.
  case mark
  /// A separator that joins the words around it: full stop, apostrophe, registered, copyright.
  case joiner
  /// Everything else.
  case separator

  /// Returns the class of `scalar`.
  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    if value < 0x80 {
      self = Self.ascii(UInt8(truncatingIfNeeded: value))
    } else if value < 0x300 {
      self = Self.latin(value)
    } else {
      self = Self.general(scalar)
    }
  }

  /// Returns the class of an ASCII character.
  static func ascii(_ byte: UInt8) -> ScalarClass {
    if isWord(byte) { return .word }
    return byte == 0x2E || byte == 0x27 ? .joiner : .separator
  }

  /// Whether a byte is an ASCII letter or digit.
  @inline(__always)
  static func isWord(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
  }

  private static func latin(_ value: UInt32) -> ScalarClass {
    switch value {
    case 0xC0...0x24F: value == 0xD7 || value == 0xF7 ? .separator : .word
    case 0xAA, 0xB5, 0xBA, 0xB2, 0xB3, 0xB9, 0xBC...0xBE, 0x250...0x2AF: .word
    case 0xA9, 0xAE: .joiner
    case 0xAD: .mark
    default: Unicode.Scalar(value).map(general) ?? .separator
    }
  }

  private static func general(_ scalar: Unicode.Scalar) -> ScalarClass {
    let value = scalar.value
    if value == 0x2019 { return .joiner }
    if value == 0x30FB { return .separator }
    let entry = FoldingTable.shared[scalar]
    if entry.kind == .dropped { return value == 0x0640 ? .word : .mark }
    if isUnspaced(value) { return .unspaced }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      return scalar.properties.isIdeographic ? .unspaced : .word
    case .nonspacingMark, .spacingMark, .enclosingMark:
      return .mark
    case .otherSymbol:
      return symbol(entry)
    default:
      return .separator
    }
  }

  /// Whether a letter belongs to a script without spaces. Rare ideographs are found by their
  /// properties.
  private static func isUnspaced(_ value: UInt32) -> Bool {
    switch value {
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x3005, 0x3041...0x3096, 0x309D...0x309F,
      0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D, 0xAC00...0xD7A3,
      0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97C, 0xD7B0...0xD7FB, 0x0E01...0x0E30,
      0x0E32...0x0E33, 0x0E40...0x0E46, 0x0E81...0x0EB0, 0x0EB2...0x0EB3, 0x0EBD...0x0EC6,
      0x0EDC...0x0EDF, 0x1780...0x17B3, 0x17D7, 0x17DC:
      true
    default: false
    }
  }

  /// The class of a symbol, from the letters that it is compared as, such as `kg`.
  private static func symbol(_ entry: FoldingTable.Entry) -> ScalarClass {
    switch entry.kind {
    case .scalar: Unicode.Scalar(entry.value).map(ScalarClass.init) ?? .separator
    case .sequence: FoldingTable.shared.sequence(entry).first.map(ScalarClass.init) ?? .separator
    case .same, .dropped, .mark, .jamo: .separator
    }
  }
}

/// Decodes single scalars from UTF-8 bytes.
enum UTF8Scalars {
  /// A scalar and the number of bytes it took.
  typealias Decoded = (scalar: Unicode.Scalar, length: Int)

  /// Returns the scalar that starts at `index`. Bytes that are not UTF-8 give U+FFFD, one by one.
  ///
  /// `index` must be inside `bytes`.
  @inline(__always)
  static func decode(_ bytes: [UInt8], at index: Int, limit: Int) -> Decoded {
    let first = bytes[index]
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    return decodeLong(bytes, at: index, limit: limit)
  }

  /// Returns the number of bytes of a scalar.
  @inline(__always)
  static func size(of scalar: UInt32) -> Int {
    scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
  }

  private static func decodeLong(_ bytes: [UInt8], at index: Int, limit: Int) -> Decoded {
    let first = bytes[index]
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard first >= 0xC2, first < 0xF5, index + length <= limit else { return ("\u{FFFD}", 1) }
    var value = UInt32(first) & (0x7F &>> UInt32(length))
    for offset in 1..<length {
      let byte = bytes[index + offset]
      guard byte & 0xC0 == 0x80 else { return ("\u{FFFD}", 1) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    guard let scalar = Unicode.Scalar(value) else { return ("\u{FFFD}", 1) }
    return (scalar, length)
  }

  /// Returns the values of all scalars of `bytes`.
  static func values(of bytes: some Collection<UInt8>) -> [UInt32] {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
  }
}

extension String {
  /// The number of scalars that are lowercased between two checks.
  private static let scalarsInPiece = 1024

  /// Returns the text in lowercase, as `lowercased()` does, or the text itself if it already is.
  ///
  /// A long text is lowercased in pieces. The result is the same, because the mapping of a scalar
  /// does not depend on its context. A short text is part of the caller's step.
  func lowercased(_ cancellation: CancellationCheck) throws -> String {
    if utf8.count <= Self.scalarsInPiece {
      try cancellation.count(utf8.count &>> 6)
      let result = lowercased()
      return result.utf8.elementsEqual(utf8) ? self : result
    }
    let scalars = unicodeScalars
    var result = ""
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let end =
        scalars.index(index, offsetBy: Self.scalarsInPiece, limitedBy: scalars.endIndex)
        ?? scalars.endIndex
      let piece = String(scalars[index..<end])
      try cancellation.count(piece.utf8.count &>> 6)
      result += piece.lowercased()
      index = end
    }
    return result.utf8.elementsEqual(utf8) ? self : result
  }
}
