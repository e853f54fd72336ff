import AsyncInstantSearch

/// The nearest points of the records of one search, worked out once for records with many points:
/// several criteria, the order and the answer ask for them.
final class NearestPoints {
  /// A point of a record, and how far it is.
  typealias Nearest = (point: Point, meters: Double)

  /// Up to this many points, distances are worked out again, which is cheaper than remembering.
  private static let forgottenCount = 16

  private var known: [UInt64: Nearest?] = [:]

  /// The nearest point of a document to the centre of a circle; `nil` when it has none.
  func nearest(
    to circle: GeoCircle, of document: Int, in column: GeoColumn, segment: Int,
    _ checkpoint: Checkpoint
  ) throws -> Nearest? {
    guard column.points(of: document).count > Self.forgottenCount else {
      return try circle.nearest(of: document, in: column, checkpoint)
    }
    let key = UInt64(UInt32(clamping: segment)) << 32 | UInt64(UInt32(clamping: document))
    if let known = known[key] { return known }
    let nearest = try circle.nearest(of: document, in: column, checkpoint)
    known[key] = .some(nearest)
    return nearest
  }
}
