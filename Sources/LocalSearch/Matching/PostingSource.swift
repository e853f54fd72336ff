/// Postings that match one query word, or several, at one cost.
///
/// A class, because ranking passes sources on for each document. Measured: as a structure with
/// three references it makes queries of frequent words take longer by a twentieth.
final class PostingSource: Sendable {
  /// The lists.
  let lists: PostingLists
  /// The terms of the lists.
  let terms: Range<Int>
  /// The cost in typos.
  let typos: Int
  /// The fields in which an occurrence counts, or `nil` for all.
  let fields: Bitmap?
  /// The distance from the occurrence to the last of the words, in positions.
  let span: Int
  /// Whether the lists belong to a sequence instead of the index.
  let isSequence: Bool
  /// The documents as sets, if the words are frequent and count in all fields.
  let sets: FrequentSets?

  /// Creates a source.
  init(
    lists: PostingLists, terms: Range<Int>, typos: Int, fields: Bitmap?, span: Int = 0,
    isSequence: Bool = false, sets: FrequentSets? = nil
  ) {
    self.lists = lists
    self.terms = terms
    self.typos = typos
    self.fields = fields
    self.span = span
    self.isSequence = isSequence
    self.sets = sets
  }

  /// The postings of all terms.
  var postings: Range<Int> { lists.postings(of: terms) }

  /// Whether looking up each of some documents in each list is cheaper than reading the lists.
  func isMuchLarger(than documentCount: Int) -> Bool {
    let lookups = documentCount.multipliedReportingOverflow(by: terms.count * 8)
    return !lookups.overflow && lookups.partialValue < postings.count
  }

  /// The number of postings that are read between two counts of steps.
  private static let blockLength = 8192
  /// The number of postings or occurrences that count as one step, as a power of two.
  private static let stepShift = 4

  /// Whether one of the encoded occurrences counts.
  @inline(__always)
  func allows(_ encoded: UInt32) -> Bool {
    guard let fields else { return true }
    return lists.containsOccurrence(in: encoded) { fields[$0.field] }
  }

  /// Calls `body` with each of the encoded occurrences that counts, and counts the steps.
  @inline(__always)
  func forEachOccurrence(
    in encoded: UInt32, _ cancellation: CancellationCheck, _ body: (Occurrence) -> Void
  ) throws {
    if encoded & PostingLists.overflowFlag != 0 {
      try cancellation.count(lists.occurrenceCount(in: encoded) &>> Self.stepShift)
    }
    if let fields {
      lists.forEachOccurrence(in: encoded) { if fields[$0.field] { body($0) } }
    } else {
      lists.forEachOccurrence(in: encoded, body)
    }
  }

  /// Adds the documents to `result`, possibly without documents outside `candidates`.
  func insertDocuments(
    into result: inout Bitmap, candidates: Selection?, _ cancellation: CancellationCheck
  ) throws {
    if let sets { return result.formUnion(sets.documents) }
    if fields == nil, candidates?.isMuchSmaller(than: self) != true {
      let range = postings
      var start = range.lowerBound
      while start < range.upperBound {
        let end = min(start + Self.blockLength, range.upperBound)
        try cancellation.count(1 &+ (end - start) &>> Self.stepShift)
        result.insert(lists.documents, start..<end)
        start = end
      }
      return
    }
    if let candidates {
      try forEachPosting(in: candidates, cancellation) { ordinal, _ in
        result.insert(Int(candidates.members[ordinal]))
      }
    } else {
      try Self.forEachBlock(of: postings, cancellation) { block in
        for posting in block {
          if allows(lists.encodedOccurrences[posting]) {
            result.insert(Int(lists.documents[posting]))
          }
        }
      }
    }
  }

  /// Calls `body` with the ordinal in `selection` and the encoded occurrence of every posting whose
  /// document is selected.
  ///
  /// - Complexity: O(postings), or O(t s log p) for a selection of s documents, t terms and p
  ///   postings, whichever is estimated to be less.
  @inline(__always)
  func forEachPosting(
    in selection: Selection, _ cancellation: CancellationCheck,
    _ body: (_ ordinal: Int, _ encoded: UInt32) throws -> Void
  ) throws {
    let documents = lists.documents
    let encodedOccurrences = lists.encodedOccurrences
    if selection.isMuchSmaller(than: self) {
      for term in terms {
        try cancellation.count(1 &+ selection.members.count &>> Self.stepShift)
        let range = lists.postings(of: term)
        var posting = range.lowerBound
        for (ordinal, document) in selection.members.enumerated() {
          posting = lists.firstPosting(in: posting..<range.upperBound, notBefore: document)
          guard posting < range.upperBound else { break }
          if documents[posting] == document, allows(encodedOccurrences[posting]) {
            try body(ordinal, encodedOccurrences[posting])
          }
        }
      }
      return
    }
    try Self.forEachBlock(of: postings, cancellation) { block in
      for posting in block {
        guard let ordinal = selection.bitmap.ordinal(of: Int(documents[posting])),
          allows(encodedOccurrences[posting])
        else { continue }
        try body(ordinal, encodedOccurrences[posting])
      }
    }
  }

  /// Calls `body` with one block of postings after another, and counts the steps.
  @inline(__always)
  static func forEachBlock(
    of postings: Range<Int>, _ cancellation: CancellationCheck, _ body: (Range<Int>) throws -> Void
  ) throws {
    var start = postings.lowerBound
    repeat {
      let end = min(start + blockLength, postings.upperBound)
      try cancellation.count(1 &+ (end - start) &>> stepShift)
      try body(start..<end)
      start = end
    } while start < postings.upperBound
  }
}

/// Some documents of a segment, as a set and as a list.
struct Selection: Sendable {
  /// The set.
  let bitmap: RankedBitmap
  /// The documents, in ascending order.
  let members: [UInt32]

  /// Selects the members of a set.
  init(_ bitmap: Bitmap) { self.init(RankedBitmap(bitmap)) }

  /// Selects the members of a set.
  init(_ bitmap: RankedBitmap) {
    self.bitmap = bitmap
    members = bitmap.bitmap.members
  }

  /// The number of documents.
  var count: Int { members.count }

  /// Whether looking up each document in each list is cheaper than reading the lists.
  func isMuchSmaller(than source: PostingSource) -> Bool { source.isMuchLarger(than: count) }
}

extension Bitmap {
  /// Adds `documents[range]`, which must be in `0..<count`.
  mutating func insert(_ documents: [UInt32], _ range: Range<Int>) {
    for index in range { insert(Int(documents[index])) }
  }
}
