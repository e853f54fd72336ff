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
