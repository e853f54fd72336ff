/// Finds the keys that occur more than once in an object and marks all but the last.
///
/// Because of the marks, a reader that takes the first unmarked match gets the last member,
/// regardless of where it starts. Keys are compared as text without normalization, as RFC 8259
/// section 8.3 advises.
///
/// Every key of the document enters one small table with a hash of its bytes and the tape index of
/// its object. Later objects have higher indices. So an entry with a lower index is not from this
/// object, and the key is new in it. Keys are only compared otherwise.
struct RepeatedKeys {
  /// The number of members up to which a key is compared with all keys before it. Larger objects
  /// are checked once when they are complete.
  private static let comparedKeys = 24
  private static let bits = 10

  /// For each hash the object of the last key with that hash, counted from 1.
  ///
  /// The parser keeps the table in a local variable. Measured: as a property of the parser, whose
  /// array is checked for uniqueness at each write, the pass over a page takes 1.1 times as long.
  private var objects = [UInt32](repeating: 0, count: 1 << bits)

  /// Records the last key of the tape.
  @inline(__always)
  mutating func note(
    _ key: JSONWord, of object: inout JSONParser.Container, on tape: JSONTape, _ text: PaddedText
  ) {
    let slot = key.isEscaped ? Self.hash(ofEscaped: key, in: text) : Self.hash(of: key, in: text)
    let number = UInt32(truncatingIfNeeded: object.index) &+ 1
    if objects[slot] < number {
      objects[slot] = number
      return
    }
    if object.count > Self.comparedKeys {
      object.mayRepeatKeys = true
    } else {
      Self.compareLast(ofObjectAt: object.index, on: tape, text)
    }
  }

  /// A hash of ``bits`` bits from the length and three bytes of a key.
  @inline(__always)
  private static func hash(of key: JSONWord, in text: PaddedText) -> Int {
    let (start, size) = (key.offset, key.size)
    guard size > 1 else { return size }
    return hash(size, text[start], text[start &+ 1], text[start &+ size &- 1])
  }

  /// The hash of a key with escape sequences, from its unescaped text.
  @inline(never)
  private static func hash(ofEscaped key: JSONWord, in text: PaddedText) -> Int {
    var (size, first, second, last) = (0, 0 as UInt8, 0 as UInt8, 0 as UInt8)
    EscapedText.forEachByte(text, key.offset..<key.offset + key.size) { byte in
      if size == 0 { first = byte }
      if size == 1 { second = byte }
      last = byte
      size += 1
    }
    return size > 1 ? hash(size, first, second, last) : size
  }

  @inline(__always)
  private static func hash(_ size: Int, _ first: UInt8, _ second: UInt8, _ last: UInt8) -> Int {
    let bytes = (Int(first) &<< 3) ^ (Int(second) &<< 1) ^ (Int(last) &<< 5) ^ Int(last)
    return (bytes ^ (size &<< 4)) & ((1 &<< bits) - 1)
  }

  /// Compares the last key of the tape with the keys before it in its object.
  @inline(never)
  private static func compareLast(
    ofObjectAt object: Int, on tape: JSONTape, _ text: PaddedText
  ) {
    let last = tape.count - 1
    let key = tape[last]
    var keys = JSONChildren(index: object + 2, end: last)
    while let earlier = keys.nextKey(on: tape) {
      let other = tape[earlier]
      if !other.isSuperseded, isSameText(other, key, in: text) {
        tape[earlier] = other.superseded
      }
    }
  }

  /// Marks the repeated keys of a complete object.
  ///
  /// It makes one pass with a table from hash to the latest key. The hash is seeded for each
  /// process, so input cannot be made to collide.
  static func mark(ofObjectAt object: Int, in tape: JSONTape, _ text: PaddedText) {
    var latest: [Int: Int] = [:]
    latest.reserveCapacity(tape[object].size)
    var keys = tape.children(of: object)
    while let index = keys.nextKey(on: tape) {
      let key = tape[index]
      var slot = seededHash(of: key, in: text)
      while let earlier = latest[slot] {
        if isSameText(tape[earlier], key, in: text) {
          tape[earlier] = tape[earlier].superseded
          break
        }
        slot &+= 1
      }
      latest[slot] = index
    }
  }

  /// Measured: with an array of the bytes of each key, marking takes twice as long.
  private static func seededHash(of key: JSONWord, in text: PaddedText) -> Int {
    var hasher = Hasher()
    let range = key.offset..<key.offset + key.size
    // Safe: the hasher reads the buffers during the call. A key on the tape lies within the text.
    if key.isEscaped {
      unsafe EscapedText.bytes(text, range).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    } else {
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(text.buffer(range)))
    }
    return hasher.finalize()
  }

  private static func isSameText(
    _ left: JSONWord, _ right: JSONWord, in text: PaddedText
  ) -> Bool {
    switch (left.isEscaped, right.isEscaped) {
    case (false, false):
      return left.size == right.size
        && text.isSame(at: left.offset, and: right.offset, count: left.size)
    // An escape sequence is longer than its text, and at most six times as long.
    case (true, false) where left.size <= right.size || left.size > 6 * right.size: return false
    case (false, true) where right.size <= left.size || right.size > 6 * left.size: return false
    default:
      return EscapedText.bytes(text, left.offset..<left.offset + left.size)
        == EscapedText.bytes(text, right.offset..<right.offset + right.size)
    }
  }
}
