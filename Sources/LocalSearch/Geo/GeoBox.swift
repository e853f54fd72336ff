#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A rectangle of latitudes and longitudes, including its edges.
///
/// Longitudes can exceed 180 degrees. A box from 170 to 190 crosses the 180th meridian.
package struct GeoBox: Sendable, Hashable {
  package var south: Double
  package var west: Double
  package var north: Double
  package var east: Double

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

  /// Whether the box or its edge contains a point.
  func contains(_ point: Point) -> Bool {
    guard south <= point.latitude, point.latitude <= north else { return false }
    return Self.longitudeOffsets.contains { offset in
      west <= point.longitude + offset && point.longitude + offset <= east
    }
  }

  /// The offsets between the longitudes of one meridian.
  static let longitudeOffsets: [Double] = [0, 360, -360]

  /// The parts of the box, with longitudes from -180 to 180.
  package var parts: [GeoBox] {
    if east - west >= 360 { return [GeoBox(south: south, west: -180, north: north, east: 180)] }
    return Self.longitudeOffsets.compactMap { offset in
      let west = max(west - offset, -180)
      let east = min(east - offset, 180)
      return west <= east ? GeoBox(south: south, west: west, north: north, east: east) : nil
    }
  }
}

/// Distances on a sphere with the Earth's mean radius.
enum GeoDistance {
  /// The mean radius, in meters.
  static let earthRadius = 6_371_008.8

  /// The great-circle distance in meters, by the haversine formula.
  static func meters(from start: Point, to end: Point) -> Double {
    let latitude = radians(end.latitude - start.latitude) / 2
    let longitude = radians(end.longitude - start.longitude) / 2
    let a =
      sin(latitude) * sin(latitude)
      + cos(radians(start.latitude)) * cos(radians(end.latitude)) * sin(longitude) * sin(longitude)
    return 2 * earthRadius * asin(min(1, a.squareRoot()))
  }

  /// The smallest box that contains a circle.
  static func box(around center: Point, meters: Double) -> GeoBox {
    // The box is a little wider, so that rounding loses no point on the edge.
    let angle = meters / earthRadius * 1.000_001 + 1e-9
    let latitude = degrees(angle)
    let south = center.latitude - latitude
    let north = center.latitude + latitude
    let sine = sin(min(angle, .pi / 2)) / cos(radians(center.latitude))
    guard south > -90, north < 90, sine < 1 else {
      return GeoBox(south: max(south, -90), west: -180, north: min(north, 90), east: 180)
    }
    let longitude = degrees(asin(sine))
    return GeoBox(
      south: south, west: center.longitude - longitude, north: north,
      east: center.longitude + longitude)
  }

  private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
  private static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}
