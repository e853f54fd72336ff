/// A rectangle of latitudes and longitudes, edges included: the visible part of a map, or what
/// holds some points.
///
/// ```swift
/// let visible = BoundingBox(center: paris, latitudeDelta: 0.2, longitudeDelta: 0.3)
/// searcher.update { $0.query.insideBoundingBox = .box(visible) }
/// ```
///
/// Where ``west`` is greater than ``east``, the box crosses the 180th meridian.
public struct BoundingBox: Sendable, Hashable {
  /// The least latitude, -90 to 90 degrees.
  public let south: Double
  /// The longitude of the western edge, -180 to 180 degrees.
  public let west: Double
  /// The greatest latitude, -90 to 90 degrees.
  public let north: Double
  /// The longitude of the eastern edge, -180 to 180 degrees.
  public let east: Double

  /// Creates a box from its edges, in degrees.
  ///
  /// Latitudes beyond a pole end there. Longitudes may lie beyond 180 degrees and are brought into
  /// range; edges 360 degrees apart, or more, mean all longitudes. Latitudes may come in either
  /// order.
  ///
  /// A box one of whose edges is not finite holds nothing: all its edges are `nan`, and a search in
  /// it is refused.
  public init(south: Double, west: Double, north: Double, east: Double) {
    guard south.isFinite, west.isFinite, north.isFinite, east.isFinite else {
      (self.south, self.west, self.north, self.east) = (.nan, .nan, .nan, .nan)
      return
    }
    self.south = min(max(min(south, north), -90), 90)
    self.north = min(max(max(south, north), -90), 90)
    let isWholeCircle = east - west >= 360
    self.west = isWholeCircle ? -180 : Self.inRange(west)
    self.east = isWholeCircle ? 180 : Self.inRange(east)
  }

  /// Creates a box from its middle and its size, as views of maps tell what they show.
  ///
  /// - Parameters:
  ///   - center: the middle.
  ///   - latitudeDelta: from south to north, in degrees.
  ///   - longitudeDelta: from west to east, in degrees; 360 or more mean all longitudes.
  public init(center: Point, latitudeDelta: Double, longitudeDelta: Double) {
    self.init(
      south: center.latitude - latitudeDelta / 2, west: center.longitude - longitudeDelta / 2,
      north: center.latitude + latitudeDelta / 2, east: center.longitude + longitudeDelta / 2)
  }

  /// Creates the smallest box that holds some points; `nil` when there are none.
  ///
  /// It lies across the 180th meridian when it is narrower so. Points that are not
  /// ``Point/isValid`` are left out.
  ///
  /// - Complexity: O(n log n) in the number of points.
  public init?(holding points: some Sequence<Point>) {
    let points = points.filter(\.isValid)
    let longitudes = points.map(\.longitude).sorted()
    guard let first = longitudes.first, let last = longitudes.last else { return nil }
    // The box leaves out the widest gap between two neighbours; at first that around the back.
    var (gap, west, east) = (first + 360 - last, first, last)
    for (left, right) in zip(longitudes, longitudes.dropFirst()) where right - left > gap {
      (gap, west, east) = (right - left, right, left)
    }
    let latitudes = points.map(\.latitude)
    self.init(
      south: latitudes.min() ?? 0, west: west, north: latitudes.max() ?? 0, east: east)
  }

  /// The longitude of the same meridian from -180 to 180 degrees.
  private static func inRange(_ longitude: Double) -> Double {
    if (-180...180).contains(longitude) { return longitude }
    let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
    return (turned < 0 ? turned + 360 : turned) - 180
  }
}

extension BoundingBox {
  /// Whether the box lies on both sides of the 180th meridian.
  public var crossesAntimeridian: Bool { west > east }

  /// From south to north, in degrees.
  public var latitudeDelta: Double { north - south }

  /// From west to east, 0 to 360 degrees.
  public var longitudeDelta: Double { crossesAntimeridian ? east - west + 360 : east - west }

  /// The middle.
  public var center: Point {
    Point(
      latitude: (south + north) / 2, longitude: Self.inRange(west + longitudeDelta / 2))
  }

  /// Whether a point lies in the box or on its edge.
  public func contains(_ point: Point) -> Bool {
    guard south <= point.latitude, point.latitude <= north else { return false }
    let longitude = point.longitude
    // The 180th meridian has two longitudes.
    return holds(longitude) || abs(longitude) == 180 && holds(-longitude)
  }

  private func holds(_ longitude: Double) -> Bool {
    crossesAntimeridian
      ? west <= longitude || longitude <= east : west <= longitude && longitude <= east
  }
}

extension InsideBoundingBox {
  /// The rectangles of boxes: two of a box that crosses the 180th meridian, one of any other.
  public init(_ boxes: some Sequence<BoundingBox>) {
    self = .boxes(
      boxes.flatMap { box in
        box.crossesAntimeridian
          ? [[box.south, box.west, box.north, 180], [box.south, -180, box.north, box.east]]
          : [[box.south, box.west, box.north, box.east]]
      })
  }
}

extension Nullable where Value == InsideBoundingBox {
  /// One box, such as the visible part of a map.
  public static func box(_ box: BoundingBox) -> Nullable { .value(InsideBoundingBox([box])) }
}
