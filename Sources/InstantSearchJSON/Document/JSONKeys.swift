/// A set of texts to look up, mostly among the keys of objects.
///
/// A text is only compared with texts of the same length, eight bytes at a time. Objects of a list
/// mostly have their keys in the same order, so the key after the last found one is tried first.
package struct JSONKeys: Sendable {
  /// The parts of a text that distinguish it from others of its length.
  private struct Key {
    let size: Int
    /// The first eight bytes, or all if there are fewer.
    let head: UInt64
    /// The bits of eight bytes that belong to the head.
    let mask: UInt64
    /// The last eight bytes, if there are more than eight.
    let tail: UInt64

    init(_ text: String) {
      let bytes = Array(text.utf8)
      let word = { (bytes: ArraySlice<UInt8>) in
        bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      size = bytes.count
      head = word(bytes.prefix(8))
      mask = size < 8 ? ~(UInt64.max << UInt64(8 * size)) : .max
      tail = size > 8 ? word(bytes.suffix(8)) : 0
    }

    /// Whether the text at a position, which has the same size, has the same head and tail.
    @inline(__always)
    func isLike(_ text: PaddedText, at position: Int) -> Bool {
      text.word(at: position) & mask == head
        && (size <= 8 || text.word(at: position + size - 8) == tail)
    }
  }

  private let texts: [String]
  private let keys: [Key]
  /// The numbers of the keys, shortest first.
  private let bySize: [Int]
  /// The start of the keys of each length in ``bySize``, up to the longest. They end where the keys
  /// of the next length start.
  private let starts: [Int]

  /// The number of texts.
  var count: Int { keys.count }

  /// Creates a set of texts. A text is identified by its number in this list.
  package init(_ texts: [String]) {
    self.texts = texts
    let keys = texts.map(Key.init)
    let longest = keys.map(\.size).max() ?? 0
    starts = (0...longest + 1).map { size in keys.count { $0.size < size } }
    bySize = keys.indices.sorted { keys[$0].size < keys[$1].size }
    self.keys = keys
  }

  /// The number of the text of a string or key, or nil for any other text.
  ///
  /// - Parameters:
  ///   - index: The index of the string or key.
  ///   - document: The document.
  package func number(ofTextAt index: Int, in document: JSONDocument) -> Int? {
    number(ofTextAt: index, in: document, expected: 0)
  }

  @inline(__always)
  func number(
    ofTextAt index: Int, in document: JSONDocument, expected: Int
  ) -> Int? {
    let word = document.word(at: index)
    if word.isEscaped { return number(ofEscapedTextAt: index, in: document) }
    let size = word.size
    if expected < keys.count, keys[expected].size == size,
      isText(at: index, word, expected, in: document)
    {
      return expected
    }
    guard size < starts.count - 1 else { return nil }
    var position = starts[size]
    let end = starts[size + 1]
    while position < end {
      let number = bySize[position]
      if isText(at: index, word, number, in: document) { return number }
      position += 1
    }
    return nil
  }

  @inline(never)
  private func number(ofEscapedTextAt index: Int, in document: JSONDocument) -> Int? {
    // An escape sequence is at most six times as long as its text.
    guard document.word(at: index).size <= 6 * (starts.count - 2) else { return nil }
    let text = document.unescapedText(at: index)
    return texts.firstIndex { $0.utf8.elementsEqual(text.utf8) }
  }

  /// Whether a text without escapes is the one with a number, which has the same size.
  @inline(__always)
  private func isText(
    at index: Int, _ word: JSONWord, _ number: Int, in document: JSONDocument
  ) -> Bool {
    keys[number].isLike(document.text, at: word.offset)
      && (word.size <= 16 || document.text(at: index, equals: texts[number]))
  }
}

/// The tape indices of the members that were found, by the number of their key.
package struct JSONFoundMembers {
  /// The index of each value. 0, the index of the root, means not found.
  private var indices = SIMD16<UInt32>()

  /// The maximum number of keys.
  static var capacity: Int { SIMD16<UInt32>.scalarCount }

  /// The index of the value whose key has a number, or nil if the object has no such member.
  package subscript(number: Int) -> Int? {
    let index = indices[number]
    return index == 0 ? nil : Int(index)
  }

  fileprivate mutating func set(_ number: Int, to index: Int) {
    indices[number] = UInt32(truncatingIfNeeded: index)
  }
}

extension JSONDocument {
  /// Finds the members of an object that have one of several keys.
  ///
  /// - Parameters:
  ///   - keys: The keys, at most as many as ``JSONFoundMembers`` supports.
  ///   - index: The object. Any other value has no members.
  /// - Complexity: O(members).
  package func members(_ keys: JSONKeys, ofObjectAt index: Int) -> JSONFoundMembers {
    precondition(keys.count <= JSONFoundMembers.capacity, "too many keys")
    var found = JSONFoundMembers()
    var members = members(at: index)
    var expected = 0
    while let key = members.nextKey(on: tape) {
      if let number = keys.number(ofTextAt: key, in: self, expected: expected) {
        expected = number + 1
        // The last of repeated keys counts, and is found last.
        found.set(number, to: key + 1)
      }
    }
    return found
  }
}

/// The sets of keys found in a document, so that dictionaries with the same keys need no hashing.
///
/// Objects of a list mostly have the same keys in the same order. For the second such object a
/// dictionary from key to the number of the member is created. `mapValues` then creates the
/// dictionary of each further object with a copy of its keys.
package struct ObjectShapes {
  /// The maximum number of sets. A new one replaces the oldest.
  private static let capacity = 16

  private struct Shape {
    /// The tape index of an object with these keys.
    var object: Int
    var count: Int
    /// The number of each member by key, created when the keys are found again.
    var numbers: [String: Int]?
  }

  private var shapes: [Shape] = []
  private var oldest = 0

  /// Creates an empty collection of sets.
  package init() {}

  /// The numbers of the members of an object by key, counted from 0, or nil if its keys were not
  /// found before in this order or a key is repeated.
  package mutating func numbers(
    ofObjectAt object: Int, in document: JSONDocument
  ) -> [String: Int]? {
    let count = document.count(at: object)
    for index in shapes.indices
    where shapes[index].count == count && document.haveSameKeys(object, shapes[index].object) {
      if let numbers = shapes[index].numbers { return numbers }
      var numbers: [String: Int] = [:]
      numbers.reserveCapacity(count)
      var members = document.members(at: object)
      while let member = members.next(in: document) {
        numbers[document.key(of: member)] = numbers.count
      }
      guard numbers.count == count else { return nil }
      shapes[index].numbers = numbers
      return numbers
    }
    let shape = Shape(object: object, count: count, numbers: nil)
    if shapes.count < Self.capacity {
      shapes.append(shape)
    } else {
      shapes[oldest] = shape
      oldest = (oldest + 1) % Self.capacity
    }
    return nil
  }
}

extension JSONDocument {
  /// Whether the keys of two objects with the same number of members are written identically and in
  /// the same order.
  fileprivate func haveSameKeys(_ left: Int, _ right: Int) -> Bool {
    var (ours, theirs) = (members(at: left), members(at: right))
    while let our = ours.nextKey(on: tape), let their = theirs.nextKey(on: tape) {
      let (key, other) = (word(at: our), word(at: their))
      guard key.hasSameKindAndSize(as: other),
        text.isSame(at: key.offset, and: other.offset, count: key.size)
      else { return false }
    }
    return true
  }
}
