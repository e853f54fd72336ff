/// The text of a search box and the cursor in it.
struct LineEditor: Hashable {
  /// The most bytes of a query that the search API accepts.
  static let maximumByteCount = 512

  /// The text before the cursor.
  private(set) var before = ""
  /// The text after the cursor.
  private(set) var after = ""

  /// The whole text.
  var text: String { before + after }

  /// Inserts text at the cursor, as far as it fits; control characters become spaces.
  ///
  /// - Returns: Whether all of it fits.
  @discardableResult
  mutating func insert(_ text: String) -> Bool {
    var free = Self.maximumByteCount - before.utf8.count - after.utf8.count
    for character in text.printable {
      free -= character.utf8.count
      if free < 0 { return false }
      before.append(character)
    }
    return true
  }

  /// Edits the text, or moves the cursor.
  ///
  /// - Returns: Whether the key has a meaning in a line of text.
  mutating func edit(_ key: Key) -> Bool {
    switch key {
    case .backspace: if !before.isEmpty { before.removeLast() }
    case .delete: if !after.isEmpty { after.removeFirst() }
    case .control("u"): before = ""
    case .control("k"): after = ""
    case .control("w"): before.removeLast(wordLengthBefore)
    case .left, .control("b"): move(by: -1)
    case .right, .control("f"): move(by: 1)
    case .wordLeft: move(by: -wordLengthBefore)
    case .wordRight: move(by: wordLengthAfter)
    case .home, .control("a"): move(by: -before.count)
    case .end, .control("e"): move(by: after.count)
    default: return false
    }
    return true
  }

  private mutating func move(by distance: Int) {
    if distance < 0 {
      let moved = before.suffix(-distance)
      after = moved + after
      before.removeLast(moved.count)
    } else {
      let moved = after.prefix(distance)
      before += moved
      after.removeFirst(moved.count)
    }
  }

  /// The length of the word before the cursor, with the spaces after it.
  private var wordLengthBefore: Int { Self.wordLength(before.reversed()) }

  /// The length of the word after the cursor, with the spaces before it.
  private var wordLengthAfter: Int { Self.wordLength(after) }

  private static func wordLength(_ characters: some Sequence<Character>) -> Int {
    var isInWord = false
    var length = 0
    for character in characters {
      if character == " " {
        if isInWord { break }
      } else {
        isInWord = true
      }
      length += 1
    }
    return length
  }

  /// The part of the text that fits into a box, and the cell of the cursor in it. The cursor is
  /// always visible.
  func visible(in width: Int) -> (text: String, cursor: Int) {
    guard width > 0 else { return ("", 0) }
    var visible = ""
    var cursor = 0
    // The cursor needs a cell too.
    for character in before.reversed() {
      guard cursor + character.cellWidth < width else { break }
      cursor += character.cellWidth
      visible.insert(character, at: visible.startIndex)
    }
    var used = cursor
    for character in after {
      used += character.cellWidth
      if used > width { break }
      visible.append(character)
    }
    return (visible, cursor)
  }
}
