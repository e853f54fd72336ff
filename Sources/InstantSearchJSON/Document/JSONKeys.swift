/// Some texts that are looked for together, mostly among the keys of objects.
///
/// A text is compared with those of its length only, eight bytes at a time. Objects of one kind
/// mostly have their keys in the same order, so the key listed behind the one found last is tried
/// first.
package struct JSONKeys: Sendable {
  /// What tells a text apart from others of its length.
  private struct Key {
    let size: Int
    /// The first eight bytes, or all of them.
    let head: UInt64
    /// Which bits of eight bytes belong to the head.
    let mask: UInt64
    /// The last eight bytes, where there are more than eight.
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

    /// Whether the text at a position, which has as many bytes, begins and ends like this one.
    @inline(__always)
    func isLike(_ text: PaddedText, at position: Int) -> Bool {
      text.word(at: position) & mask == head
        && (size <= 8 || text.word(at: position + size - 8) == tail)
    }
  }

  private let texts: [String]
  private let keys: [Key]
  /// The numbers of the keys, the shortest first.
  private let bySize: [Int]
  /// For each length up to the longest, where its keys begin in ``bySize``; where those of the next
  /// length begin, they end.
  private let starts: [Int]

  /// How many texts there are.
  var count: Int { keys.count }

  /// Creates a set of texts, which are told apart by their number in this list.
  package init(_ texts: [String]) {
    self.texts = texts
    let keys = texts.map(Key.init)
    let longest = keys.map(\.size).max() ?? 0
    starts = (0...longest + 1).map { size in keys.count { $0.size < size } }
    bySize = keys.indices.sorted { keys[$0].size < keys[$1].size }
    self.keys = keys
  }

  /// The number of the text of a string or key; nil for another one.
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
    // An escape sequence is at most six times as long as what it stands for.
    guard document.word(at: index).size <= 6 * (starts.count - 2) else { return nil }
    let text = document.unescapedText(at: index)
    return texts.firstIndex { $0.utf8.elementsEqual(text.utf8) }
  }

  /// Whether a text without escapes is the one of a number, which has as many bytes.
  @inline(__always)
  private func isText(
    at index: Int, _ word: JSONWord, _ number: Int, in document: JSONDocument
  ) -> Bool {
    keys[number].isLike(document.text, at: word.offset)
      && (word.size <= 16 || document.text(at: index, equals: texts[number]))
  }
}

/// Where on the tape the members of an object stand that were looked for, by the number of their
/// key.
package struct JSONFoundMembers {
  /// The index of each value; 0, where the root stands, for one that was not found.
  private var indices = SIMD16<UInt32>()

  /// How many keys can be told apart.
  static var capacity: Int { SIMD16<UInt32>.scalarCount }

  /// The index of the value whose key has that number; nil when the object has no such member.
  package subscript(number: Int) -> Int? {
    let index = indices[number]
    return index == 0 ? nil : Int(index)
  }

  fileprivate mutating func set(_ number: Int, to index: Int) {
    indices[number] = UInt32(truncatingIfNeeded: index)
  }
}

extension JSONDocument {
  /// Finds the members of an object that have one of some keys.
  ///
  /// - Parameters:
  ///   - keys: The keys, at most as many as ``JSONFoundMembers`` can tell apart.
  ///   - index: The object; any other value has no members.
  /// - Complexity: O(members).
  package func members(_ keys: JSONKeys, ofObjectAt index: Int) -> JSONFoundMembers {
    precondition(keys.count <= JSONFoundMembers.capacity, "more keys than can be told apart")
    var found = JSONFoundMembers()
    var members = members(at: index)
    var expected = 0
    while let key = members.nextKey(on: tape) {
      if let number = keys.number(ofTextAt: key, in: self, expected: expected) {
        expected = number + 1
        // Of repeated keys the last counts, which is found last.
        found.set(number, to: key + 1)
      }
    }
    return found
  }
}

/// The sets of keys met in a document, so that dictionaries with the same keys need no hashing.
///
/// The objects of a list mostly have the same keys in the same order. For the second such object a
/// dictionary from key to the member's number is made; `mapValues` then makes the dictionary of
/// each further one by copying its keys where they stand.
package struct ObjectShapes {
  /// How many sets are remembered; the one that was met first gives way.
  private static let capacity = 16

  private struct Shape {
    /// The tape index of an object with these keys.
    var object: Int
    var count: Int
    /// The number of each member by key; made when the keys are met again.
    var numbers: [String: Int]?
  }

  private var shapes: [Shape] = []
  private var oldest = 0

  /// Starts with none.
  package init() {}

  /// The numbers of the members of an object by key, counted from 0; nil where its keys were not
  /// met before in this order, or where a key is repeated.
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
  /// Whether the keys of two objects with as many members are written alike, in the same order.
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
