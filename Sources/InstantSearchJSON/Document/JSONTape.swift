/// The words of a document in one block of memory; see ``JSONWord`` for the layout.
///
/// The block grows while a text is read and does not change afterwards.
///
/// The memory is freed by ``deallocate()``. Each access is checked against the number of words.
/// Measured: with an array in its place the pass over a page takes 1.2 times as long.
@safe
package struct JSONTape {
  let words: UnsafeMutablePointer<JSONWord>
  /// The number of words.
  package fileprivate(set) var count = 0
  /// The number of words that the block can hold.
  private let capacity: Int
  /// The number of words that fit before the parser calls its check. At most the capacity.
  private var limit: Int

  /// Allocates a tape for a text with a number of bytes. It lives until ``deallocate()``.
  ///
  /// A search response has about one word for 16 bytes. The tape grows for a text that needs more.
  init(forBytes count: Int) {
    self.init(capacity: count / 12 + 8)
  }

  private init(capacity: Int) {
    self.capacity = capacity
    limit = capacity
    unsafe words = UnsafeMutablePointer<JSONWord>.allocate(capacity: capacity)
  }

  /// Frees the memory. The tape must not be used afterwards.
  @unsafe
  func deallocate() { unsafe words.deallocate() }

  /// The word at an index. The index is checked.
  @inline(__always)
  package internal(set) subscript(index: Int) -> JSONWord {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such word")
      return unsafe words[index]
    }
    nonmutating set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such word")
      unsafe words[index] = newValue
    }
  }

  /// Whether this many words can be appended.
  @inline(__always)
  func hasRoom(for words: Int) -> Bool { count &+ words <= limit }

  /// Whether the block has room, regardless of the limit.
  func hasMemory(for words: Int) -> Bool { count &+ words <= capacity }

  /// Allows this many more words, as far as memory is available.
  mutating func allow(_ words: Int) { limit = Swift.min(capacity, count &+ words) }

  /// Appends a word. There must be room for it.
  @inline(__always)
  mutating func append(_ word: JSONWord) {
    precondition(count < capacity, "no room on the tape")
    unsafe (words + count).initialize(to: word)
    count &+= 1
  }

  /// Moves the words to a block twice as large and frees this one.
  @inline(never)
  consuming func grown() -> JSONTape {
    var larger = JSONTape(capacity: 2 * capacity)
    unsafe larger.words.moveInitialize(from: words, count: count)
    larger.count = count
    unsafe deallocate()
    return larger
  }
}

/// A traversal of the children of one container. It reads the tape that is passed to each step.
///
/// It consists of two numbers, so that it counts no references:
///
///     var members = document.members(at: object)
///     while let value = members.next(in: document) { … document.key(of: value) … }
package struct JSONChildren: Sendable {
  /// The tape index of the next key or element.
  var index: Int
  /// The tape index after the last child.
  let end: Int

  init(index: Int, end: Int) {
    self.index = index
    self.end = end
  }

  /// The next element of an array.
  @inline(__always)
  package mutating func nextElement(on tape: JSONTape) -> Int? {
    guard index < end else { return nil }
    let element = index
    index = tape.end(of: element)
    return element
  }

  /// The next key of an object, including repeated keys. Its value follows it.
  @inline(__always)
  package mutating func nextKey(on tape: JSONTape) -> Int? {
    guard index < end else { return nil }
    let key = index
    index = tape.end(of: key + 1)
    return key
  }
}

extension JSONTape {
  /// The children of the container at an index, or none for any other value.
  @inline(__always)
  package func children(of index: Int) -> JSONChildren {
    let word = self[index]
    return word.isContainer
      ? JSONChildren(index: index + 2, end: word.offset) : JSONChildren(index: index, end: index)
  }

  /// The index after a value and its children.
  @inline(__always)
  package func end(of index: Int) -> Int {
    let word = self[index]
    return word.isContainer ? word.offset : index + 1
  }
}

extension JSONDocument {
  /// Calls a closure for all members of an object in the order of the text, the last of repeated
  /// keys.
  ///
  /// - Parameters:
  ///   - index: The object. Any other value has no members.
  ///   - take: Receives the index of each value.
  package func forEachMember(
    ofObjectAt index: Int, _ take: (_ value: Int) throws -> Void
  ) rethrows {
    var members = members(at: index)
    while let value = members.next(in: self) { try take(value) }
  }

  /// Calls a closure for the elements of an array.
  ///
  /// - Parameters:
  ///   - index: The array. Any other value has no elements.
  ///   - take: Receives the index of each element.
  package func forEachElement(
    ofArrayAt index: Int, _ take: (_ element: Int) throws -> Void
  ) rethrows {
    var elements = elements(at: index)
    while let element = elements.nextElement(in: self) { try take(element) }
  }
}

/// One entry of a tape: a value, a key, or the frame of a container.
///
/// The tape of a document is a block of 8-byte words, written front to back while the text is read.
/// The word of a container and its frame precede its children, a key precedes its value, and the
/// document's root is the first word:
///
///     value or key   63..60 kind | 59..32 size (28 bits)  | 31..0 offset (32 bits)
///     frame          63..32 byte after the last bracket   | 31..0 byte of the first bracket
///
///     kind              size                    offset
///     scalar            bytes of its text       first byte of its text
///     string, key       bytes between quotes    first byte after the quote
///     array             elements                tape index after its last element
///     object            members                 tape index after its last member
///
///     {"a":[1,2],"b":3}     0  object   size 2, offset 9      <- root
///                           1  frame    0..<17
///                           2  key      "a"
///                           3  array    size 2, offset 7
///                           4  frame    5..<10
///                           5  integer  1
///                           6  integer  2
///                           7  key      "b"
///                           8  integer  3
///
/// Skipping a value of any size takes one read: a scalar has one word, and a container's word
/// contains its end. The words of a value and its children are contiguous.
package struct JSONWord: Sendable, Hashable {
  /// The kind of a word. The raw value is its upper four bits.
  package enum Kind: UInt8, Sendable {
    case null, `false`, `true`
    /// A number without fraction and exponent.
    case integer
    /// A number with a fraction, an exponent or both.
    case real
    /// A string or key without a backslash. Its text equals its bytes.
    case string
    /// A string or key with at least one escape sequence.
    case escapedString
    /// A key without a backslash, repeated by a later member of its object.
    case supersededKey
    /// A key with escapes, repeated by a later member of its object.
    case supersededEscapedKey
    case array, object
  }

  /// The largest size of a word: 2²⁸ − 1.
  static let maximumSize = JSONLimits<Int>.size
  /// The largest offset of a word: 2³² − 1, or 2³¹ − 1 if `Int` has 32 bits.
  static let maximumOffset = JSONLimits<Int>.offset

  /// The eight bytes.
  package var rawValue: UInt64

  /// Packs a value or key. `size` and `offset` must be within the limits.
  @inline(__always)
  init(_ kind: Kind, size: Int, offset: Int) {
    rawValue =
      UInt64(kind.rawValue) << 60
      | (UInt64(truncatingIfNeeded: size) & 0xFFF_FFFF) << 32
      | (UInt64(truncatingIfNeeded: offset) & 0xFFFF_FFFF)
  }

  /// Packs the frame of a container that covers the bytes `start..<end`.
  @inline(__always)
  init(frameFrom start: Int, to end: Int) {
    rawValue =
      (UInt64(truncatingIfNeeded: end) & 0xFFFF_FFFF) << 32
      | (UInt64(truncatingIfNeeded: start) & 0xFFFF_FFFF)
  }

  /// The kind of the word. Undefined for a frame.
  @inline(__always)
  package var kind: Kind {
    // `Kind(rawValue:)` returns an optional. Measured: with it, looking up a member takes 1.1 times
    // as long.
    switch rawValue >> 60 {
    case 0: .null
    case 1: .false
    case 2: .true
    case 3: .integer
    case 4: .real
    case 5: .string
    case 6: .escapedString
    case 7: .supersededKey
    case 8: .supersededEscapedKey
    case 9: .array
    default: .object
    }
  }
  /// Whether the word is a container's. Its frame follows.
  @inline(__always)
  package var isContainer: Bool { rawValue >> 60 >= UInt64(Kind.array.rawValue) }
  /// The number of bytes, elements or members.
  @inline(__always)
  package var size: Int { Int(truncatingIfNeeded: (rawValue >> 32) & 0xFFF_FFFF) }
  /// The offset of the text, or the tape index of a container's end.
  @inline(__always)
  package var offset: Int { Int(truncatingIfNeeded: rawValue & 0xFFFF_FFFF) }
  /// The bytes of the container, for a frame.
  var frame: Range<Int> {
    let end = Int(truncatingIfNeeded: rawValue >> 32)
    return Swift.min(offset, end)..<end
  }

  /// Whether a later member of the same object has this key.
  @inline(__always)
  package var isSuperseded: Bool {
    rawValue >> 60 == UInt64(Kind.supersededKey.rawValue)
      || rawValue >> 60 == UInt64(Kind.supersededEscapedKey.rawValue)
  }
  /// Whether the text of the string or key has escape sequences.
  @inline(__always)
  package var isEscaped: Bool {
    rawValue >> 60 == UInt64(Kind.escapedString.rawValue)
      || rawValue >> 60 == UInt64(Kind.supersededEscapedKey.rawValue)
  }
  /// Whether kind and size are the same as another word's.
  @inline(__always)
  func hasSameKindAndSize(as other: JSONWord) -> Bool { rawValue >> 32 == other.rawValue >> 32 }
  /// The same key, marked as repeated by a later member.
  var superseded: JSONWord {
    JSONWord(isEscaped ? .supersededEscapedKey : .supersededKey, size: size, offset: offset)
  }
}
