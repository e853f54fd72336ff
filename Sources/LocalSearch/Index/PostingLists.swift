/// The documents and occurrences of every term.
///
/// Posting `p` of term `t` (`p` in `postings(of: t)`) is a document in ``documents`` and an encoded
/// occurrence in ``encodedOccurrences``. A term that occurs once in a document, the most frequent
/// case by far, is encoded as its ``Occurrence``. Otherwise the highest bit is set and the rest is
/// an index into ``overflow``, which has the number of occurrences and then the occurrences in
/// ascending order.
final class PostingLists: Sendable {
  /// The start of each term's postings, with one more entry than terms.
  let starts: [UInt32]
  /// The documents, ascending within a term.
  let documents: [UInt32]
  /// The encoded occurrences, parallel to ``documents``.
  let encodedOccurrences: [UInt32]
  /// The occurrences of postings with more than one.
  let overflow: [UInt32]

  /// Creates lists from their arrays.
  init(starts: [UInt32], documents: [UInt32], encodedOccurrences: [UInt32], overflow: [UInt32]) {
    self.starts = starts
    self.documents = documents
    self.encodedOccurrences = encodedOccurrences
    self.overflow = overflow
  }

  /// The bit of an encoded occurrence that marks an index.
  static let overflowFlag: UInt32 = 0x8000_0000

  /// Returns the postings of a term.
  @inline(__always)
  func postings(of term: Int) -> Range<Int> { Int(starts[term])..<Int(starts[term + 1]) }

  /// Returns the postings of adjacent terms.
  @inline(__always)
  func postings(of terms: Range<Int>) -> Range<Int> {
    Int(starts[terms.lowerBound])..<Int(starts[terms.upperBound])
  }

  /// Calls `body` with each occurrence of a posting, in ascending order.
  @inline(__always)
  func forEachOccurrence(in encoded: UInt32, _ body: (Occurrence) -> Void) {
    if encoded & Self.overflowFlag == 0 {
      body(Occurrence(packed: encoded))
      return
    }
    let start = Int(encoded & ~Self.overflowFlag)
    let count = Int(overflow[start])
    for index in start + 1..<start + 1 + count { body(Occurrence(packed: overflow[index])) }
  }

  /// Returns the first occurrence of a posting.
  @inline(__always)
  func firstOccurrence(in encoded: UInt32) -> Occurrence {
    encoded & Self.overflowFlag == 0
      ? Occurrence(packed: encoded)
      : Occurrence(packed: overflow[Int(encoded & ~Self.overflowFlag) + 1])
  }

  /// Whether an occurrence of a posting matches a condition.
  @inline(__always)
  func containsOccurrence(in encoded: UInt32, where condition: (Occurrence) -> Bool) -> Bool {
    if encoded & Self.overflowFlag == 0 { return condition(Occurrence(packed: encoded)) }
    let start = Int(encoded & ~Self.overflowFlag) + 1
    for index in start..<start + Int(overflow[start - 1]) {
      if condition(Occurrence(packed: overflow[index])) { return true }
    }
    return false
  }

  /// Returns the number of occurrences of a posting.
  @inline(__always)
  func occurrenceCount(in encoded: UInt32) -> Int {
    encoded & Self.overflowFlag == 0 ? 1 : Int(overflow[Int(encoded & ~Self.overflowFlag)])
  }

  /// Returns the index of the first posting of `range` whose document is at least `document`.
  ///
  /// - Complexity: O(log d) for a result d postings away from the start of the range.
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

extension PostingLists {
  /// Collects postings term by term, with documents and occurrences in ascending order.
  struct Builder {
    private var starts: [UInt32] = [0]
    private var documents: [UInt32] = []
    private var encodedOccurrences: [UInt32] = []
    private var overflow: [UInt32] = []

    /// Creates a builder with capacity for the given numbers of terms and postings.
    init(terms: Int, postings: Int) {
      starts.reserveCapacity(terms + 1)
      documents.reserveCapacity(postings)
      encodedOccurrences.reserveCapacity(postings)
    }

    /// Whether the current term has no postings.
    var isCurrentTermEmpty: Bool { starts.last.map { Int($0) == documents.count } ?? true }

    /// Adds a document with at least one occurrence of the current term.
    mutating func append(document: UInt32, occurrences: ArraySlice<UInt32>) {
      guard let first = occurrences.first else { return }
      if occurrences.count == 1 {
        return append(document: document, occurrence: Occurrence(packed: first))
      }
      documents.append(document)
      encodedOccurrences.append(overflowFlag | UInt32(truncatingIfNeeded: overflow.count))
      overflow.append(UInt32(truncatingIfNeeded: occurrences.count))
      overflow.append(contentsOf: occurrences)
    }

    /// Adds a document with one occurrence of the current term.
    mutating func append(document: UInt32, occurrence: Occurrence) {
      documents.append(document)
      encodedOccurrences.append(occurrence.packed)
    }

    /// Ends the current term and starts the next.
    mutating func endTerm() { starts.append(UInt32(truncatingIfNeeded: documents.count)) }

    /// Returns the finished lists.
    consuming func build() -> PostingLists {
      PostingLists(
        starts: starts, documents: documents, encodedOccurrences: encodedOccurrences,
        overflow: overflow)
    }
  }
}

/// One occurrence of a word in a document, packed into 31 bits: field, position, and whether the
/// word is the whole value.
///
/// Occurrences in one document sort by field, then position. Fields from ``maximumField`` on share
/// that number, and positions end at ``maximumPosition``.
struct Occurrence: Sendable, Hashable, Comparable {
  /// The packed form. The highest bit is never set.
  let packed: UInt32

  static let maximumField = 1023
  static let maximumPosition = 0xF_FFFF
  /// The distance between two values of one attribute, which is too far for proximity.
  static let gapBetweenValues = 8

  /// Creates an occurrence.
  init(field: Int, position: Int, isWholeValue: Bool) {
    packed =
      UInt32(truncatingIfNeeded: min(field, Self.maximumField)) << 21
      | UInt32(truncatingIfNeeded: min(position, Self.maximumPosition)) << 1
      | (isWholeValue ? 1 : 0)
  }

  /// Creates an occurrence from its packed form.
  @inline(__always)
  init(packed: UInt32) { self.packed = packed }

  /// The field of the text index.
  @inline(__always) var field: Int { Int(packed &>> 21) }
  /// The number of the word in the field, with gaps between values.
  @inline(__always) var position: Int { Int(packed &>> 1) & Self.maximumPosition }
  /// Whether the value consists of this word only.
  @inline(__always) var isWholeValue: Bool { packed & 1 != 0 }
  /// The occurrence of the next word of a text.
  @inline(__always) var next: Occurrence {
    let plain = packed & ~1
    return Occurrence(packed: position < Self.maximumPosition ? plain &+ 2 : plain)
  }

  /// Returns the same occurrence in another field.
  @inline(__always)
  func inField(_ field: Int) -> Occurrence {
    Occurrence(packed: packed & 0x1F_FFFF | UInt32(truncatingIfNeeded: field) &<< 21)
  }

  static func < (left: Occurrence, right: Occurrence) -> Bool { left.packed < right.packed }
}
