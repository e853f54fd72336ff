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

/// The places at which a unit matches in several documents, sorted for each of them.
///
/// Places come term by term, so those of one term are in order, and those of a document that has
/// several terms, such as all words with one beginning, are not.
package struct PlaceBuckets {
  /// The places with their spans in the lowest 16 bits, so that both sort as one number.
  private var packed: [UInt64] = []
  /// The document of each place.
  private var indices: [UInt32] = []
  /// How many places each document has.
  private var counts: [Int]

  /// How many places or comparisons are one step of work.
  private static let placesPerStep = 16

  /// Creates buckets for so many documents.
  package init(documentCount: Int) { counts = Array(repeating: 0, count: documentCount) }

  /// Adds a place of a document, and how far behind it the last word of the match stands.
  @inline(__always)
  package mutating func add(index: Int, start: UInt32, span: UInt16) {
    packed.append(UInt64(start) << 16 | UInt64(span))
    indices.append(UInt32(truncatingIfNeeded: index))
    counts[index] &+= 1
  }

  /// Appends the places of all documents, ascending in each of them, equal ones once.
  ///
  /// A text that is longer than positions can count has many words at the last position.
  ///
  /// - Parameters:
  ///   - offsets: Where the places of each document begin in `starts`.
  ///   - checkpoint: Where places and comparisons are counted.
  /// - Complexity: O(n log m) for n places, m of them in one document; O(n) for places in order.
  package consuming func append(
    to starts: inout [UInt32], _ spans: inout [UInt16], offsets: inout [Int32],
    _ checkpoint: Checkpoint
  ) throws {
    var first: [Int] = []
    first.reserveCapacity(counts.count)
    var total = 0
    for count in counts {
      first.append(total)
      total += count
    }
    var next = first
    var places = [UInt64](repeating: 0, count: total)
    var isSorted = [Bool](repeating: true, count: counts.count)
    for entry in packed.indices {
      if entry % Self.placesPerStep == 0 { try checkpoint.count() }
      let index = Int(indices[entry])
      let slot = next[index]
      places[slot] = packed[entry]
      if slot > first[index], places[slot - 1] > packed[entry] { isSorted[index] = false }
      next[index] = slot + 1
    }
    var steps = 0
    for index in counts.indices where !isSorted[index] {
      try places[first[index]..<next[index]].sort { left, right in
        steps &+= 1
        if steps % Self.placesPerStep == 0 { try checkpoint.count() }
        return left < right
      }
    }
    starts.reserveCapacity(starts.count + total)
    spans.reserveCapacity(spans.count + total)
    for index in counts.indices {
      offsets.append(Int32(truncatingIfNeeded: starts.count))
      var last: UInt64?
      for slot in first[index]..<next[index] {
        if slot % Self.placesPerStep == 0 { try checkpoint.count() }
        let place = places[slot]
        if place == last { continue }
        last = place
        starts.append(UInt32(truncatingIfNeeded: place >> 16))
        spans.append(UInt16(truncatingIfNeeded: place))
      }
    }
  }
}
