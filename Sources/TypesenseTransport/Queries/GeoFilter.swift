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
        for part in box.parts {
          let (south, north) = (max(part.south, -90), min(part.north, 90))
          guard south <= north else { continue }
          if part.west <= -180, part.east >= 180, south <= -90, north >= 90 { return hasPoint }
          // The server's shapes are less than half of a sphere.
          for slice in slices(from: part.west, to: part.east) {
            parts.append(
              try polygon([
                (south, slice.lowerBound), (south, slice.upperBound), (north, slice.upperBound),
                (north, slice.lowerBound),
              ]))
          }
        }
      }
      return .any(of: parts)
    case .polygons:
      return .any(
        of: try polygons.map { numbers throws(APIError) in
          try polygon(
            stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) })
        })
    }
  }

  /// The records within a distance of a point.
  static func circle(_ center: Point, meters: Int) -> FilterExpression {
    .term("\(FieldName.points):(\(pair(center)), \(text(Double(meters) / 1000)) km)")
  }

  /// The latitude and the longitude of a point.
  static func pair(_ point: Point) -> String {
    "\(text(point.latitude)), \(text(point.longitude))"
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
      let count = max(1, Int((width / step).rounded(.up)))
      for part in 0..<count {
        let share = Double(part) / Double(count)
        points.append(text(corner.latitude + share * (next.latitude - corner.latitude)))
        points.append(text(corner.longitude + share * (next.longitude - corner.longitude)))
      }
    }
    guard points.count / 2 <= maximumPointCount else {
      throw APIError(
        "The edges of a polygon or box are longer than the server can compare; use smaller ones")
    }
    return .term("\(FieldName.points):(\(points.joined(separator: ", ")))")
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
