/// The words of a document in one block of memory; see ``JSONWord`` for what they mean.
///
/// While a text is read the block grows; afterwards nothing changes it.
@safe
package struct JSONTape {
  let words: UnsafeMutablePointer<JSONWord>
  /// The number of words.
  package fileprivate(set) var count = 0
  /// How many words the block holds.
  private let capacity: Int
  /// How many words may be appended before somebody is asked; at most the capacity.
  private var limit: Int

  /// Allocates a tape for a text of some bytes; it lives until ``deallocate()``.
  ///
  /// A search response has about one word for 16 bytes; a text that needs more makes the tape grow.
  init(forBytes count: Int) {
    self.init(capacity: count / 12 + 8)
  }

  private init(capacity: Int) {
    self.capacity = capacity
    limit = capacity
    unsafe words = UnsafeMutablePointer<JSONWord>.allocate(capacity: capacity)
  }

  /// Gives the memory back; nothing may be read afterwards.
  @unsafe
  func deallocate() { unsafe words.deallocate() }

  /// The word at an index, which is checked.
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

  /// Whether as many words can be appended.
  @inline(__always)
  func hasRoom(for words: Int) -> Bool { count &+ words <= limit }

  /// Whether the block itself has room, whatever the limit is.
  func hasMemory(for words: Int) -> Bool { count &+ words <= capacity }

  /// Allows so many more words, as far as there is memory for them.
  mutating func allow(_ words: Int) { limit = Swift.min(capacity, count &+ words) }

  /// Appends a word, for which there is room.
  @inline(__always)
  mutating func append(_ word: JSONWord) {
    precondition(count < capacity, "no room on the tape")
    unsafe (words + count).initialize(to: word)
    count &+= 1
  }

  /// The same words in a block twice as large; this one is freed.
  @inline(never)
  consuming func grown() -> JSONTape {
    var larger = JSONTape(capacity: 2 * capacity)
    unsafe larger.words.moveInitialize(from: words, count: count)
    larger.count = count
    unsafe deallocate()
    return larger
  }
}
