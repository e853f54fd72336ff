/// A match of a unit inside a document.
struct Spot: Sendable, Hashable {
  /// The field, then the position of the first word: field and position of ``Occurrence`` without the lowest bit.
  let start: Int
  /// How many positions after it the last word stands.
  let span: Int
  /// The attribute and position as the criterion Attribute orders them.
  let key: UInt32

  /// The number of bits of a position in ``start``.
  static let positionBits = 20

  /// The field.
  var field: Int { start >> Self.positionBits }
}

/// For each unit and selected document the postings by which they match at the least cost.
///
/// The postings of one unit and document are a linked list through flat arrays.
struct SpotTable {
  private let selectionCount: Int
  private let units: [MatchUnit]
  private var heads: [Int32]
  private var next: [Int32] = []
  private var places: [UInt32] = []
  private var sources: [Int32] = []

  /// Reads the postings.
  ///
  /// - Parameters:
  ///   - cost: The least cost of a unit in a selected document.
  init(
    _ units: [MatchUnit], _ selection: Selection, cost: (_ unit: Int, _ index: Int) -> UInt8,
    checkCancellation: () throws -> Void
  ) throws {
    self.units = units
    selectionCount = selection.count
    heads = Array(repeating: -1, count: units.count * selection.count)
    for unit in units.indices {
      let base = unit * selection.count
      for (number, source) in units[unit].sources.enumerated() {
        try source.forEachPosting(in: selection, checkCancellation: checkCancellation) {
          index, place in
          guard Int(cost(unit, index)) == source.typos else { return }
          next.append(heads[base + index])
          heads[base + index] = Int32(truncatingIfNeeded: places.count)
          places.append(place)
          sources.append(Int32(truncatingIfNeeded: number))
        }
      }
    }
  }

  /// Calls `body` with every match of a unit in a document, in no order.
  @inline(__always)
  func forEachSpot(unit: Int, index: Int, keys: FieldKeys, _ body: (Spot) -> Void) {
    var entry = Int(heads[unit * selectionCount + index])
    while entry >= 0 {
      let source = units[unit].sources[Int(sources[entry])]
      source.lists.forEachOccurrence(ofPlace: places[entry]) { occurrence in
        if let fields = source.fields, !fields[occurrence.field] { return }
        body(
          Spot(
            start: Int(occurrence.packed >> 1), span: source.span, key: keys.key(of: occurrence)))
      }
      entry = Int(next[entry])
    }
  }
}
