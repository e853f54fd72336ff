@testable import InstantSearchAPI
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Distances by a formula that the engine does not use, and the geographic parameters of a query.
struct GeoOracle {
  /// A latitude and a longitude, in degrees.
  typealias Coordinates = (Double, Double)

  /// The distance by the spherical law of cosines on vectors.
  static func meters(_ a: Coordinates, _ b: Coordinates) -> Double {
    func vector(_ point: Coordinates) -> (Double, Double, Double) {
      let latitude = point.0 * .pi / 180
      let longitude = point.1 * .pi / 180
      return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
    let (a, b) = (vector(a), vector(b))
    let cross = (
      a.1 * b.2 - a.2 * b.1, a.2 * b.0 - a.0 * b.2, a.0 * b.1 - a.1 * b.0
    )
    let sine = (cross.0 * cross.0 + cross.1 * cross.1 + cross.2 * cross.2).squareRoot()
    return 6_371_008.8 * atan2(sine, a.0 * b.0 + a.1 * b.1 + a.2 * b.2)
  }

  /// The points of a record.
  static func points(_ record: JSON) -> [Coordinates] {
    let nodes = record["_geoloc"]?.arrayValue ?? record["_geoloc"].map { [$0] } ?? []
    return nodes.compactMap { node in
      guard let latitude = node["lat"]?.doubleValue, let longitude = node["lng"]?.doubleValue else {
        return nil
      }
      return (latitude, longitude)
    }
  }

  let query: SearchQuery

  /// The centre, if the search ranks by distance.
  private var center: Coordinates? {
    if query.insideBoundingBox?.optional != nil { return nil }
    return query.aroundLatLng.map { ($0.latitude, $0.longitude) }
  }

  /// Whether a record is in one of the boxes, or else near the point.
  func holds(_ record: JSON) -> Bool {
    let points = Self.points(record)
    if let boxes = query.insideBoundingBox?.optional?.rectangles {
      return points.contains { point in
        boxes.contains { box in
          min(box[0], box[2])...max(box[0], box[2]) ~= point.0
            && min(box[1], box[3])...max(box[1], box[3]) ~= point.1
        }
      }
    }
    guard center != nil else { return true }
    guard let meters = meters(record) else { return false }
    guard case .meters(let radius) = query.aroundRadius else { return true }
    return meters <= Double(radius)
  }

  /// The distance of the nearest point of a record; `nil` without one or without a centre.
  func meters(_ record: JSON) -> Double? {
    center.flatMap { center in Self.points(record).map { Self.meters($0, center) }.min() }
  }

  /// The band of a record's distance and the bucket in it, `nil` without a centre.
  var steps: ((JSON) -> [Int])? {
    guard center != nil else { return nil }
    return { record in
      guard let meters = meters(record) else { return [.max] }
      let band = band(at: meters)
      return [band.from, (Int(meters) - band.from) / band.size]
    }
  }

  /// The size of a bucket at a distance, and where its band begins.
  func band(at meters: Double) -> (from: Int, size: Int) {
    switch query.aroundPrecision {
    case nil: return (0, 10)
    case .meters(let size): return (0, max(10, size))
    case .ranges(let ranges):
      let last = ranges.filter { Double($0.from) <= meters }.max { $0.from < $1.from }
      return last.map { ($0.from, max(10, $0.value)) } ?? (0, 10)
    }
  }

  /// The radius of a search without one: that of the farthest of its records, of which there are
  /// less than 1000.
  func automaticRadius(of records: [JSON]) -> Int? {
    guard center != nil, query.aroundRadius == nil else { return nil }
    let farthest = records.compactMap(meters).max() ?? 0
    return max(query.minimumAroundRadius ?? 1, 1, Int(farthest.rounded(.up)))
  }
}
