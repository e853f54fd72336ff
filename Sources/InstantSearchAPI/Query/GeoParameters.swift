package import InstantSearchJSON

/// A rectangle of latitudes and longitudes, edges included, such as the visible part of a map.
///
/// ```swift
/// let visible = BoundingBox(center: paris, latitudeDelta: 0.2, longitudeDelta: 0.3)
/// searcher.update { $0.query.insideBoundingBox = .box(visible) }
/// ```
///
/// If ``west`` is greater than ``east``, the box crosses the 180th meridian.
public struct BoundingBox: Sendable, Hashable {
  /// The minimum latitude, -90 to 90 degrees.
  public let south: Double
  /// The longitude of the western edge, -180 to 180 degrees.
  public let west: Double
  /// The maximum latitude, -90 to 90 degrees.
  public let north: Double
  /// The longitude of the eastern edge, -180 to 180 degrees.
  public let east: Double

  /// Creates a box from its edges, in degrees.
  ///
  /// Latitudes beyond a pole are limited to it. Longitudes beyond 180 degrees are normalized;
  /// edges that are 360 degrees or more apart mean all longitudes. The latitudes can be in either
  /// order.
  ///
  /// A box with an edge that is not finite contains nothing: all its edges are `nan`, and a search
  /// in it is rejected.
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

  /// Creates a box from its center and its size, as map views describe their visible part.
  ///
  /// - Parameters:
  ///   - center: The center.
  ///   - latitudeDelta: The size from south to north, in degrees.
  ///   - longitudeDelta: The size from west to east, in degrees. 360 or more means all longitudes.
  public init(center: Point, latitudeDelta: Double, longitudeDelta: Double) {
    self.init(
      south: center.latitude - latitudeDelta / 2, west: center.longitude - longitudeDelta / 2,
      north: center.latitude + latitudeDelta / 2, east: center.longitude + longitudeDelta / 2)
  }

  /// Creates the smallest box that contains the given points; `nil` without points.
  ///
  /// The box crosses the 180th meridian if it is narrower that way. Points that are not
  /// ``Point/isValid`` are ignored.
  ///
  /// - Complexity: O(n log n) in the number of points.
  public init?(holding points: some Sequence<Point>) {
    let points = points.filter(\.isValid)
    let longitudes = points.map(\.longitude).sorted()
    guard let first = longitudes.first, let last = longitudes.last else { return nil }
    // The box excludes the widest gap between two neighbors, initially the one across 180 degrees.
    var (gap, west, east) = (first + 360 - last, first, last)
    for (left, right) in zip(longitudes, longitudes.dropFirst()) where right - left > gap {
      (gap, west, east) = (right - left, right, left)
    }
    let latitudes = points.map(\.latitude)
    self.init(
      south: latitudes.min() ?? 0, west: west, north: latitudes.max() ?? 0, east: east)
  }

  /// Normalizes a longitude to -180 to 180 degrees.
  private static func inRange(_ longitude: Double) -> Double {
    if (-180...180).contains(longitude) { return longitude }
    let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
    return (turned < 0 ? turned + 360 : turned) - 180
  }
}

extension BoundingBox {
  /// Whether the box crosses the 180th meridian.
  public var crossesAntimeridian: Bool { west > east }

  /// The size from south to north, in degrees.
  public var latitudeDelta: Double { north - south }

  /// The size from west to east, 0 to 360 degrees.
  public var longitudeDelta: Double { crossesAntimeridian ? east - west + 360 : east - west }

  /// The center.
  public var center: Point {
    Point(
      latitude: (south + north) / 2, longitude: Self.inRange(west + longitudeDelta / 2))
  }

  /// Whether a point is inside the box or on its edge.
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
  /// Creates the rectangles of boxes: two for a box that crosses the 180th meridian, otherwise
  /// one.
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

/// Rectangles on the map, at least one of which must contain the record.
///
/// ```swift
/// query.insideBoundingBox = [[49.1, 1.9, 48.6, 2.8]]  // two opposite corners: lat, lng, lat, lng
/// query.insideBoundingBox = .box(visible)             // a BoundingBox
/// ```
public enum InsideBoundingBox: Sendable, Hashable, Codable, ListRepresentable {
  /// Rectangles of four numbers each: latitude and longitude of two opposite corners, in degrees.
  case boxes([[Double]])
  /// The same numbers in one text, separated by commas.
  case text(String)

  /// Creates rectangles of four numbers each.
  public init(_ list: [[Double]]) { self = .boxes(list) }

  /// The rectangles of either case; `nil` if a text does not consist of groups of four numbers.
  public var rectangles: [[Double]]? {
    switch self {
    case .boxes(let boxes):
      boxes
    case .text(let text):
      (try? JSONNode(text: text)).flatMap([Double].numbers).flatMap(Self.fours)
    }
  }

  /// Reads any accepted form, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value in the form of the contract, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }

  /// Splits numbers into groups of four; `nil` if some are left over.
  private static func fours(_ numbers: [Double]) -> [[Double]]? {
    guard numbers.count.isMultiple(of: 4) else { return nil }
    return stride(from: 0, to: numbers.count, by: 4).map { Array(numbers[$0..<$0 + 4]) }
  }
}

extension InsideBoundingBox: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// Creates rectangles from numbers in one text, separated by commas.
  public init(stringLiteral value: String) { self = .text(value) }

  /// Creates rectangles of four numbers each.
  public init(arrayLiteral elements: [Double]...) { self = .boxes(elements) }
}

extension InsideBoundingBox: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "string or array of arrays of numbers" }

  /// Also accepts one flat array with four numbers per rectangle.
  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let text = node.string {
      self = .text(text)
    } else if node[0]?.kind == .number {
      guard let boxes = [Double].numbers(node).flatMap(Self.fours) else {
        throw Self.mismatch(node)
      }
      self = .boxes(boxes)
    } else if let boxes = [Double].list(node) {
      self = .boxes(boxes)
    } else {
      throw Self.mismatch(node)
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .boxes(let boxes): boxes.writeParameter(to: &writer)
    case .text(let text): writer.string(text)
    }
  }

  package var urlText: String {
    switch self {
    case .boxes(let boxes): boxes.urlText
    case .text(let text): urlText(bare: text)
    }
  }
}

/// The maximum distance of a record from the center.
///
/// ```swift
/// query.aroundRadius = 5_000
/// query.aroundRadius = .all
/// ```
public enum AroundRadius: Sendable, Hashable, Codable {
  /// Up to this many meters, at least 1.
  case meters(Int)
  /// Any distance. The distance affects the ranking only.
  case all

  /// Reads any accepted form, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value in the form of the contract, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension AroundRadius: ExpressibleByIntegerLiteral {
  /// Creates a radius in meters.
  public init(integerLiteral value: Int) { self = .meters(value) }
}

extension AroundRadius: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "integer or \"all\"" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let meters = node.int {
      self = .meters(meters)
    } else if node.string == "all" {
      self = .all
    } else {
      throw Self.mismatch(node)
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .meters(let meters): writer.int(meters)
    case .all: writer.string("all")
    }
  }

  package var urlText: String {
    switch self {
    case .meters(let meters): meters.urlText
    case .all: "all"
    }
  }
}

/// The precision of distances: records in the same bucket are equally distant.
///
/// ```swift
/// query.aroundPrecision = 1_000
/// query.aroundPrecision = .ranges([.init(from: 0, value: 25), .init(from: 1_000, value: 2_000)])
/// ```
public enum AroundPrecision: Sendable, Hashable, Codable {
  /// One bucket size for every distance, in meters. Sizes below 10 act as 10.
  case meters(Int)
  /// Bucket sizes that depend on the distance.
  case ranges([Range])

  /// A bucket size and the distance from which it applies.
  public struct Range: Sendable, Hashable, Codable {
    /// The minimum distance of the bucket size, in meters.
    public var from: Int
    /// The bucket size, in meters.
    public var value: Int

    /// Creates a range. Both numbers are in meters.
    public init(from: Int, value: Int) {
      self.from = from
      self.value = value
    }
  }

  /// Reads any accepted form, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the value in the form of the contract, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension AroundPrecision: ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
  /// Creates one bucket size, in meters.
  public init(integerLiteral value: Int) { self = .meters(value) }

  /// Creates bucket sizes that depend on the distance.
  public init(arrayLiteral elements: Range...) { self = .ranges(elements) }
}

extension AroundPrecision: SearchParameterType, JSONNodeDecodable, JSONWritable {
  package static var expectation: String {
    "integer or array of objects with \"from\" and \"value\""
  }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    if let meters = node.int {
      self = .meters(meters)
      return
    }
    guard node.kind == .array else { throw Self.mismatch(node) }
    var ranges: [Range] = []
    ranges.reserveCapacity(node.count)
    for element in node.elements {
      guard let from = element["from"]?.int, let value = element["value"]?.int else {
        throw Self.mismatch(node)
      }
      ranges.append(Range(from: from, value: value))
    }
    self = .ranges(ranges)
  }

  package func writeParameter(to writer: inout JSONWriter) {
    switch self {
    case .meters(let meters):
      writer.int(meters)
    case .ranges(let ranges):
      writer.beginArray()
      for range in ranges {
        writer.beginObject()
        writer.key("from")
        writer.int(range.from)
        writer.key("value")
        writer.int(range.value)
        writer.endObject()
      }
      writer.endArray()
    }
  }
}
