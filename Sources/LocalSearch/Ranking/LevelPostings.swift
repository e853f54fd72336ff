/// The occurrences by which an expansion matches some documents at one cost.
///
/// Documents must be asked for in ascending order. The postings of one word are found by galloping.
/// Those of many words, such as all with a prefix, are sorted by document once.
struct LevelPostings {
  /// The postings of one word or sequence, and the next one to look at.
  fileprivate struct Cursor {
    let source: PostingSource
    var next: Int
    let end: Int
  }

  /// The postings of many words, by document.
  fileprivate struct Table {
    /// One of the sources. All have the same lists and fields, and no span.
    let source: PostingSource
    /// The start of the postings of each document of the set, with one more entry.
    let starts: [UInt32]
    let encodedOccurrences: [UInt32]
  }

  private let documents: RankedBitmap
  private let keys: FieldKeys
  private var cursors: [Cursor] = []
  private var tables: [Table] = []

  /// The number of words from which postings are sorted by document.
  private static let tableWordCount = 3

  /// Prepares the postings.
  ///
  /// - Parameters:
  ///   - sources: The sources of the cost.
  ///   - documents: The documents that match at this cost and matter.
  ///   - keys: The keys of the fields.
  init(
    _ sources: [PostingSource], in documents: Bitmap, keys: FieldKeys,
    _ cancellation: CancellationCheck
  ) throws {
    self.keys = keys
    let selection = Selection(documents)
    try cancellation.count(1 + documents.count &>> 8 + selection.count &>> 4)
    self.documents = selection.bitmap
    var groups: [[PostingSource]] = []
    for source in sources {
      try cancellation.count()
      if source.isSequence {
        cursors.append(Cursor(source))
      } else if let group = groups.firstIndex(where: { $0[0].fields == source.fields }) {
        groups[group].append(source)
      } else {
        groups.append([source])
      }
    }
    for group in groups {
      if group.reduce(0, { $0 + $1.terms.count }) >= Self.tableWordCount {
        tables.append(try Table(group, in: selection, cancellation))
      } else {
        for source in group { for term in source.terms { cursors.append(Cursor(source, term)) } }
      }
    }
  }

  /// Adds the matches of a document to those of its unit, in no particular order.
  mutating func appendMatches(
    in document: Int, to matches: inout [UnitMatch], _ cancellation: CancellationCheck
  ) throws {
    try forEachPosting(of: document) { source, encoded in
      let span = UInt16(truncatingIfNeeded: source.span)
      try source.forEachOccurrence(in: encoded, cancellation) {
        matches.append(UnitMatch(start: $0.packed &>> 1, span: span))
      }
    }
  }

  /// Returns the lowest key of the matches in a document.
  mutating func lowestKey(in document: Int, _ cancellation: CancellationCheck) throws -> UInt32 {
    var lowest = UInt32.max
    let keys = keys
    try forEachPosting(of: document) { source, encoded in
      lowest = min(lowest, try keys.lowestKey(in: encoded, of: source, cancellation))
    }
    return lowest
  }

  @inline(__always)
  private mutating func forEachPosting(
    of document: Int, _ body: (PostingSource, UInt32) throws -> Void
  ) throws {
    let number = UInt32(truncatingIfNeeded: document)
    for index in cursors.indices {
      let source = cursors[index].source
      let next = source.lists.firstPosting(
        in: cursors[index].next..<cursors[index].end, notBefore: number)
      cursors[index].next = next
      if next < cursors[index].end, source.lists.documents[next] == number {
        let encoded = source.lists.encodedOccurrences[next]
        if source.allows(encoded) { try body(source, encoded) }
      }
    }
    guard !tables.isEmpty, let ordinal = documents.ordinal(of: document) else { return }
    for table in tables {
      for index in Int(table.starts[ordinal])..<Int(table.starts[ordinal + 1]) {
        try body(table.source, table.encodedOccurrences[index])
      }
    }
  }
}

extension LevelPostings.Cursor {
  /// Creates a cursor at the start of a source with one term.
  fileprivate init(_ source: PostingSource) {
    self.init(source: source, next: source.postings.lowerBound, end: source.postings.upperBound)
  }

  /// Creates a cursor at the start of one of the terms of a source.
  fileprivate init(_ source: PostingSource, _ term: Int) {
    let postings = source.lists.postings(of: term)
    self.init(source: source, next: postings.lowerBound, end: postings.upperBound)
  }
}

extension LevelPostings.Table {
  /// Sorts the postings of several sources by document.
  fileprivate init(
    _ sources: [PostingSource], in selection: Selection, _ cancellation: CancellationCheck
  ) throws {
    var ordinals: [UInt32] = []
    var encodedOccurrences: [UInt32] = []
    var starts = [UInt32](repeating: 0, count: selection.count + 1)
    for source in sources {
      try source.forEachPosting(in: selection, cancellation) { ordinal, encoded in
        ordinals.append(UInt32(truncatingIfNeeded: ordinal))
        encodedOccurrences.append(encoded)
        starts[ordinal] &+= 1
      }
    }
    try cancellation.count(1 + (ordinals.count + starts.count) &>> 4)
    // The ends become the starts while the postings are placed from the last to the first.
    var end: UInt32 = 0
    for index in starts.indices {
      end &+= starts[index]
      starts[index] = end
    }
    var sorted = [UInt32](repeating: 0, count: encodedOccurrences.count)
    for index in ordinals.indices.reversed() {
      let ordinal = Int(ordinals[index])
      starts[ordinal] &-= 1
      sorted[Int(starts[ordinal])] = encodedOccurrences[index]
    }
    self.init(source: sources[0], starts: starts, encodedOccurrences: sorted)
  }
}

extension FieldKeys {
  /// Returns the lowest key of the occurrences of a posting that count.
  @inline(__always)
  func lowestKey(
    in encoded: UInt32, of source: PostingSource, _ cancellation: CancellationCheck
  ) throws -> UInt32 {
    if source.fields == nil, areAscending {
      return key(of: source.lists.firstOccurrence(in: encoded))
    }
    var lowest = UInt32.max
    try source.forEachOccurrence(in: encoded, cancellation) { lowest = min(lowest, key(of: $0)) }
    return lowest
  }
}
