/// For every term the documents that contain it, and where.
///
/// Posting `p` of term `t` (`p` in `postings(of: t)`) names a document in ``documents`` and a encoded
/// in ``encodedOccurrences``. A term that occurs once in the document, which is by far the most frequent case,
/// has its ``Occurrence`` in the encoded itself; otherwise the encoded, with the highest bit set, is an
/// index into ``overflow``, where the number of occurrences is followed by the occurrences,
/// ascending.
struct PostingLists: Sendable {
  /// Where each term's postings begin; one more entry than terms.
  let starts: [UInt32]
  /// The documents, ascending within a term.
  let documents: [UInt32]
  /// The encodedOccurrences, beside the documents.
  let encodedOccurrences: [UInt32]
  /// Occurrences of postings with more than one.
  let overflow: [UInt32]

  /// The bit of a encoded that is an index.
  static let overflowFlag: UInt32 = 0x8000_0000

  /// The postings of a term.
  @inline(__always)
  func postings(of term: Int) -> Range<Int> { Int(starts[term])..<Int(starts[term + 1]) }

  /// The postings of several neighboring terms.
  @inline(__always)
  func postings(of terms: Range<Int>) -> Range<Int> {
    Int(starts[terms.lowerBound])..<Int(starts[terms.upperBound])
  }

  /// Calls `body` with each occurrence of a posting, ascending.
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

  /// Whether an occurrence of a posting fulfills a condition.
  @inline(__always)
  func containsOccurrence(in encoded: UInt32, where condition: (Occurrence) -> Bool) -> Bool {
    if encoded & Self.overflowFlag == 0 { return condition(Occurrence(packed: encoded)) }
    let start = Int(encoded & ~Self.overflowFlag) + 1
    for index in start..<start + Int(overflow[start - 1]) {
      if condition(Occurrence(packed: overflow[index])) { return true }
    }
    return false
  }

  /// The number of occurrences of a posting.
  @inline(__always)
  func occurrenceCount(in encoded: UInt32) -> Int {
    encoded & Self.overflowFlag == 0 ? 1 : Int(overflow[Int(encoded & ~Self.overflowFlag)])
  }

  /// Returns the first occurrence, which is also the one with the lowest field.
  @inline(__always)
  func firstOccurrence(in encoded: UInt32) -> Occurrence {
    encoded & Self.overflowFlag == 0
      ? Occurrence(packed: encoded)
      : Occurrence(packed: overflow[Int(encoded & ~Self.overflowFlag) + 1])
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

extension PostingLists {
  /// Takes the postings term by term, documents ascending, occurrences ascending.
  struct Builder {
    private var starts: [UInt32] = [0]
    private var documents: [UInt32] = []
    private var encodedOccurrences: [UInt32] = []
    private var overflow: [UInt32] = []

    /// Creates a builder with room for so many terms and postings.
    init(terms: Int, postings: Int) {
      starts.reserveCapacity(terms + 1)
      documents.reserveCapacity(postings)
      encodedOccurrences.reserveCapacity(postings)
    }

    /// Whether the current term has postings yet.
    var isCurrentTermEmpty: Bool { starts.last.map { Int($0) == documents.count } ?? true }

    /// Adds a document with the occurrences of the current term in it; there must be at least one.
    mutating func append(document: UInt32, occurrences: ArraySlice<UInt32>) {
      guard let first = occurrences.first else { return }
      documents.append(document)
      if occurrences.count == 1 {
        encodedOccurrences.append(first)
      } else {
        encodedOccurrences.append(overflowFlag | UInt32(truncatingIfNeeded: overflow.count))
        overflow.append(UInt32(truncatingIfNeeded: occurrences.count))
        overflow.append(contentsOf: occurrences)
      }
    }

    /// Ends the current term and begins the next.
    mutating func endTerm() { starts.append(UInt32(truncatingIfNeeded: documents.count)) }

    /// Makes the lists.
    consuming func build() -> PostingLists {
      PostingLists(
        starts: starts, documents: documents, encodedOccurrences: encodedOccurrences,
        overflow: overflow)
    }
  }
}

/// One encoded of a word in a document, packed into 31 bits: field, position, and whether the word is
/// the whole value.
///
/// Values of one document sort by field, then position. Fields from ``maximumField`` on share that
/// number, and positions stop at ``maximumPosition``.
struct Occurrence: Sendable, Hashable, Comparable {
  /// The packed form; the highest bit is never set.
  let packed: UInt32

  static let maximumField = 1023
  static let maximumPosition = 0xF_FFFF
  /// The distance between two values of one attribute, at which nearness ends.
  static let gapBetweenValues = 8

  /// Packs a encoded.
  init(field: Int, position: Int, isWholeValue: Bool) {
    packed =
      UInt32(truncatingIfNeeded: min(field, Self.maximumField)) << 21
      | UInt32(truncatingIfNeeded: min(position, Self.maximumPosition)) << 1
      | (isWholeValue ? 1 : 0)
  }

  /// Takes a packed encoded.
  @inline(__always)
  init(packed: UInt32) { self.packed = packed }

  /// The field of the text index.
  @inline(__always) var field: Int { Int(packed &>> 21) }
  /// The number of the word in the field, with gaps between values.
  @inline(__always) var position: Int { Int(packed &>> 1) & Self.maximumPosition }
  /// Whether the value consists of this word only.
  @inline(__always) var isWholeValue: Bool { packed & 1 != 0 }

  static func < (left: Occurrence, right: Occurrence) -> Bool { left.packed < right.packed }
}
