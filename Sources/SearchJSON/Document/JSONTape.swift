/// The words of a document in one block of memory; see ``JSONWord`` for what they mean.
///
/// While a text is read the block grows; afterwards nothing changes it.
@safe
package struct JSONTape {
  @usableFromInline var words: UnsafeMutablePointer<JSONWord>
  /// The number of words.
  package fileprivate(set) var count = 0
  private var capacity: Int

  /// Allocates a tape for a text of some bytes; it lives until ``deallocate()``.
  ///
  /// A search response has about one word for 16 bytes; a text that needs more makes the tape grow.
  init(forBytes count: Int) {
    capacity = count / 12 + 8
    unsafe words = UnsafeMutablePointer<JSONWord>.allocate(capacity: capacity)
  }

  /// Gives the memory back; nothing may be read afterwards.
  func deallocate() { unsafe words.deallocate() }

  /// The word at an index, which is checked.
  @inlinable @inline(__always)
  package subscript(index: Int) -> JSONWord {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such word")
      return unsafe words[index]
    }
    set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such word")
      unsafe words[index] = newValue
    }
  }

  /// Appends a word.
  @inline(__always)
  mutating func append(_ word: JSONWord) {
    if count == capacity { grow() }
    // `count` is below the capacity now, so the word lies in the block.
    unsafe (words + count).initialize(to: word)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<JSONWord>.allocate(capacity: 2 * capacity)
    unsafe larger.moveInitialize(from: words, count: count)
    unsafe words.deallocate()
    unsafe words = larger
    capacity *= 2
  }
}
