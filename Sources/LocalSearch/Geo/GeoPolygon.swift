import InstantSearchAPI

/// A polygon of at least three points. A line from the last to the first closes it.
///
/// Lines are straight in latitude and longitude. Longitudes can exceed 180 degrees.
package struct GeoPolygon: Sendable {
  /// The smallest box that contains the polygon.
  let box: GeoBox
  private let grid: LineGrid

  /// Creates a polygon from alternating latitudes and longitudes, or returns `nil` if they are too
  /// few, too many or not finite.
  package init?(_ numbers: [Double], _ cancellation: CancellationCheck) throws {
    guard numbers.count >= 6, numbers.count.isMultiple(of: 2), numbers.allSatisfy(\.isFinite),
      numbers.count / 2 <= ParameterLimits.maximumPointCount
    else { return nil }
    let points = try cancellation.map(0..<numbers.count / 2) {
      Point(latitude: numbers[2 * $0], longitude: numbers[2 * $0 + 1])
    }
    var latitudes = points.map(\.latitude)
    var longitudes = points.map(\.longitude)
    try cancellation.sort(&latitudes)
    try cancellation.sort(&longitudes)
    box = GeoBox(
      south: latitudes[0], west: longitudes[0], north: latitudes[latitudes.count - 1],
      east: longitudes[longitudes.count - 1])
    var lines: [GeoLine] = []
    lines.reserveCapacity(points.count)
    var before = points[points.count - 1]
    for point in points {
      // A horizontal line counts as east of no point.
      if point.latitude != before.latitude { lines.append(GeoLine(start: point, end: before)) }
      before = point
    }
    grid = try LineGrid(lines, latitudes: latitudes, longitudes: longitudes, cancellation)
  }

  /// Whether the polygon contains a point, by the even-odd rule.
  ///
  /// - Complexity: O(lines of the point's cell, and lines that end in its band).
  package func contains(_ point: Point, _ cancellation: CancellationCheck) throws -> Bool {
    for offset in GeoBox.longitudeOffsets {
      let longitude = point.longitude + offset
      guard box.west <= longitude, longitude <= box.east else { continue }
      let turned = Point(latitude: point.latitude, longitude: longitude)
      if try grid.hasOddCount(eastOf: turned, cancellation) { return true }
    }
    return false
  }
}

/// A line of a polygon between two points of different latitude.
struct GeoLine: Sendable {
  var start: Point
  var end: Point

  /// The lower latitude.
  var south: Double { min(start.latitude, end.latitude) }
  /// The higher latitude.
  var north: Double { max(start.latitude, end.latitude) }

  /// Returns the longitude at a latitude of the line.
  ///
  /// Every step of the calculation is monotonic, and so is the rounded result.
  @inline(__always)
  func longitude(at latitude: Double) -> Double {
    let share = (latitude - start.latitude) / (end.latitude - start.latitude)
    return start.longitude + share * (end.longitude - start.longitude)
  }

  /// Returns 1 if the line is east of a point at one of its latitudes, else 0.
  ///
  /// The result has no branches, which would often be mispredicted.
  @inline(__always)
  func countEast(of point: Point) -> Int {
    let isStartNorth = start.latitude > point.latitude ? 1 : 0
    let isEndNorth = end.latitude > point.latitude ? 1 : 0
    let isEast = point.longitude < longitude(at: point.latitude) ? 1 : 0
    return (isStartNorth ^ isEndNorth) & isEast
  }
}
