/// The lowest key of the occurrences of words in each document, or a bound of it.
struct LowestKeys {
  /// The keys of all documents of the segment, or of the documents in ``ranked``.
  private var keys: [UInt32]
  /// The documents with keys, if they are a small share of the segment.
  private var ranked: RankedBitmap?

  /// The share of the segment's documents from which all have keys, which are read faster.
  private static let denseShare = 16

  /// Reads the keys of a single word, of the occurrences at the least cost.
  init(
    _ matches: SegmentMatches, _ levels: MatchLevels, in documents: Bitmap,
    _ cancellation: CancellationCheck
  ) throws {
    let fieldKeys = matches.matcher.view.segment.text.keys
    try cancellation.count(1 + documents.count &>> 6)
    let count = documents.cardinality
    let isDense = count >= documents.count / Self.denseShare
    keys = Array(repeating: .max, count: isDense ? documents.count : count)
    if !isDense { ranked = RankedBitmap(documents) }
    var rest = documents
    let expansion = levels.units[0].expansion
    var sources = matches.matcher.expansions[expansion].sources[...]
    while let cost = sources.first?.typos, !rest.isEmpty {
      let level = sources.prefix { $0.typos == cost }
      sources = sources.dropFirst(level.count)
      let found = levels.documents(
        of: expansion, cost: UInt8(truncatingIfNeeded: cost), among: rest)
      if found.isEmpty { continue }
      // If all documents have the same cost, the keys of other documents do not matter.
      let isOnly = found == documents
      rest.subtract(found)
      let size = found.cardinality
      if isOnly, isDense, fieldKeys.areAscending,
        level.allSatisfy({ $0.fields == nil && !$0.isMuchLarger(than: size) })
      {
        for source in level { try read(source, fieldKeys, cancellation) }
        return
      }
      let selection = Selection((isOnly ? ranked : nil) ?? RankedBitmap(found))
      for source in level {
        try source.forEachPosting(in: selection, cancellation) { ordinal, encoded in
          let document = Int(selection.members[ordinal])
          let key = try fieldKeys.lowestKey(in: encoded, of: source, cancellation)
          guard let index = ranked.map({ $0.ordinal(of: document) }) ?? document else { return }
          if key < keys[index] { keys[index] = key }
        }
      }
    }
  }

  /// Reads a lower bound of the key of each document, regardless of its cost.
  init(_ matches: SegmentMatches, _ cancellation: CancellationCheck) throws {
    let fieldKeys = matches.matcher.view.segment.text.keys
    try cancellation.count(1 + matches.documents.count &>> 6)
    keys = Array(repeating: .max, count: matches.documents.count)
    for expansion in matches.matcher.expansions {
      for source in expansion.sources { try read(source, fieldKeys, cancellation) }
    }
  }

  /// Reads all postings of a source, including postings in fields that do not count.
  private mutating func read(
    _ source: PostingSource, _ fieldKeys: FieldKeys, _ cancellation: CancellationCheck
  ) throws {
    let lists = source.lists
    try PostingSource.forEachBlock(of: source.postings, cancellation) { block in
      for posting in block {
        let key = fieldKeys.lowestKey(in: lists.encodedOccurrences[posting], of: source)
        let document = Int(lists.documents[posting])
        if key < keys[document] { keys[document] = key }
      }
    }
  }

  /// The lowest key in a document.
  @inline(__always)
  subscript(document: Int) -> UInt32 {
    guard let ranked else { return keys[document] }
    return ranked.ordinal(of: document).map { keys[$0] } ?? .max
  }
}
