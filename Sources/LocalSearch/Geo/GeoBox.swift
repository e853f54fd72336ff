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

/// A polygon of at least three points, closed by the line from the last to the first.
///
/// Lines are straight in latitude and longitude. Longitudes may lie beyond 180 degrees.
struct GeoPolygon: Sendable, Hashable {
  private let points: [Point]
  /// The smallest box that contains the polygon.
  let box: GeoBox

  /// How many points a polygon may have.
  static let maximumPointCount = 10_000

  /// Creates a polygon from latitudes and longitudes in turn.
  init?(_ numbers: [Double]) {
    guard numbers.count >= 6, numbers.count.isMultiple(of: 2), numbers.allSatisfy(\.isFinite),
      numbers.count / 2 <= Self.maximumPointCount
    else { return nil }
    points = stride(from: 0, to: numbers.count, by: 2).map {
      Point(latitude: numbers[$0], longitude: numbers[$0 + 1])
    }
    let latitudes = points.map(\.latitude)
    let longitudes = points.map(\.longitude)
    box = GeoBox(
      south: latitudes.min() ?? 0, west: longitudes.min() ?? 0, north: latitudes.max() ?? 0,
      east: longitudes.max() ?? 0)
  }

  /// Whether a point lies inside, by the even-odd rule.
  func contains(_ point: Point) -> Bool {
    GeoBox.turns.contains { turn in
      let longitude = point.longitude + turn
      guard box.west <= longitude, longitude <= box.east else { return false }
      var isInside = false
      var previous = points.count - 1
      for index in points.indices {
        let a = points[index]
        let b = points[previous]
        if (a.latitude > point.latitude) != (b.latitude > point.latitude) {
          let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
          if longitude < a.longitude + share * (b.longitude - a.longitude) { isInside.toggle() }
        }
        previous = index
      }
      return isInside
    }
  }
}
