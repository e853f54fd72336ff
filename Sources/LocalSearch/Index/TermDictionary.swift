/// The distinct words of a segment in ascending byte order, which is also the order of their
/// scalars.
///
/// Words are numbered in that order, so the words with a common prefix are one range of numbers.
package struct TermDictionary: Sendable {
  /// The bytes of all words, in order.
  package let bytes: [UInt8]
  /// The start of each word, with one more entry than words.
  package let offsets: [Int]

  /// The length of the prefix that each word shares with the previous one, at most 255 bytes.
  private let shared: [UInt8]
  /// The beginnings of the words.
  let beginnings: TermBeginnings

  /// Creates a dictionary of words that are already sorted.
  package init(bytes: [UInt8], offsets: [Int]) {
    let offsets = offsets.isEmpty ? [0] : offsets
    var shared: [UInt8] = []
    shared.reserveCapacity(offsets.count)
    for term in offsets.indices.dropLast() {
      guard term > 0 else {
        shared.append(0)
        continue
      }
      let (before, start) = (offsets[term - 1], offsets[term])
      let limit = min(start - before, offsets[term + 1] - start, Int(UInt8.max))
      var length = 0
      while length < limit, bytes[before + length] == bytes[start + length] { length += 1 }
      shared.append(UInt8(truncatingIfNeeded: length))
    }
    self.bytes = bytes
    self.offsets = offsets
    self.shared = shared
    beginnings = TermBeginnings(bytes: bytes, offsets: offsets, shared: shared)
  }

  /// Returns the length of a word, in bytes.
  @inline(__always)
  func length(of term: Int) -> Int { offsets[term + 1] - offsets[term] }

  /// Returns the length of the prefix that a word shares with the previous one. 255 means 255 or
  /// more bytes.
  @inline(__always)
  func sharedLength(_ term: Int) -> Int { Int(shared[term]) }

  /// Returns the first word after `term` that does not share its first `length` bytes, at most 255.
  ///
  /// - Complexity: O(d) bytes for a result d words away while d is small, then O(log d).
  func endOfTerms(sharing length: Int, with term: Int) -> Int {
    var next = term + 1
    let near = min(count, term + 32)
    while next < near {
      if Int(shared[next]) < length { return next }
      next += 1
    }
    guard next < count else { return next }
    let start = offsets[term]
    return endOfTerms(withPrefix: bytes[start..<start + length], from: next)
  }

  /// The number of words.
  package var count: Int { offsets.count - 1 }

  /// Returns the UTF-8 bytes of a word.
  @inline(__always)
  package func bytes(of term: Int) -> ArraySlice<UInt8> { bytes[offsets[term]..<offsets[term + 1]] }

  /// Returns a word.
  package func word(of term: Int) -> String { String(decoding: bytes(of: term), as: UTF8.self) }

  /// Returns the number of a word, or `nil` if no document contains it.
  ///
  /// - Complexity: O(log n).
  package func term(_ word: [UInt8]) -> Int? {
    let term = firstTerm(notBefore: word, from: 0)
    guard term < count, offsets[term + 1] - offsets[term] == word.count,
      commonPrefix(of: term, word) == word.count
    else { return nil }
    return term
  }

  /// Whether a text may begin with a word of each number of characters, from 1 to a number.
  ///
  /// Long beginnings are not looked up.
  package func mayBegin(_ text: [UInt32], upTo length: Int) -> [Bool] {
    var result: [Bool] = []
    var nodes = beginnings.roots
    var isBeginning = true
    for scalar in text.prefix(min(length, TermBeginnings.maximumLength)) {
      let node = beginnings.node(scalar, among: nodes)
      result.append(node.map { beginnings[$0].isWord } ?? false)
      nodes = node.map { beginnings.children(of: $0) } ?? 0..<0
      isBeginning = node != nil
    }
    while result.count < min(length, text.count) { result.append(isBeginning) }
    return result
  }

  /// Returns the words with a prefix.
  ///
  /// - Complexity: O(log n).
  package func terms(withPrefix prefix: [UInt8]) -> Range<Int> {
    let start = firstTerm(notBefore: prefix, from: 0)
    return start..<endOfTerms(withPrefix: prefix[...], from: start)
  }

  /// Returns the first word from `start` on without the prefix. The words with it must come next.
  ///
  /// - Complexity: O(log d) for a result d words away.
  package func endOfTerms(withPrefix prefix: ArraySlice<UInt8>, from start: Int)
    -> Int
  {
    var low = start
    var step = 1
    while low + step <= count, hasPrefix(low + step - 1, prefix) {
      low += step
      step *= 2
    }
    var high = min(low + step - 1, count)
    while low < high {
      let middle = (low + high) / 2
      if hasPrefix(middle, prefix) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the first word that is not less than `word`.
  private func firstTerm(notBefore word: [UInt8], from start: Int) -> Int {
    var low = start
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if precedes(middle, word) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func precedes(_ term: Int, _ word: [UInt8]) -> Bool {
    let common = commonPrefix(of: term, word)
    let length = offsets[term + 1] - offsets[term]
    if common == word.count { return false }
    if common == length { return true }
    return bytes[offsets[term] + common] < word[common]
  }

  /// Returns the length of the common prefix of a word and `other`, in bytes.
  private func commonPrefix(of term: Int, _ other: [UInt8]) -> Int {
    let start = offsets[term]
    let limit = min(offsets[term + 1] - start, other.count)
    var common = 0
    while common < limit, bytes[start + common] == other[common] { common += 1 }
    return common
  }

  private func hasPrefix(_ term: Int, _ prefix: ArraySlice<UInt8>) -> Bool {
    let start = offsets[term]
    guard offsets[term + 1] - start >= prefix.count else { return false }
    var index = start
    for byte in prefix {
      guard bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }
}
