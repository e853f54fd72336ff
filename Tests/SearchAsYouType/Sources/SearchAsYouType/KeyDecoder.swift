/// A key of the keyboard, or text that was typed or pasted.
enum Key: Hashable, Sendable {
  /// Characters, which may include control characters if they were pasted.
  case text(String)
  /// The control key together with a letter, in lower case.
  case control(Character)
  case enter, escape, tab, backTab
  case backspace, delete
  case left, right, up, down
  case wordLeft, wordRight
  case home, end, pageUp, pageDown
}

extension Key {
  /// The key of a control byte; `nil` for one that has no meaning.
  init?(controlByte byte: UInt8) {
    switch byte {
    case 0x08, 0x7F: self = .backspace
    case 0x09: self = .tab
    case 0x0A, 0x0D: self = .enter
    case 0x01...0x1A: self = .control(Character(Unicode.Scalar(byte + 0x60)))
    default: return nil
    }
  }

  /// The key of a control sequence without its introducer, such as `A` or `1;5C`; `nil` for an
  /// unknown one.
  init?(parameters: [Int], final: Character) {
    // 3, 5 and 7 are alt, control and both.
    let isByWord = parameters.count > 1 && [3, 5, 7].contains(parameters[1])
    switch (final, parameters.first) {
    case ("A", _): self = .up
    case ("B", _): self = .down
    case ("C", _): self = isByWord ? .wordRight : .right
    case ("D", _): self = isByWord ? .wordLeft : .left
    case ("H", _), ("~", 1), ("~", 7): self = .home
    case ("F", _), ("~", 4), ("~", 8): self = .end
    case ("Z", _): self = .backTab
    case ("~", 3): self = .delete
    case ("~", 5): self = .pageUp
    case ("~", 6): self = .pageDown
    default: return nil
    }
  }
}

/// Turns the bytes of a terminal into keys.
///
/// A read can end anywhere: in the middle of a character or of an escape sequence. The rest is
/// expected in the next read. A byte of the escape key alone looks like the beginning of a
/// sequence; it becomes a key in ``timeOut()``.
struct KeyDecoder {
  /// The part of the input that the next byte belongs to.
  private enum Position: Equatable {
    case text
    /// After the escape byte.
    case escape
    /// After `ESC O`.
    case singleShift
    /// In a control sequence, after `ESC [`; the bytes since then.
    case sequence([UInt8])
  }

  /// More bytes than any sequence has; those of longer ones are ignored.
  private static let maximumSequenceLength = 32

  private var position = Position.text
  /// Text that is not yet a key.
  private var text: [UInt8] = []
  private var isPasting = false
  private var keys: [Key] = []

  /// Whether the input ends in an escape sequence, or with the escape key.
  var isInSequence: Bool { position != .text }

  /// Returns the keys that are complete.
  mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    for byte in bytes { decode(byte) }
    flushText(keepingIncomplete: true)
    defer { keys = [] }
    return keys
  }

  /// Ends a sequence that got no more bytes for a while. If it is a single escape byte, it is the
  /// escape key.
  mutating func timeOut() -> [Key] {
    // Pasted text can arrive slowly.
    if isPasting { return [] }
    defer { position = .text }
    return position == .escape ? [.escape] : []
  }

  private mutating func decode(_ byte: UInt8) {
    switch position {
    case .text: decodeText(byte)
    case .escape: decodeAfterEscape(byte)
    case .singleShift:
      position = .text
      finishSequence([], byte)
    case .sequence(let bytes): decode(byte, after: bytes)
    }
  }

  private mutating func decodeText(_ byte: UInt8) {
    switch byte {
    case 0x1B:
      flushText()
      position = .escape
    case 0..<0x20, 0x7F:
      if isPasting {
        text.append(byte)
      } else {
        flushText()
        if let key = Key(controlByte: byte) { keys.append(key) }
      }
    default: text.append(byte)
    }
  }

  private mutating func decodeAfterEscape(_ byte: UInt8) {
    position = .text
    switch byte {
    case UInt8(ascii: "["): position = .sequence([])
    case UInt8(ascii: "O"): position = .singleShift
    case 0x1B:
      position = .escape
      if !isPasting { keys.append(.escape) }
    case _ where isPasting: decodeText(byte)
    // With the alt key.
    case UInt8(ascii: "b"): keys.append(.wordLeft)
    case UInt8(ascii: "f"): keys.append(.wordRight)
    case 0x08, 0x7F: keys.append(.control("w"))
    case 0x20..<0x7F: break
    default: decodeText(byte)
    }
  }

  private mutating func decode(_ byte: UInt8, after bytes: [UInt8]) {
    // The function keys of the Linux console have a second bracket.
    let isSecondBracket = bytes.isEmpty && byte == UInt8(ascii: "[")
    switch byte {
    case _ where isSecondBracket, 0x20..<0x40:
      if bytes.count < Self.maximumSequenceLength { position = .sequence(bytes + [byte]) }
    case 0x40..<0x7F:
      position = .text
      finishSequence(bytes, byte)
    default:
      position = .text
      decodeText(byte)
    }
  }

  private mutating func finishSequence(_ bytes: [UInt8], _ final: UInt8) {
    let parameters = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    let final = Character(Unicode.Scalar(final))
    switch (final, parameters.first) {
    case ("~", 200): isPasting = true
    case ("~", 201):
      flushText()
      isPasting = false
    default:
      guard !isPasting, bytes.first != UInt8(ascii: "[") else { return }
      if let key = Key(parameters: parameters, final: final) { keys.append(key) }
    }
  }

  /// Makes the text a key; without a character at its end whose bytes are not all there, if the
  /// next read may have them.
  private mutating func flushText(keepingIncomplete: Bool = false) {
    let rest = keepingIncomplete ? Self.incompleteSuffix(of: text) : 0
    let complete = text.dropLast(rest)
    if !complete.isEmpty { keys.append(.text(String(decoding: complete, as: UTF8.self))) }
    text = text.suffix(rest)
  }

  /// The number of bytes at the end that begin a character of UTF-8 which has more bytes.
  private static func incompleteSuffix(of bytes: [UInt8]) -> Int {
    for (index, byte) in bytes.reversed().prefix(3).enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }
}
