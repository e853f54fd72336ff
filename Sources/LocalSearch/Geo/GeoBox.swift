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
  var parts: [GeoBox] {
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

/// A polygon of at least three points. A line from the last to the first closes it.
///
/// Lines are straight in latitude and longitude. Longitudes can exceed 180 degrees.
///
/// The lines are sorted into bands of latitude, so that a point is compared with those of one band.
struct GeoPolygon: Sendable, Hashable {
  private let points: [Point]
  /// The smallest box that contains the polygon.
  let box: GeoBox
  /// The lines that touch band b are `bandLines[bandStarts[b]..<bandStarts[b + 1]]`, each
  /// identified by its end point.
  private let bandStarts: [UInt32]
  private let bandLines: [UInt32]

  private static let maximumBandCount = 4096
  /// The maximum average number of bands that a line touches.
  private static let entriesPerLine = 16

  /// Creates a polygon from alternating latitudes and longitudes.
  init?(_ numbers: [Double]) {
    guard numbers.count >= 6, numbers.count.isMultiple(of: 2), numbers.allSatisfy(\.isFinite),
      numbers.count / 2 <= ParameterLimits.maximumPointCount
    else { return nil }
    let points = stride(from: 0, to: numbers.count, by: 2).map {
      Point(latitude: numbers[$0], longitude: numbers[$0 + 1])
    }
    let latitudes = points.map(\.latitude)
    let longitudes = points.map(\.longitude)
    let box = GeoBox(
      south: latitudes.min() ?? 0, west: longitudes.min() ?? 0, north: latitudes.max() ?? 0,
      east: longitudes.max() ?? 0)
    // As many bands as the limit allows, because long lines touch many.
    var bandCount = min(Self.maximumBandCount, points.count)
    var ranges: [ClosedRange<Int>] = []
    while true {
      ranges = points.indices.map { end in
        let start = points[end == 0 ? points.count - 1 : end - 1].latitude
        let first = Self.band(min(start, points[end].latitude), box, bandCount)
        return first...max(first, Self.band(max(start, points[end].latitude), box, bandCount))
      }
      let entryCount = ranges.reduce(0) { $0 + $1.count }
      if bandCount == 1 || entryCount <= Self.entriesPerLine * points.count { break }
      bandCount /= 2
    }
    var starts = [UInt32](repeating: 0, count: bandCount + 1)
    for range in ranges {
      for band in range { starts[band + 1] += 1 }
    }
    for band in 0..<bandCount { starts[band + 1] += starts[band] }
    var next = starts
    var lines = [UInt32](repeating: 0, count: Int(starts[bandCount]))
    for (line, range) in ranges.enumerated() {
      for band in range {
        lines[Int(next[band])] = UInt32(line)
        next[band] += 1
      }
    }
    self.points = points
    self.box = box
    bandStarts = starts
    bandLines = lines
  }

  /// Returns the band of a latitude, never a lower one for a higher latitude.
  private static func band(_ latitude: Double, _ box: GeoBox, _ count: Int) -> Int {
    let share = (latitude - box.south) / (box.north - box.south)
    // A box without height has one latitude only.
    guard share.isFinite else { return 0 }
    return min(count - 1, Int(min(max(share, 0), 1) * Double(count)))
  }

  /// Whether the polygon contains a point, by the even-odd rule.
  ///
  /// - Complexity: O(lines of the point's band).
  func contains(_ point: Point, _ cancellation: CancellationCheck) throws -> Bool {
    let band = Self.band(point.latitude, box, bandStarts.count - 1)
    let lines = bandLines[Int(bandStarts[band])..<Int(bandStarts[band + 1])]
    for offset in GeoBox.longitudeOffsets {
      let longitude = point.longitude + offset
      guard box.west <= longitude, longitude <= box.east else { continue }
      try cancellation.count(1 + lines.count &>> 4)
      var isInside = false
      for line in lines {
        let a = points[Int(line)]
        let b = points[line == 0 ? points.count - 1 : Int(line) - 1]
        if (a.latitude > point.latitude) != (b.latitude > point.latitude) {
          let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
          if longitude < a.longitude + share * (b.longitude - a.longitude) { isInside.toggle() }
        }
      }
      if isInside { return true }
    }
    return false
  }
}
