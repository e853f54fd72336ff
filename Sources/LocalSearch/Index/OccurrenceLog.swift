/// The words of documents in reading order, in one to three bytes each for most of them.
///
/// A word is stored as the number of its term. An occurrence directly after the previous word's
/// takes no bytes. Any other occurrence precedes the number, after a mark. Another mark ends each
/// document.
///
/// The log grows in pieces, so growing never copies its bytes.
struct OccurrenceLog: Sendable {
  private var pieces: [[UInt8]] = []
  /// The last piece.
  private var bytes: [UInt8] = []
  /// The occurrence of the next word if no mark precedes it.
  private var expected = OccurrenceLog.first

  /// The length of a piece in bytes, which the last word of a piece can exceed.
  private let pieceLength: Int
  /// The maximum length of a word and the end of its document, in bytes.
  private static let maximumWordLength = 16

  // The marks, and the number of the first term.
  private static let occurrenceMark: UInt32 = 0
  private static let endMark: UInt32 = 1
  private static let firstTerm: UInt32 = 2
  /// The occurrence of the first word of a document if no mark precedes it.
  private static let first = Occurrence(packed: 0)

  /// The number of words, and the maximum number that the lists can address.
  private var wordCount = 0
  private let maximumWordCount: Int

  /// Creates an empty log.
  init(pieceLength: Int = 1 << 20, maximumWordCount: Int = 1_400_000_000) {
    self.pieceLength = pieceLength
    self.maximumWordCount = maximumWordCount
  }

  /// Adds a word to the current document.
  @inline(__always)
  mutating func append(term: Int, _ occurrence: Occurrence) {
    if bytes.count >= pieceLength { endPiece() }
    if occurrence != expected {
      append(Self.occurrenceMark)
      append(occurrence.inField(0).packed)
      append(UInt32(truncatingIfNeeded: occurrence.field))
    }
    append(UInt32(truncatingIfNeeded: term) &+ Self.firstTerm)
    wordCount &+= 1
    expected = occurrence.next
  }

  /// Ends the current document.
  mutating func endDocument() {
    if bytes.count >= pieceLength { endPiece() }
    append(Self.endMark)
    expected = Self.first
  }

  private mutating func endPiece() {
    pieces.append(bytes)
    bytes = []
    bytes.reserveCapacity(pieceLength + Self.maximumWordLength)
  }

  /// Adds a number in groups of seven bits, the lowest first. All but the last have the highest
  /// bit.
  @inline(__always)
  private mutating func append(_ number: UInt32) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Reads a number at an index, which is moved to the next one.
  @inline(__always)
  private static func number(_ bytes: [UInt8], at index: inout Int) -> UInt32 {
    var byte = bytes[index]
    index &+= 1
    if byte < 0x80 { return UInt32(byte) }
    var number = UInt32(byte & 0x7F)
    var shift: UInt32 = 7
    repeat {
      byte = bytes[index]
      index &+= 1
      number |= UInt32(byte & 0x7F) &<< shift
      shift &+= 7
    } while byte >= 0x80
    return number
  }

  /// Calls a closure with the term, the document and the occurrence of each word.
  @inline(__always)
  private func forEachWord(
    _ cancellation: CancellationCheck, _ body: (Int, UInt32, Occurrence) -> Void
  ) throws {
    var document: UInt32 = 0
    var occurrence = Self.first
    var step = 0
    for bytes in [pieces, [bytes]].joined() {
      var index = 0
      while index < bytes.count {
        try cancellation.count(element: step)
        step &+= 1
        let number = Self.number(bytes, at: &index)
        switch number {
        case Self.occurrenceMark:
          let inFirstField = Occurrence(packed: Self.number(bytes, at: &index))
          occurrence = inFirstField.inField(Int(Self.number(bytes, at: &index)))
        case Self.endMark:
          document &+= 1
          occurrence = Self.first
        default:
          body(Int(number &- Self.firstTerm), document, occurrence)
          occurrence = occurrence.next
        }
      }
    }
  }
}

extension OccurrenceLog {
  /// The state of a term while the lists are built.
  private struct Term {
    /// The number of postings, and later the next one.
    var postings: UInt32 = 0
    /// The length of the term's part of the overflow, and later the end of its written entries.
    var overflow: UInt32 = 0
    /// The number of the last document with the term, plus 1.
    var end: UInt32 = 0
    /// The number of occurrences in this document.
    var count: UInt32 = 0

    /// Counts an occurrence.
    @inline(__always)
    mutating func add(_ document: UInt32) {
      if end != document &+ 1 {
        end = document &+ 1
        count = 1
        postings &+= 1
      } else {
        // The second one is preceded by the number of occurrences and the first one.
        overflow &+= count == 1 ? 3 : 1
        count &+= 1
      }
    }
  }

  /// Returns the documents and occurrences of each term.
  ///
  /// All arrays are made with their final length, after the postings are counted.
  ///
  /// - Parameters:
  ///   - order: The terms in the order of the dictionary.
  ///   - newField: The new number of each field.
  /// - Throws: `APIError` if there are too many words.
  func lists(
    order: [UInt32], newField: [Int], _ cancellation: CancellationCheck
  ) throws -> PostingLists {
    // Two words of a term take three numbers, which are less than 2^31.
    guard wordCount <= maximumWordCount else {
      throw APIError(
        "The records have \(wordCount) words, and one load or change of settings can index"
          + " \(maximumWordCount); divide the records among several indices")
    }
    var terms = [Term](repeating: Term(), count: order.count)
    try forEachWord(cancellation) { term, document, _ in terms[term].add(document) }
    var starts: [UInt32] = [0]
    starts.reserveCapacity(order.count + 1)
    var next = Term()
    for term in order {
      try cancellation.count(element: starts.count)
      let counted = terms[Int(term)]
      terms[Int(term)] = next
      next.postings &+= counted.postings
      next.overflow &+= counted.overflow
      starts.append(next.postings)
    }
    var documents = [UInt32](repeating: 0, count: Int(next.postings))
    var occurrences = [UInt32](repeating: 0, count: Int(next.postings))
    var overflow = [UInt32](repeating: 0, count: Int(next.overflow))
    try forEachWord(cancellation) { term, document, occurrence in
      let packed = occurrence.inField(newField[occurrence.field]).packed
      let next = terms[term]
      if next.end != document &+ 1 {
        documents[Int(next.postings)] = document
        occurrences[Int(next.postings)] = packed
        terms[term].postings = next.postings &+ 1
        terms[term].end = document &+ 1
        return
      }
      let posting = Int(next.postings) - 1
      var end = Int(next.overflow)
      if occurrences[posting] & PostingLists.overflowFlag == 0 {
        overflow[end] = 1
        overflow[end + 1] = occurrences[posting]
        occurrences[posting] = PostingLists.overflowFlag | UInt32(truncatingIfNeeded: end)
        end += 2
      }
      overflow[Int(occurrences[posting] & ~PostingLists.overflowFlag)] += 1
      overflow[end] = packed
      terms[term].overflow = UInt32(truncatingIfNeeded: end + 1)
    }
    try Self.sort(&overflow, cancellation)
    return PostingLists(
      starts: starts, documents: documents, encodedOccurrences: occurrences, overflow: overflow)
  }

  /// Sorts the occurrences of each posting, which are in reading order.
  private static func sort(_ overflow: inout [UInt32], _ cancellation: CancellationCheck) throws {
    var start = 0
    while start < overflow.count {
      try cancellation.count()
      let (first, end) = (start + 1, start + 1 + Int(overflow[start]))
      var next = first + 1
      while next < end, overflow[next - 1] <= overflow[next] {
        try cancellation.count(element: next)
        next += 1
      }
      if next < end { try cancellation.sort(&overflow[first..<end], by: <) }
      start = end
    }
  }
}
