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

extension PostingLists {
  /// Takes the postings term by term, documents ascending, occurrences ascending.
  struct Builder {
    private var starts: [UInt32] = [0]
    private var documents: [UInt32] = []
    private var places: [UInt32] = []
    private var overflow: [UInt32] = []

    /// Creates a builder with room for so many terms and postings.
    init(terms: Int, postings: Int) {
      starts.reserveCapacity(terms + 1)
      documents.reserveCapacity(postings)
      places.reserveCapacity(postings)
    }

    /// Whether the current term has postings yet.
    var isCurrentTermEmpty: Bool { starts.last.map { Int($0) == documents.count } ?? true }

    /// Adds a document with the occurrences of the current term in it; there must be at least one.
    mutating func append(document: UInt32, occurrences: ArraySlice<UInt32>) {
      guard let first = occurrences.first else { return }
      documents.append(document)
      if occurrences.count == 1 {
        places.append(first)
      } else {
        places.append(overflowFlag | UInt32(truncatingIfNeeded: overflow.count))
        overflow.append(UInt32(truncatingIfNeeded: occurrences.count))
        overflow.append(contentsOf: occurrences)
      }
    }

    /// Ends the current term and begins the next.
    mutating func endTerm() { starts.append(UInt32(truncatingIfNeeded: documents.count)) }

    /// Makes the lists.
    consuming func build() -> PostingLists {
      PostingLists(starts: starts, documents: documents, places: places, overflow: overflow)
    }
  }
}

/// One place of a word in a document, packed into 31 bits: field, position, and whether the word is
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

  /// Packs a place.
  init(field: Int, position: Int, isWholeValue: Bool) {
    packed =
      UInt32(truncatingIfNeeded: min(field, Self.maximumField)) << 21
      | UInt32(truncatingIfNeeded: min(position, Self.maximumPosition)) << 1
      | (isWholeValue ? 1 : 0)
  }

  /// Takes a packed place.
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
