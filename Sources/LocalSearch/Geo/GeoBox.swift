import AsyncInstantSearch

/// A rectangle of latitudes and longitudes, edges included.
///
/// Longitudes may lie beyond 180 degrees: a box from 170 to 190 crosses the 180th meridian.
struct GeoBox: Sendable, Hashable {
  var south: Double
  var west: Double
  var north: Double
  var east: Double

  /// Creates a box from its edges, in degrees.
  init(south: Double, west: Double, north: Double, east: Double) {
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }

  /// Creates a box from two opposite corners: latitude, longitude, latitude, longitude.
  init?(corners: [Double]) {
    guard corners.count == 4, corners.allSatisfy(\.isFinite) else { return nil }
    self.init(
      south: min(corners[0], corners[2]), west: min(corners[1], corners[3]),
      north: max(corners[0], corners[2]), east: max(corners[1], corners[3]))
  }

  /// Whether a point lies in the box or on its edge.
  func contains(_ point: Point) -> Bool {
    guard south <= point.latitude, point.latitude <= north else { return false }
    return Self.turns.contains { turn in
      west <= point.longitude + turn && point.longitude + turn <= east
    }
  }

  /// The same meridian has these longitudes besides its own.
  static let turns: [Double] = [0, 360, -360]

  /// The parts of the box with longitudes from -180 to 180.
  var parts: [GeoBox] {
    if east - west >= 360 { return [GeoBox(south: south, west: -180, north: north, east: 180)] }
    return Self.turns.compactMap { turn in
      let west = max(west - turn, -180)
      let east = min(east - turn, 180)
      return west <= east ? GeoBox(south: south, west: west, north: north, east: east) : nil
    }
  }
}
