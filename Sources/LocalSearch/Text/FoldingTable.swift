/// What becomes of one scalar when text is normalised.
enum FoldedScalar: Sendable, Equatable {
  /// One scalar.
  case scalar(Unicode.Scalar)
  /// Two or three ASCII letters, such as `ss` for `ß`.
  case letters(StaticString)
  /// Nothing: a combining mark or an invisible character.
  case dropped

  static func == (left: FoldedScalar, right: FoldedScalar) -> Bool {
    switch (left, right) {
    case (.scalar(let left), .scalar(let right)): left == right
    case (.letters(let left), .letters(let right)): left.description == right.description
    case (.dropped, .dropped): true
    default: false
    }
  }
}

/// Lower case and base letters, looked up scalar by scalar.
enum FoldingTable {
  /// Returns the lower-case base letter of `scalar`, or what else it becomes.
  ///
  /// Scalars outside the tables are put into lower case by the Unicode mapping when that is one
  /// scalar.
  static func fold(_ scalar: Unicode.Scalar) -> FoldedScalar {
    let value = scalar.value
    if value < 0x80 {
      return .scalar(value &- 0x41 < 26 ? lowered(value) : scalar)
    }
    if isDropped(value) { return .dropped }
    var entry = entry(of: value)
    if entry == 0 {
      let lower = lowercased(scalar)
      entry = self.entry(of: lower.value)
      if entry == 0 { return .scalar(lower) }
    }
    if entry & expansionFlag != 0 {
      return .letters(FoldingRows.expansions[Int(entry & ~expansionFlag)].letters)
    }
    return .scalar(Unicode.Scalar(entry) ?? scalar)
  }

  /// Returns `scalar` in lower case, diacritics kept.
  static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.value < 0x80 { return scalar.value &- 0x41 < 26 ? lowered(scalar.value) : scalar }
    let mapping = scalar.properties.lowercaseMapping.unicodeScalars
    guard let first = mapping.first, mapping.count == 1 else { return scalar }
    return first
  }

  /// Whether the scalar leaves no trace in normalised text: combining diacritics, vowel points,
  /// kana voicing marks, variation selectors, soft hyphens and joiners.
  static func isDropped(_ value: UInt32) -> Bool {
    switch value {
    case 0x00AD, 0x0300...0x036F: true
    case 0x0483...0x0487, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
    case 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670: true
    case 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200C...0x200D, 0x20D0...0x20FF: true
    case 0x3099...0x309A, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFF9E...0xFF9F: true
    default: false
    }
  }

  /// Marks an entry that is an index into ``FoldingRows/expansions``.
  private static let expansionFlag: UInt32 = 0x8000_0000

  /// The entry of a scalar; 0 outside the tables.
  private static func entry(of value: UInt32) -> UInt32 {
    switch value {
    case 0..<0x2000: low[Int(value)]
    case 0x3040...0x30FF: kana[Int(value &- 0x3040)]
    case 0xFB00...0xFFFF: forms[Int(value &- 0xFB00)]
    default: 0
    }
  }

  private static let low = table(from: 0, count: 0x2000)
  private static let kana = table(from: 0x3040, count: 0xC0)
  private static let forms = table(from: 0xFB00, count: 0x500)

  private static func lowered(_ value: UInt32) -> Unicode.Scalar {
    Unicode.Scalar(UInt8(truncatingIfNeeded: value | 0x20))
  }

  /// Expands the rows that begin inside `first..<first + count` into a table with an entry per
  /// scalar.
  private static func table(from first: UInt32, count: Int) -> [UInt32] {
    var table = [UInt32](repeating: 0, count: count)
    func set(_ scalar: UInt32, _ entry: UInt32) {
      if scalar >= first, Int(scalar - first) < count { table[Int(scalar - first)] = entry }
    }
    for row in FoldingRows.rows {
      for (index, folded) in row.folded.unicodeScalars.enumerated() {
        set(row.first + UInt32(index), folded.value)
      }
    }
    set(0xAA, 0x61)
    set(0xBA, 0x6F)
    set(0xB5, 0x3BC)
    for letter in 0..<UInt32(26) {
      set(0xFF21 + letter, 0x61 + letter)
      set(0xFF41 + letter, 0x61 + letter)
    }
    for digit in 0..<UInt32(10) { set(0xFF10 + digit, 0x30 + digit) }
    for (index, expansion) in FoldingRows.expansions.enumerated() {
      set(expansion.scalar, expansionFlag | UInt32(index))
    }
    return table
  }
}
