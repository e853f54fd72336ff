/// For each unit and document the places at which they match at the least cost, in flat arrays.
///
/// The places of one unit in one document are neighbours in the arrays, ascending.
struct SpotTable {
  private let count: Int
  /// Where the places of each unit and document begin, unit by unit; one more entry at the end.
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
    checkCancellation: () throws -> Void
  ) throws {
    count = part.count
    offsets = []
    offsets.reserveCapacity(costs.units.count * count + 1)
    for unit in costs.units.indices {
      var collected = PlaceBuckets(documentCount: count)
      for source in costs.units[unit].sources {
        let cost = UInt8(truncatingIfNeeded: source.typos)
        let span = UInt16(truncatingIfNeeded: source.span)
        try source.forEachPosting(in: part.selection, checkCancellation: checkCancellation) {
          index, place in
          guard costs.cost(unit: unit, ordinal: part.ordinal(index)) == cost else { return }
          source.forEachOccurrence(ofPlace: place) { occurrence in
            collected.add(index: index, start: occurrence.packed &>> 1, span: span)
          }
        }
      }
      try collected.append(
        to: &starts, &spans, offsets: &offsets, checkCancellation: checkCancellation)
    }
    keys = starts.map { fieldKeys.key(of: Occurrence(packed: $0 &<< 1)) }
    offsets.append(Int32(truncatingIfNeeded: starts.count))
  }

  /// The places of a unit in a document.
  @inline(__always)
  func spots(unit: Int, index: Int) -> Range<Int> {
    let entry = unit &* count &+ index
    return Int(offsets[entry])..<Int(offsets[entry &+ 1])
  }
}
