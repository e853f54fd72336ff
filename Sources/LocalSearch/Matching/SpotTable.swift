/// For each expansion and document the places at which they match at the least cost, in flat
/// arrays.
///
/// The places of one expansion in one document are neighbours in the arrays, ascending.
struct SpotTable {
  private let count: Int
  /// Where the places of each expansion and document begin, expansion by expansion; one more entry
  /// at the end.
  private var offsets: [Int32]
  /// The places: an ``Occurrence`` without its lowest bit, so field and position.
  private(set) var starts: [UInt32] = []
  /// How many positions after each place the last word of the match stands.
  private(set) var spans: [UInt16] = []
  /// The keys of the places for the criterion Attribute.
  private(set) var keys: [UInt32] = []

  /// The number of bits of a position in a place.
  static let positionBits: UInt32 = 20

  /// Reads the postings of the documents of `part`.
  init(
    _ costs: MatchCosts, _ part: SelectionPart, keys fieldKeys: FieldKeys,
    _ checkpoint: Checkpoint
  ) throws {
    count = part.count
    offsets = []
    offsets.reserveCapacity(costs.expansions.count * count + 1)
    for (expansion, value) in costs.expansions.enumerated() {
      try checkpoint.count(1 + count &>> 4)
      var collected = PlaceBuckets(documentCount: count)
      for source in value.sources {
        let cost = UInt8(truncatingIfNeeded: source.typos)
        let span = UInt16(truncatingIfNeeded: source.span)
        try source.forEachPosting(in: part.selection, checkpoint) { index, place in
          guard costs.cost(expansion: expansion, ordinal: part.ordinal(index)) == cost else {
            return
          }
          try source.forEachOccurrence(ofPlace: place, checkpoint) { occurrence in
            collected.add(index: index, start: occurrence.packed &>> 1, span: span)
          }
        }
      }
      try collected.append(to: &starts, &spans, offsets: &offsets, checkpoint)
    }
    try checkpoint.count(1 + starts.count &>> 4)
    keys = starts.map { fieldKeys.key(of: Occurrence(packed: $0 &<< 1)) }
    offsets.append(Int32(truncatingIfNeeded: starts.count))
  }

  /// The places of an expansion in a document.
  @inline(__always)
  func spots(expansion: Int, index: Int) -> Range<Int> {
    let entry = expansion &* count &+ index
    return Int(offsets[entry])..<Int(offsets[entry &+ 1])
  }
}
