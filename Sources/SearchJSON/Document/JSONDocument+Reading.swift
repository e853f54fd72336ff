extension JSONDocument {
  /// The text of the string or key at a tape index, escapes resolved.
  func text(at index: Int) -> String {
    let word = tape[index]
    let range = word.offset..<word.offset + word.size
    if word.isEscaped { return String(decoding: JSONText.unescaped(bytes, range), as: UTF8.self) }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// The number at a tape index.
  func number(at index: Int) -> JSONNumber {
    let word = tape[index]
    return JSONNumber(bytes: bytes, range: word.offset..<word.offset + word.size)
  }

  /// Whether the string or key at a tape index has exactly this text, compared as UTF-8.
  func text(at index: Int, equals text: String) -> Bool {
    let word = tape[index]
    let utf8 = text.utf8
    if word.isEscaped {
      return word.size >= utf8.count
        && JSONText.unescaped(bytes, word.offset..<word.offset + word.size).elementsEqual(utf8)
    }
    guard word.size == utf8.count else { return false }
    var offset = word.offset
    for byte in utf8 {
      if bytes[offset] != byte { return false }
      offset += 1
    }
    return true
  }

  /// The bytes of the value at a tape index, quotes and brackets included.
  func range(at index: Int) -> Range<Int> {
    let word = tape[index]
    switch word.kind {
    case .array, .object: return tape[word.offset - 1].frame
    case .null, .false, .true, .integer, .real: return word.offset..<word.offset + word.size
    default: return word.offset - 1..<word.offset + word.size + 1
    }
  }

  /// The tape index of the value of `key` in the object at `index`, the last of equal keys.
  ///
  /// - Parameter hint: The tape index of a key of this object to start at, the first by default.
  func value(of key: String, inObjectAt index: Int, from hint: Int? = nil) -> Int? {
    let word = tape[index]
    let first = word.offset
    let end = first + 2 * word.size
    let start = hint ?? first
    var cursor = start
    while cursor < end {
      if text(at: cursor, equals: key), !tape[cursor].isSuperseded { return cursor + 1 }
      cursor += 2
    }
    cursor = first
    while cursor < start {
      if text(at: cursor, equals: key), !tape[cursor].isSuperseded { return cursor + 1 }
      cursor += 2
    }
    return nil
  }

  /// The tape indices of the keys of the object at `index`, without the superseded ones.
  func keys(ofObjectAt index: Int) -> some Sequence<Int> {
    let word = tape[index]
    return stride(from: word.offset, to: word.offset + 2 * word.size, by: 2).lazy
      .filter { [tape] in !tape[$0].isSuperseded }
  }
}
