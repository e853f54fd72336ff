/// One place of a word in a document, packed into 31 bits: field, position, and whether the word is
/// the whole value.
///
/// Values of one document sort by field, then position. Fields from ``maximumField`` on share that
/// number, and positions stop at ``maximumPosition``.
struct Occurrence: Sendable, Hashable, Comparable {
  /// The packed form; the highest bit is never set.
  let packed: UInt32

  static let maximumField = 1023
  static let maximumPosition = 0xF_FFFF
  /// The distance between two values of one attribute, at which nearness ends.
  static let gapBetweenValues = 8

  /// Packs a place.
  init(field: Int, position: Int, isWholeValue: Bool) {
    packed =
      UInt32(truncatingIfNeeded: min(field, Self.maximumField)) << 21
      | UInt32(truncatingIfNeeded: min(position, Self.maximumPosition)) << 1
      | (isWholeValue ? 1 : 0)
  }

  /// Takes a packed place.
  @inline(__always)
  init(packed: UInt32) { self.packed = packed }

  /// The field of the text index.
  @inline(__always) var field: Int { Int(packed &>> 21) }
  /// The number of the word in the field, with gaps between values.
  @inline(__always) var position: Int { Int(packed &>> 1) & Self.maximumPosition }
  /// Whether the value consists of this word only.
  @inline(__always) var isWholeValue: Bool { packed & 1 != 0 }

  static func < (left: Occurrence, right: Occurrence) -> Bool { left.packed < right.packed }
}
