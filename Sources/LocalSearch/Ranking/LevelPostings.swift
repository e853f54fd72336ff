/// The occurrences by which an expansion matches some documents at one cost.
///
/// Documents are read in batches, in ascending order. The postings of one word are found by
/// galloping. The postings of many words, such as all words with a prefix, are sorted by document
/// once.
final class LevelPostings {
  /// The postings of one word or sequence, and the next one to look at.
  fileprivate struct List {
    let source: PostingSource
    var next: Int
    let end: Int
    /// The encoded occurrence in each row of the batch, or ``none``.
    var occurrences: [UInt32] = []

    /// No occurrence has this form: it would be in the last of more entries than a list can have.
    static let none = UInt32.max
  }

  /// The postings of many words, by document.
  fileprivate struct Table {
    /// One of the sources. All have the same lists and fields, and no span.
    let source: PostingSource
    /// The start of the postings of each document of the set, with one more entry.
    let starts: [UInt32]
    let entries: [UInt32]
    /// The ordinal of each row of the batch.
    var rowOrdinals: [UInt32] = []
  }

  private let documents: RankedBitmap
  private let keys: FieldKeys
  private var lists: [List] = []
  private var tables: [Table] = []

  /// The number of words from which postings are sorted by document.
  private static let tableWordCount = 2

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
        lists.append(List(source))
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
        lists += group.map { List($0) }
      }
    }
  }

  /// Reads the postings of a batch of documents, in ascending order.
  ///
  /// - Parameters:
  ///   - documents: The documents.
  ///   - rows: The rows of the documents to read. They must match at this cost.
  ///   - columns: Receives the rows.
  func read(
    _ documents: [UInt32], rows: [Int], into columns: inout PositionColumns,
    _ cancellation: CancellationCheck
  ) throws {
    for index in lists.indices {
      try cancellation.count(1 + rows.count &>> 3)
      lists[index].read(documents, rows, keys, into: &columns)
    }
    for index in tables.indices {
      try cancellation.count(1 + rows.count &>> 3)
      try tables[index].read(
        documents, rows, self.documents, keys, into: &columns, cancellation)
    }
  }

  /// Adds the matches in a row of the batch, in no particular order.
  func appendMatches(
    inRow row: Int, to matches: inout [UnitMatch], _ cancellation: CancellationCheck
  ) throws {
    for index in lists.indices {
      let encoded = lists[index].occurrences[row]
      if encoded == List.none { continue }
      let span = UInt16(truncatingIfNeeded: lists[index].source.span)
      if encoded & PostingLists.overflowFlag == 0 {
        matches.append(UnitMatch(start: encoded &>> 1, span: span))
      } else {
        try lists[index].source.forEachOccurrence(in: encoded, cancellation) {
          matches.append(UnitMatch(start: $0.packed &>> 1, span: span))
        }
      }
    }
    for index in tables.indices {
      let ordinal = Int(tables[index].rowOrdinals[row])
      let source = tables[index].source
      let range = Int(tables[index].starts[ordinal])..<Int(tables[index].starts[ordinal + 1])
      try cancellation.count(range.count &>> 4)
      for entry in range {
        try source.forEachOccurrence(in: tables[index].entries[entry], cancellation) {
          matches.append(UnitMatch(start: $0.packed &>> 1, span: 0))
        }
      }
    }
  }
}

/// The positions of one expansion in a batch of documents.
struct PositionColumns {
  /// The position in a document that has only one: an ``Occurrence`` without its lowest bit. For
  /// others ``several`` or ``none``.
  var starts: [UInt32]
  /// The lowest key of the positions in each document, or less.
  var lowestKeys: [UInt32]

  /// The start of a document with several positions.
  static let several = UInt32.max
  /// The start of a document that does not match.
  static let none = UInt32.max - 1

  /// Creates columns without positions.
  init(count: Int) {
    starts = Array(repeating: Self.none, count: count)
    lowestKeys = Array(repeating: .max, count: count)
  }

  /// Adds a posting in a row.
  @inline(__always)
  fileprivate mutating func add(_ encoded: UInt32, row: Int, span: Int, _ key: UInt32) {
    let isOnly =
      starts[row] == Self.none && span == 0 && encoded & PostingLists.overflowFlag == 0
    starts[row] = isOnly ? encoded &>> 1 : Self.several
    if key < lowestKeys[row] { lowestKeys[row] = key }
  }
}

extension LevelPostings.List {
  /// Creates a list at the start of a source with one term.
  fileprivate init(_ source: PostingSource) {
    self.init(source: source, next: source.postings.lowerBound, end: source.postings.upperBound)
  }

  fileprivate mutating func read(
    _ documents: [UInt32], _ rows: [Int], _ keys: FieldKeys, into columns: inout PositionColumns
  ) {
    let lists = source.lists
    let span = source.span
    var occurrences = [UInt32](repeating: Self.none, count: documents.count)
    var next = next
    for row in rows {
      let document = documents[row]
      next = lists.firstPosting(in: next..<end, notBefore: document)
      guard next < end else { break }
      guard lists.documents[next] == document else { continue }
      let encoded = lists.encodedOccurrences[next]
      guard source.allows(encoded) else { continue }
      occurrences[row] = encoded
      columns.add(encoded, row: row, span: span, keys.lowestKey(in: encoded, of: source))
    }
    self.next = next
    self.occurrences = occurrences
  }
}

extension LevelPostings.Table {
  /// Sorts the postings of several sources by document.
  fileprivate init(
    _ sources: [PostingSource], in selection: Selection, _ cancellation: CancellationCheck
  ) throws {
    var places: [UInt32] = []
    var entries: [UInt32] = []
    var starts = [UInt32](repeating: 0, count: selection.count + 1)
    let capacity = sources.reduce(0) { $0 + $1.postings.count }
    places.reserveCapacity(capacity)
    entries.reserveCapacity(capacity)
    for source in sources {
      try source.forEachPosting(in: selection, cancellation) { ordinal, encoded in
        places.append(UInt32(truncatingIfNeeded: ordinal))
        entries.append(encoded)
        starts[ordinal] &+= 1
      }
    }
    // The ends become the starts while the postings are placed from the last to the first.
    var end: UInt32 = 0
    for index in starts.indices {
      try cancellation.count(element: index)
      end &+= starts[index]
      starts[index] = end
    }
    var sorted = [UInt32](repeating: 0, count: entries.count)
    for index in places.indices.reversed() {
      try cancellation.count(element: index)
      let ordinal = Int(places[index])
      starts[ordinal] &-= 1
      sorted[Int(starts[ordinal])] = entries[index]
    }
    self.init(source: sources[0], starts: starts, entries: sorted)
  }

  fileprivate mutating func read(
    _ documents: [UInt32], _ rows: [Int], _ set: RankedBitmap, _ keys: FieldKeys,
    into columns: inout PositionColumns, _ cancellation: CancellationCheck
  ) throws {
    var ordinals = [UInt32](repeating: 0, count: documents.count)
    for row in rows {
      guard let ordinal = set.ordinal(of: Int(documents[row])) else { continue }
      ordinals[row] = UInt32(truncatingIfNeeded: ordinal)
      let range = Int(starts[ordinal])..<Int(starts[ordinal + 1])
      try cancellation.count(range.count &>> 4)
      for index in range {
        let encoded = entries[index]
        columns.add(encoded, row: row, span: 0, keys.lowestKey(in: encoded, of: source))
      }
    }
    rowOrdinals = ordinals
  }
}

extension FieldKeys {
  /// Returns the lowest key of the occurrences of a posting that count, or less.
  @inline(__always)
  func lowestKey(in encoded: UInt32, of source: PostingSource) -> UInt32 {
    if encoded & PostingLists.overflowFlag != 0, !areAscending,
      source.lists.occurrenceCount(in: encoded) > Self.comparedCount
    {
      return 0
    }
    return lowestKey(in: encoded, of: source.lists)
  }

  /// The maximum number of occurrences to compare where a lower bound of the key is sufficient.
  private static var comparedCount: Int { 16 }

  /// Returns the lowest key of the occurrences of a posting that count.
  @inline(__always)
  func lowestKey(
    in encoded: UInt32, of source: PostingSource, _ cancellation: CancellationCheck
  ) throws -> UInt32 {
    if encoded & PostingLists.overflowFlag == 0 { return key(of: Occurrence(packed: encoded)) }
    if areAscending, source.fields == nil {
      return key(of: source.lists.firstOccurrence(in: encoded))
    }
    var lowest = UInt32.max
    try source.forEachOccurrence(in: encoded, cancellation) { lowest = min(lowest, key(of: $0)) }
    return lowest
  }
}
