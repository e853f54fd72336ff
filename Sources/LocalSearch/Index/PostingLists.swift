/// For every term the documents that contain it, and where.
///
/// Posting `p` of term `t` (`p` in `postings(of: t)`) names a document in ``documents`` and a place
/// in ``places``. A term that occurs once in the document, which is by far the most frequent case,
/// has its ``Occurrence`` in the place itself; otherwise the place, with the highest bit set, is an
/// index into ``overflow``, where the number of occurrences is followed by the occurrences,
/// ascending.
struct PostingLists: Sendable {
  /// Where each term's postings begin; one more entry than terms.
  let starts: [UInt32]
  /// The documents, ascending within a term.
  let documents: [UInt32]
  /// The places, beside the documents.
  let places: [UInt32]
  /// Occurrences of postings with more than one.
  let overflow: [UInt32]

  /// The bit of a place that is an index.
  static let overflowFlag: UInt32 = 0x8000_0000

  /// The postings of a term.
  @inline(__always)
  func postings(of term: Int) -> Range<Int> { Int(starts[term])..<Int(starts[term + 1]) }

  /// The postings of several neighbouring terms.
  @inline(__always)
  func postings(of terms: Range<Int>) -> Range<Int> {
    Int(starts[terms.lowerBound])..<Int(starts[terms.upperBound])
  }

  /// Calls `body` with each occurrence of a posting, ascending.
  @inline(__always)
  func forEachOccurrence(ofPlace place: UInt32, _ body: (Occurrence) -> Void) {
    if place & Self.overflowFlag == 0 {
      body(Occurrence(packed: place))
      return
    }
    let start = Int(place & ~Self.overflowFlag)
    let count = Int(overflow[start])
    for index in start + 1..<start + 1 + count { body(Occurrence(packed: overflow[index])) }
  }

  /// Whether an occurrence of a posting fulfils a condition.
  @inline(__always)
  func containsOccurrence(ofPlace place: UInt32, where condition: (Occurrence) -> Bool) -> Bool {
    if place & Self.overflowFlag == 0 { return condition(Occurrence(packed: place)) }
    let start = Int(place & ~Self.overflowFlag) + 1
    for index in start..<start + Int(overflow[start - 1]) {
      if condition(Occurrence(packed: overflow[index])) { return true }
    }
    return false
  }

  /// The number of occurrences of a posting.
  @inline(__always)
  func occurrenceCount(ofPlace place: UInt32) -> Int {
    place & Self.overflowFlag == 0 ? 1 : Int(overflow[Int(place & ~Self.overflowFlag)])
  }

  /// Returns the first occurrence, which is also the one with the lowest field.
  @inline(__always)
  func firstOccurrence(ofPlace place: UInt32) -> Occurrence {
    place & Self.overflowFlag == 0
      ? Occurrence(packed: place)
      : Occurrence(packed: overflow[Int(place & ~Self.overflowFlag) + 1])
  }

  /// Returns the index of the first posting of `range` whose document is at least `document`.
  ///
  /// - Complexity: O(log d) for a result that is d postings away from the start of the range.
  @inline(__always)
  func firstPosting(in range: Range<Int>, notBefore document: UInt32) -> Int {
    var low = range.lowerBound
    var step = 1
    while low + step < range.upperBound, documents[low + step] < document {
      low += step
      step *= 2
    }
    var high = min(low + step, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if documents[middle] < document { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
