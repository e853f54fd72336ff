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
      var collected = Collected(documentCount: count)
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
      append(collected, fieldKeys)
    }
    offsets.append(Int32(truncatingIfNeeded: starts.count))
  }

  /// The places of a unit in a document.
  @inline(__always)
  func spots(unit: Int, index: Int) -> Range<Int> {
    let entry = unit &* count &+ index
    return Int(offsets[entry])..<Int(offsets[entry &+ 1])
  }

  /// The places of one unit as they are read.
  private struct Collected {
    var indices: [UInt32] = []
    var starts: [UInt32] = []
    var spans: [UInt16] = []
    /// The number of places of each document.
    var counts: [Int32]

    init(documentCount: Int) { counts = Array(repeating: 0, count: documentCount) }

    @inline(__always)
    mutating func add(index: Int, start: UInt32, span: UInt16) {
      indices.append(UInt32(truncatingIfNeeded: index))
      starts.append(start)
      spans.append(span)
      counts[index] &+= 1
    }
  }

  /// Distributes the places over the documents and sorts those of each.
  private mutating func append(_ collected: Collected, _ fieldKeys: FieldKeys) {
    let base = starts.count
    let offsetBase = offsets.count
    var next: [Int] = []
    next.reserveCapacity(collected.counts.count)
    var offset = base
    for count in collected.counts {
      offsets.append(Int32(truncatingIfNeeded: offset))
      next.append(offset)
      offset += Int(count)
    }
    starts.append(contentsOf: repeatElement(0, count: collected.starts.count))
    spans.append(contentsOf: repeatElement(0, count: collected.starts.count))
    for entry in collected.indices.indices {
      let index = Int(collected.indices[entry])
      let start = collected.starts[entry]
      let span = collected.spans[entry]
      // Insertion keeps the places ascending; those of one term come in order already.
      var slot = next[index]
      let first = Int(offsets[offsetBase + index])
      while slot > first, starts[slot - 1] > start {
        starts[slot] = starts[slot - 1]
        spans[slot] = spans[slot - 1]
        slot -= 1
      }
      starts[slot] = start
      spans[slot] = span
      next[index] += 1
    }
    keys.reserveCapacity(starts.count)
    for index in base..<starts.count {
      keys.append(fieldKeys.key(of: Occurrence(packed: starts[index] &<< 1)))
    }
  }
}
