/// The positions at which each expansion matches each document at the least cost, in flat arrays.
///
/// The positions of one expansion in one document are adjacent in the arrays, in ascending order.
struct MatchPositionTable {
  private let count: Int
  /// The start of the positions of each expansion and document, expansion by expansion, with one
  /// more entry at the end.
  private var offsets: [Int32]
  /// The positions: an ``Occurrence`` without its lowest bit, which is field and position.
  private(set) var starts: [UInt32] = []
  /// The distance from each position to the last word of the match.
  private(set) var spans: [UInt16] = []
  /// The keys of the positions for the Attribute criterion.
  private(set) var keys: [UInt32] = []

  /// The number of bits of the position in an element of ``starts``.
  static let positionBits: UInt32 = 20

  /// Reads the postings of the documents of `part`.
  init(
    _ costs: MatchCosts, _ part: SelectionPart, keys fieldKeys: FieldKeys,
    _ cancellation: CancellationCheck
  ) throws {
    count = part.count
    offsets = []
    offsets.reserveCapacity(costs.expansions.count * count + 1)
    for (expansion, value) in costs.expansions.enumerated() {
      try cancellation.count(1 + count &>> 4)
      var collected = PositionBuckets(documentCount: count)
      for source in value.sources {
        let cost = UInt8(truncatingIfNeeded: source.typos)
        let span = UInt16(truncatingIfNeeded: source.span)
        try source.forEachPosting(in: part.selection, cancellation) { index, encoded in
          guard costs.cost(expansion: expansion, ordinal: part.ordinal(index)) == cost else {
            return
          }
          try source.forEachOccurrence(in: encoded, cancellation) { occurrence in
            collected.add(index: index, start: occurrence.packed &>> 1, span: span)
          }
        }
      }
      try collected.append(to: &starts, &spans, offsets: &offsets, cancellation)
    }
    try cancellation.count(1 + starts.count &>> 4)
    keys = starts.map { fieldKeys.key(of: Occurrence(packed: $0 &<< 1)) }
    offsets.append(Int32(truncatingIfNeeded: starts.count))
  }

  /// Returns the positions of an expansion in a document.
  @inline(__always)
  func positions(expansion: Int, index: Int) -> Range<Int> {
    let entry = expansion &* count &+ index
    return Int(offsets[entry])..<Int(offsets[entry &+ 1])
  }
}

/// The positions at which a unit matches in several documents, sorted for each of them.
///
/// Positions are added term by term. Those of one term are in order. Those of a document with
/// several terms, such as all words with a prefix, are not.
package struct PositionBuckets {
  /// The positions with their spans in the lowest 16 bits, so that both sort as one number.
  private var packed: [UInt64] = []
  /// The document of each position.
  private var indices: [UInt32] = []
  /// The number of positions of each document.
  private var counts: [Int]

  /// Creates buckets for a number of documents.
  package init(documentCount: Int) { counts = Array(repeating: 0, count: documentCount) }

  /// Adds a position of a document, with the distance to the last word of the match.
  @inline(__always)
  package mutating func add(index: Int, start: UInt32, span: UInt16) {
    packed.append(UInt64(start) << 16 | UInt64(span))
    indices.append(UInt32(truncatingIfNeeded: index))
    counts[index] &+= 1
  }

  /// Appends the distinct positions of all documents, in ascending order for each.
  ///
  /// A text with more words than positions has many words at the last position.
  ///
  /// - Parameters:
  ///   - offsets: Receives the start of each document's positions in `starts`.
  ///   - cancellation: Counts positions and comparisons.
  /// - Complexity: O(n log m) for n positions, m of them in one document. O(n) for positions in
  ///   order.
  package consuming func append(
    to starts: inout [UInt32], _ spans: inout [UInt16], offsets: inout [Int32],
    _ cancellation: CancellationCheck
  ) throws {
    var first: [Int] = []
    first.reserveCapacity(counts.count)
    var total = 0
    for count in counts {
      first.append(total)
      total += count
    }
    var next = first
    var positions = [UInt64](repeating: 0, count: total)
    var isSorted = [Bool](repeating: true, count: counts.count)
    for entry in packed.indices {
      try cancellation.count(element: entry)
      let index = Int(indices[entry])
      let slot = next[index]
      positions[slot] = packed[entry]
      if slot > first[index], positions[slot - 1] > packed[entry] { isSorted[index] = false }
      next[index] = slot + 1
    }
    var comparisons = 0
    for index in counts.indices where !isSorted[index] {
      try positions[first[index]..<next[index]].sort { left, right in
        comparisons &+= 1
        try cancellation.count(element: comparisons)
        return left < right
      }
    }
    starts.reserveCapacity(starts.count + total)
    spans.reserveCapacity(spans.count + total)
    for index in counts.indices {
      offsets.append(Int32(truncatingIfNeeded: starts.count))
      var last: UInt64?
      for slot in first[index]..<next[index] {
        try cancellation.count(element: slot)
        let position = positions[slot]
        if position == last { continue }
        last = position
        starts.append(UInt32(truncatingIfNeeded: position >> 16))
        spans.append(UInt16(truncatingIfNeeded: position))
      }
    }
  }
}
