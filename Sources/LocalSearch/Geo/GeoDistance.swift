import AsyncInstantSearch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Distances on a sphere with the Earth's mean radius.
enum GeoDistance {
  /// The mean radius, in metres.
  static let earthRadius = 6_371_008.8

  /// The great-circle distance in metres, by the haversine formula.
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
    // A little wider, so that rounding loses no point on the edge.
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
