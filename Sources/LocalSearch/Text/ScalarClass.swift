/// The part a scalar plays in finding words.
enum ScalarClass: Sendable, Equatable {
  /// A letter, digit or mark of a word.
  case word
  /// A character that is a word by itself: an ideograph or a Hiragana character.
  case ideograph
  /// A mark that continues a word and counts for nothing outside one.
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
    if (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 { return .word }
    return byte == 0x2E || byte == 0x27 ? .joiner : .separator
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
    if FoldingTable.isDropped(value) { return value == 0x0640 ? .word : .mark }
    switch value {
    case 0x3041...0x3096, 0x309D...0x309F, 0x3005, 0x3400...0x4DBF, 0x4E00...0x9FFF:
      return .ideograph
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      return scalar.properties.isIdeographic ? .ideograph : .word
    case .nonspacingMark, .spacingMark, .enclosingMark:
      return .mark
    default:
      return .separator
    }
  }
}
