/// For each unit and document the places at which they match at the least cost, as linked lists in flat arrays.
struct SpotTable {
  private let count: Int
  /// The first place of each unit and document, unit by unit; -1 where there is none.
  private var heads: [Int32]
  /// The next place of the same unit and document, or -1.
  private(set) var next: [Int32] = []
  /// The places: an ``Occurrence`` without its lowest bit, so field and position.
  private(set) var starts: [UInt32] = []
  /// How many positions after each place the last word of the match stands.
  private(set) var spans: [UInt16] = []

  /// Reads the postings of the documents of `part`.
  init(
    _ costs: MatchCosts, _ part: SelectionPart, checkCancellation: () throws -> Void
  ) throws {
    count = part.count
    var heads = [Int32](repeating: -1, count: costs.units.count * part.count)
    var next: [Int32] = []
    var starts: [UInt32] = []
    var spans: [UInt16] = []
    for (unit, matchUnit) in costs.units.enumerated() {
      let base = unit * part.count
      for source in matchUnit.sources {
        let cost = UInt8(truncatingIfNeeded: source.typos)
        let span = UInt16(truncatingIfNeeded: source.span)
        try source.forEachPosting(in: part.selection, checkCancellation: checkCancellation) {
          index, place in
          guard costs.cost(unit: unit, ordinal: part.ordinal(index)) == cost else { return }
          source.forEachOccurrence(ofPlace: place) { occurrence in
            next.append(heads[base &+ index])
            heads[base &+ index] = Int32(truncatingIfNeeded: starts.count)
            starts.append(occurrence.packed &>> 1)
            spans.append(span)
          }
        }
      }
    }
    self.heads = heads
    self.next = next
    self.starts = starts
    self.spans = spans
  }

  /// The first place of a unit in a document, to be followed through ``next``.
  @inline(__always)
  func list(unit: Int, index: Int) -> Int { Int(heads[unit &* count &+ index]) }
}
