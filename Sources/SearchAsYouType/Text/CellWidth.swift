extension StringProtocol {
  /// The number of terminal cells of the text.
  var cellWidth: Int { reduce(0) { $0 + $1.cellWidth } }
}

extension Character {
  /// The number of terminal cells of the character: two for East Asian wide characters and emoji,
  /// none for a control character.
  var cellWidth: Int {
    let scalars = unicodeScalars
    guard let first = scalars.first, !first.isASCII || scalars.count > 1 else {
      return unicodeScalars.first?.cellWidth ?? 0
    }
    return isEmojiSequence ? 2 : scalars.reduce(0) { $0 + $1.cellWidth }
  }

  /// Whether a terminal shows the character as one picture, however many scalars it has.
  private var isEmojiSequence: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
    return first.properties.isEmojiPresentation
      || unicodeScalars.dropFirst().contains {
        $0 == Unicode.Scalar.emojiVariation || $0 == Unicode.Scalar.keycap
          || $0.properties.isEmojiModifier
      }
  }
}

extension Unicode.Scalar {
  fileprivate static let emojiVariation: Unicode.Scalar = "\u{FE0F}"
  fileprivate static let keycap: Unicode.Scalar = "\u{20E3}"

  /// The number of terminal cells of a single scalar.
  fileprivate var cellWidth: Int {
    if isASCII { return value < 0x20 || value == 0x7F ? 0 : 1 }
    switch properties.generalCategory {
    case .control, .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator:
      return 0
    default: break
    }
    if Self.joinedJamo.contains(where: { $0.contains(value) }) { return 0 }
    return properties.isEmojiPresentation || isWide ? 2 : 1
  }

  /// Whether the scalar is wide or fullwidth, by binary search.
  private var isWide: Bool {
    var low = 0
    var high = Self.wide.count
    while low < high {
      let middle = (low + high) / 2
      if Self.wide[middle].contains(value) { return true }
      if Self.wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return false
  }

  /// Vowels and final consonants that share the cells of a Hangul syllable's first consonant.
  private static let joinedJamo: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FF]

  /// The wide and fullwidth scalars of Unicode 16 (EastAsianWidth.txt) that are not emoji, with the
  /// unassigned ones between them.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D1E,
    0x1AFF0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F320, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
