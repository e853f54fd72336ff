import InstantSearchAPI
import LocalSearch

/// Writes geographic conditions as terms of a filter.
///
/// The server's edges are great circles, and the contract's are straight in latitude and longitude.
/// So edges are divided into parts of a degree at most, where both differ by less than 10 meters.
enum GeoFilter {
  /// The largest part of an edge, in degrees of longitude.
  private static let step = 1.0

  /// The maximum number of points in all polygons of a filter.
  private static let maximumPointCount = 20_000

  /// Returns the expression of the records that match a condition.
  ///
  /// - Parameter polygons: The polygons of the query.
  static func expression(
    _ geo: GeoSearch, polygons: [[Double]]
  ) throws(APIError) -> FilterExpression {
    let hasPoint = FilterExpression.term("\(FieldName.codes):=\(ValueCode.point.text)")
    switch geo {
    case .around(let circle):
      guard case .meters(let meters) = circle.radius else { return hasPoint }
      return Self.circle(circle.center, meters: meters)
    case .boxes(let boxes):
      var parts: [FilterExpression] = []
      for box in boxes {
        guard [box.south, box.north].allSatisfy({ $0.magnitude <= 1000 }),
          [box.west, box.east].allSatisfy({ $0.magnitude <= 1000 })
        else { throw tooFar }
        let isWhole = box.east - box.west >= 360
        let (south, north) = (max(box.south, -90), min(box.north, 90))
        let (west, east) = isWhole ? (-180, 180) : (max(box.west, -540), min(box.east, 540))
        guard south <= north, west <= east else { continue }
        if isWhole, south <= -90, north >= 90 { return hasPoint }
        // The server's shapes have an area, and are less than half of a sphere. They meet in
        // corners with the same numbers, so that no point is between them.
        let height = north - south < margin ? margin : 0
        for slice in slices(from: west, to: east) {
          let width = slice.upperBound - slice.lowerBound < margin ? margin : 0
          parts.append(
            try polygon([
              (south - height, slice.lowerBound - width),
              (south - height, slice.upperBound + width),
              (north + height, slice.upperBound + width),
              (north + height, slice.lowerBound - width),
            ]))
        }
      }
      return .any(of: parts)
    case .polygons:
      let rings = try polygons.map { numbers throws(APIError) in try ring(numbers) }
      return .any(of: try rings.map { ring throws(APIError) in try polygon(ring) })
    }
  }

  /// Half of the width that a line gets, in degrees: a centimeter.
  private static let margin = 1e-7

  /// The maximum number of corners of a polygon, which are compared with each other.
  private static let maximumCornerCount = 500

  private static var tooFar: APIError {
    APIError(
      "A polygon or box has a latitude beyond 90 degrees or a longitude beyond 540, which this cluster"
        + " cannot compare")
  }

  /// Returns the corners of a polygon without repetitions.
  ///
  /// - Throws: `APIError` for a polygon that the server would read in another way: one with lines
  ///   that cross, or one that is wider than half of the Earth.
  private static func ring(
    _ numbers: [Double]
  ) throws(APIError) -> [(latitude: Double, longitude: Double)] {
    var corners: [(latitude: Double, longitude: Double)] = []
    for index in stride(from: 0, to: numbers.count - 1, by: 2) {
      let corner = (latitude: numbers[index], longitude: numbers[index + 1])
      guard corner.latitude.magnitude <= 90, corner.longitude.magnitude <= 540 else { throw tooFar }
      if let last = corners.last, last == corner { continue }
      corners.append(corner)
    }
    if corners.count > 1, let first = corners.first, let last = corners.last, first == last {
      corners.removeLast()
    }
    let longitudes = corners.map(\.longitude)
    guard corners.count <= maximumCornerCount,
      (longitudes.max() ?? 0) - (longitudes.min() ?? 0) < 180
    else {
      throw APIError(
        "A polygon can have \(maximumCornerCount) corners and be 180 degrees wide on this cluster; use"
          + " several smaller ones")
    }
    guard corners.count >= 3, !crosses(corners) else {
      throw APIError(
        "The lines of a polygon touch or cross each other, which this cluster cannot compare; use"
          + " several polygons")
    }
    return corners
  }

  /// Whether two lines have a point in common, except a corner where one follows the other.
  private static func crosses(_ corners: [(latitude: Double, longitude: Double)]) -> Bool {
    func side(_ a: Int, _ b: Int, _ c: Int) -> Double {
      (corners[b].longitude - corners[a].longitude) * (corners[c].latitude - corners[a].latitude)
        - (corners[b].latitude - corners[a].latitude)
        * (corners[c].longitude - corners[a].longitude)
    }
    func isBetween(_ a: Int, _ b: Int, _ c: Int) -> Bool {
      min(corners[a].latitude, corners[b].latitude) <= corners[c].latitude
        && corners[c].latitude <= max(corners[a].latitude, corners[b].latitude)
        && min(corners[a].longitude, corners[b].longitude) <= corners[c].longitude
        && corners[c].longitude <= max(corners[a].longitude, corners[b].longitude)
    }
    let count = corners.count
    for first in 0..<count {
      let firstEnd = (first + 1) % count
      // A line that goes back over the one before it.
      let next = (first + 2) % count
      let backwards =
        (corners[first].latitude - corners[firstEnd].latitude)
        * (corners[next].latitude - corners[firstEnd].latitude)
        + (corners[first].longitude - corners[firstEnd].longitude)
        * (corners[next].longitude - corners[firstEnd].longitude)
      if backwards > 0, side(first, firstEnd, next) == 0 { return true }
      for second in (first + 1)..<count {
        let secondEnd = (second + 1) % count
        if firstEnd == second || secondEnd == first { continue }
        let (a, b) = (side(first, firstEnd, second), side(first, firstEnd, secondEnd))
        let (c, d) = (side(second, secondEnd, first), side(second, secondEnd, firstEnd))
        if a.sign != b.sign, c.sign != d.sign, a != 0, b != 0, c != 0, d != 0 { return true }
        if a == 0 && isBetween(first, firstEnd, second)
          || b == 0 && isBetween(first, firstEnd, secondEnd)
          || c == 0 && isBetween(second, secondEnd, first)
          || d == 0 && isBetween(second, secondEnd, firstEnd)
        {
          return true
        }
      }
    }
    return false
  }

  /// The records within a distance of a point.
  static func circle(_ center: Point, meters: Int) -> FilterExpression {
    .term("\(FieldName.points):(\(pair(center)), \(text(Double(meters) / 1000)) km)")
  }

  /// The latitude and the longitude of a point.
  static func pair(_ point: Point) -> String {
    "\(text(point.latitude)), \(text(point.longitude))"
  }

  /// The latitude and the longitude of a point by whose distance records are ordered. For 0 and 0
  /// the server tells no distances, so that is 11 cm away.
  static func sortPair(_ point: Point) -> String {
    pair(
      point.latitude == 0 && point.longitude == 0
        ? Point(latitude: 0, longitude: 0.000_001) : point)
  }

  private static func slices(from west: Double, to east: Double) -> [ClosedRange<Double>] {
    let count = max(1, Int(((east - west) / 90).rounded(.up)))
    return (0..<count).map { number in
      let width = (east - west) / Double(count)
      return
        (west + width * Double(number))...(number == count - 1
        ? east : west + width * Double(number + 1))
    }
  }

  private static func polygon(
    _ corners: [(latitude: Double, longitude: Double)]
  ) throws(APIError) -> FilterExpression {
    var points: [String] = []
    for (index, corner) in corners.enumerated() {
      let next = corners[(index + 1) % corners.count]
      let width = max(
        (next.longitude - corner.longitude).magnitude, (next.latitude - corner.latitude).magnitude)
      // Corners are on Earth, so the number is small.
      let count = max(1, Int((min(width, 1080) / step).rounded(.up)))
      for part in 0..<count {
        let share = Double(part) / Double(count)
        points.append(text(corner.latitude + share * (next.latitude - corner.latitude)))
        points.append(
          text(onEarth(corner.longitude + share * (next.longitude - corner.longitude))))
      }
    }
    guard points.count / 2 <= maximumPointCount else {
      throw APIError(
        "The edges of a polygon or box are longer than the server can compare; use smaller ones")
    }
    return .term("\(FieldName.points):(\(points.joined(separator: ", ")))")
  }

  /// Returns a longitude as one above -180 and up to 180.
  private static func onEarth(_ longitude: Double) -> Double {
    let rest = longitude.truncatingRemainder(dividingBy: 360)
    return rest > 180 ? rest - 360 : rest <= -180 ? rest + 360 : rest
  }

  /// Returns a number without an exponent, with ten decimals: a hundredth of a millimeter.
  static func text(_ number: Double) -> String {
    let isNegative = number < 0
    let scaled = (number.magnitude * 10_000_000_000).rounded()
    guard scaled < 9e18 else { return isNegative ? "-100000000" : "100000000" }
    let digits = String(Int64(scaled))
    let padded = String(repeating: "0", count: max(0, 11 - digits.count)) + digits
    return (isNegative ? "-" : "") + padded.dropLast(10) + "." + padded.suffix(10)
  }
}
