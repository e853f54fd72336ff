/// The distinct words of a segment in ascending byte order, which is also the order of their scalars.
///
/// Words are numbered by that order, so that the words with a common beginning are one range of numbers.
package struct TermDictionary: Sendable {
  /// All words, one after another.
  package let bytes: [UInt8]
  /// Where each word begins; one more entry than words.
  package let offsets: [Int]

  /// Creates a dictionary of words that are already sorted.
  package init(bytes: [UInt8], offsets: [Int]) {
    self.bytes = bytes
    self.offsets = offsets.isEmpty ? [0] : offsets
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

  /// Returns the words that begin with `prefix`.
  ///
  /// - Complexity: O(log n).
  package func terms(withPrefix prefix: [UInt8]) -> Range<Int> {
    let start = firstTerm(notBefore: prefix, from: 0)
    return start..<endOfTerms(withPrefix: prefix, from: start)
  }

  /// Returns the first word from `start` on that does not begin with `prefix`, where the words that do are next.
  ///
  /// - Complexity: O(log d) for a result that is d words away.
  package func endOfTerms(withPrefix prefix: some RandomAccessCollection<UInt8>, from start: Int)
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

  /// The number of leading bytes that a word and `other` have in common.
  private func commonPrefix(of term: Int, _ other: [UInt8]) -> Int {
    let start = offsets[term]
    let limit = min(offsets[term + 1] - start, other.count)
    var common = 0
    while common < limit, bytes[start + common] == other[common] { common += 1 }
    return common
  }

  private func hasPrefix(_ term: Int, _ prefix: some RandomAccessCollection<UInt8>) -> Bool {
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
