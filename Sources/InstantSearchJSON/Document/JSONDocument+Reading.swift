// Access to values by their index on the tape. It counts no references, so whole pages are read
// this way. A ``JSONNode`` is an index together with its document.
extension JSONDocument {
  /// The index of the outermost value.
  package static var rootIndex: Int { 0 }

  @inline(__always)
  package func word(at index: Int) -> JSONWord { tape[index] }

  /// The kind of the value at an index.
  @inline(__always)
  package func kind(at index: Int) -> JSONNode.Kind {
    switch word(at: index).kind {
    case .null: .null
    case .false, .true: .bool
    case .integer, .real: .number
    case .array: .array
    case .object: .object
    case .string, .escapedString, .supersededKey, .supersededEscapedKey: .string
    }
  }

  /// Whether the value at an index is an array or an object.
  package func isContainer(at index: Int) -> Bool { word(at: index).isContainer }

  /// The value of `true` or `false`, or nil for any other value.
  package func bool(at index: Int) -> Bool? {
    switch word(at: index).kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The unescaped text of the string at an index, or nil for any other value.
  package func string(at index: Int) -> String? {
    switch word(at: index).kind {
    case .string, .escapedString: text(at: index)
    default: nil
    }
  }

  /// The number at an index as an `Int`, or nil if it is not exactly one.
  package func int(at index: Int) -> Int? { integer(Int.self, at: index) }

  /// The number at an index as an `Int64`, or nil if it is not exactly one.
  package func int64(at index: Int) -> Int64? { integer(Int64.self, at: index) }

  /// The number at an index as a `UInt64`, or nil if it is not exactly one.
  package func uint64(at index: Int) -> UInt64? { integer(UInt64.self, at: index) }

  /// The double nearest to the number at an index, or nil for any other value and beyond the
  /// largest finite double.
  package func double(at index: Int) -> Double? {
    switch word(at: index).kind {
    case .integer, .real: number(at: index).double
    default: nil
    }
  }

  /// The number at an index as any integer type, or nil if it is not exactly one.
  @inline(__always)
  func integer<T: FixedWidthInteger>(_ type: T.Type, at index: Int) -> T? {
    switch word(at: index).kind {
    case .integer: number(at: index).integer(type, isInteger: true)
    case .real: number(at: index).integer(type, isInteger: false)
    default: nil
    }
  }

  /// The number at an index as written, or nil for any other value.
  package func numberText(at index: Int) -> String? {
    switch word(at: index).kind {
    case .integer, .real: number(at: index).text
    default: nil
    }
  }

  /// Whether the number at an index is written without a fraction and an exponent.
  package func isWrittenAsInteger(at index: Int) -> Bool { word(at: index).kind == .integer }

  /// The number of elements or members, including repeated keys. 0 for scalars.
  package func count(at index: Int) -> Int {
    let word = word(at: index)
    return word.isContainer ? word.size : 0
  }

  /// The elements of the array at an index, or nil unless all of them are strings.
  package func strings(at index: Int) -> [String]? {
    guard case .array = kind(at: index) else { return nil }
    var elements = elements(at: index)
    let count = count(at: index)
    // Lists of one string are frequent, so they are created in one step.
    if count == 1 { return elements.nextElement(in: self).flatMap(string(at:)).map { [$0] } }
    var strings: [String] = []
    strings.reserveCapacity(count)
    while let element = elements.nextElement(in: self) {
      guard let string = string(at: element) else { return nil }
      strings.append(string)
    }
    return strings
  }

  // MARK: - Children

  /// The elements of the array at an index, or none for any other value.
  @inline(__always)
  package func elements(at index: Int) -> JSONChildren {
    word(at: index).kind == .array ? tape.children(of: index) : JSONChildren(index: 0, end: 0)
  }

  /// The members of the object at an index, or none for any other value.
  @inline(__always)
  package func members(at index: Int) -> JSONChildren {
    word(at: index).kind == .object ? tape.children(of: index) : JSONChildren(index: 0, end: 0)
  }

  /// The value of the member with a number, counted from 0 without repeated keys, or nil if the
  /// object has fewer members.
  ///
  /// - Complexity: O(`number`).
  package func member(_ number: Int, ofObjectAt index: Int) -> Int? {
    var members = members(at: index)
    for _ in 0..<max(0, number) where members.next(in: self) == nil { return nil }
    return members.next(in: self)
  }

  /// The text of the key before a value.
  @inline(__always)
  package func key(of value: Int) -> String { text(at: value - 1) }

  /// The index of the value of `key` in the object at `index`, the last of equal keys.
  ///
  /// - Parameter hint: The index of a key of this object where the search starts. Defaults to the
  ///   first.
  /// - Complexity: O(members), or O(1) if the key is at the hint.
  func value(of key: String, inObjectAt index: Int, from hint: Int? = nil) -> Int? {
    let first = index + 2
    let start = hint ?? first
    let found = unsafe key.utf8.withContiguousStorageIfAvailable { key in
      let key = UnsafeRawBufferPointer(key)
      return unsafe value(of: key, amongKeysFrom: start, to: word(at: index).offset)
        ?? value(of: key, amongKeysFrom: first, to: start)
    }
    if let found { return found }
    // Only bridged strings reach this point.
    var native = key
    native.makeContiguousUTF8()
    return value(of: native, inObjectAt: index, from: hint)
  }

  /// The index of the value of `key` in the object at `index`, the last of equal keys, or nil for
  /// any other value.
  ///
  /// - Parameter previous: The index of a value of this object after which the search starts.
  ///   Defaults to the beginning.
  package func index(of key: String, inObjectAt index: Int, after previous: Int? = nil) -> Int? {
    guard case .object = word(at: index).kind else { return nil }
    return value(of: key, inObjectAt: index, from: previous.map(tape.end(of:)))
  }

  @unsafe @inline(__always)
  private func value(
    of key: UnsafeRawBufferPointer, amongKeysFrom start: Int, to end: Int
  ) -> Int? {
    let tape = tape
    let text = text
    // The size of a key fits into a word. A longer key must not match its truncated size.
    guard key.count <= JSONWord.maximumSize else { return nil }
    let wanted = JSONWord(.string, size: key.count, offset: 0)
    var cursor = start
    while cursor < end {
      let word = tape[cursor]
      if word.hasSameKindAndSize(as: wanted) {
        // The key and the buffer have the same size.
        if unsafe text.isSame(at: word.offset, as: key) { return cursor + 1 }
      } else if word.kind == .escapedString {
        let bytes = EscapedText.bytes(text, word.offset..<word.offset + word.size)
        if unsafe bytes.elementsEqual(key) { return cursor + 1 }
      }
      cursor = tape.end(of: cursor + 1)
    }
    return nil
  }

  // MARK: - Text

  /// The unescaped text of the string or key at an index.
  @inline(__always)
  func text(at index: Int) -> String {
    let word = word(at: index)
    if word.isEscaped { return unescapedText(at: index) }
    return text.string(word.offset..<word.offset + word.size)
  }

  func unescapedText(at index: Int) -> String {
    let word = word(at: index)
    return EscapedText.string(text, word.offset..<word.offset + word.size)
  }

  /// Whether the string or key at an index has exactly this text, compared as UTF-8.
  @inline(__always)
  func text(at index: Int, equals other: String) -> Bool {
    let word = word(at: index)
    if word.isEscaped { return unescapedText(at: index, equals: other) }
    guard word.size == other.utf8.count else { return false }
    // The buffer is as long as the string, which is within the text.
    let isSame = unsafe other.utf8.withContiguousStorageIfAvailable {
      unsafe text.isSame(at: word.offset, as: UnsafeRawBufferPointer($0))
    }
    return isSame ?? unescapedText(at: index, equals: other)
  }

  func unescapedText(at index: Int, equals other: String) -> Bool {
    let word = word(at: index)
    return word.size >= other.utf8.count
      && EscapedText.bytes(text, word.offset..<word.offset + word.size).elementsEqual(other.utf8)
  }

  /// The number at an index, which must be a number.
  @inline(__always)
  func number(at index: Int) -> JSONNumber {
    let word = word(at: index)
    return JSONNumber(source: text, range: word.offset..<word.offset + word.size)
  }

  /// The bytes of the value at an index, including quotes and brackets.
  func range(at index: Int) -> Range<Int> {
    let word = word(at: index)
    switch word.kind {
    case .array, .object: return tape[index + 1].frame
    case .null, .false, .true, .integer, .real: return word.offset..<word.offset + word.size
    default: return word.offset - 1..<word.offset + word.size + 1
    }
  }
}

extension JSONChildren {
  /// The next element of an array.
  @inline(__always)
  package mutating func nextElement(in document: JSONDocument) -> Int? {
    nextElement(on: document.tape)
  }

  /// The value of the next member whose key is not repeated by a later member.
  @inline(__always)
  package mutating func next(in document: JSONDocument) -> Int? {
    while let key = nextKey(on: document.tape) {
      if !document.tape[key].isSuperseded { return key + 1 }
    }
    return nil
  }
}
