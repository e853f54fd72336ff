package import InstantSearchAPI

/// The point, the radius and the precision of a search around a point.
package struct GeoCircle: Sendable, Hashable {
  /// The maximum distance of a record.
  package enum Radius: Sendable, Hashable {
    case meters(Int)
    /// No limit. The distance only ranks.
    case all
    /// The smallest radius with enough records, but not below the minimum.
    case automatic(minimum: Int)
  }

  /// The point.
  package var center: Point
  /// The maximum distance of a record.
  package var radius: Radius
  /// The precision of distances.
  var precision: GeoPrecision

  /// Reads `aroundLatLng` and its related parameters, or returns `nil` without such a point.
  init?(_ query: SearchQuery) {
    // Checking the query has rejected points that are not on Earth, and other distances.
    guard let center = query.aroundLatLng else { return nil }
    self.center = center
    switch query.aroundRadius {
    case .all: radius = .all
    case .meters(let meters): radius = .meters(meters)
    case nil: radius = .automatic(minimum: query.minimumAroundRadius ?? 1)
    }
    precision = GeoPrecision(query.aroundPrecision)
  }

  /// Returns the documents of a segment with a point within a distance.
  ///
  /// - Parameter members: The documents to choose from, or `nil` for all.
  func documents(
    within meters: Double, in column: GeoColumn, count: Int, among members: Bitmap? = nil,
    _ cancellation: CancellationCheck
  ) throws -> Bitmap {
    let box = GeoDistance.box(around: center, meters: meters)
    return try column.documents(in: [box], count: count, among: members, cancellation) { point in
      GeoDistance.meters(from: center, to: point) <= meters
    }
  }

  /// Returns the nearest point of a document and its distance in meters.
  ///
  /// - Complexity: O(points of the document).
  func nearest(
    of document: Int, in column: GeoColumn, _ cancellation: CancellationCheck
  ) throws -> (point: Point, meters: Double)? {
    var best: (point: Point, meters: Double)?
    for (number, point) in column.points(of: document).enumerated() {
      // A distance is as much work as two elements of a simple loop.
      try cancellation.count(element: 2 * number)
      let meters = GeoDistance.meters(from: center, to: point)
      if meters < best?.meters ?? .infinity { best = (point, meters) }
    }
    return best
  }
}

extension GeoCircle {
  /// The radius of the first circle, in meters.
  private static let firstRadius = 1000.0
  /// More than half of the Earth's circumference, in meters.
  private static let farthest = 20_100_000.0

  /// Returns the documents of a set with a point in the smallest of several growing circles that
  /// contains enough of them. The largest circle contains every document with a point.
  ///
  /// The size of the circle doubles, so that only distances near the point are calculated.
  ///
  /// - Parameters:
  ///   - count: The number of documents that is enough.
  ///   - maximumReads: The maximum number of points to examine.
  /// - Returns: The documents of each set, or `nil` if more points would be examined.
  func documents(
    of sets: [Bitmap], in columns: [GeoColumn], atLeast count: Int, maximumReads: Int = .max,
    _ cancellation: CancellationCheck
  ) throws -> [Bitmap]? {
    var radius = Self.firstRadius
    var reads = 0
    while true {
      try cancellation.check()
      // Documents at the same distance after rounding are all inside or all outside.
      let meters = precision.end(of: radius).nextDown
      if maximumReads < .max {
        let box = GeoDistance.box(around: center, meters: meters)
        for column in columns { reads += try column.candidateCount(in: box, cancellation) }
        if reads > maximumReads { return nil }
      }
      let near = try zip(columns, sets).map { column, documents in
        try self.documents(
          within: meters, in: column, count: documents.count, among: documents, cancellation)
      }
      if radius >= Self.farthest || near.reduce(0, { $0 + $1.cardinality }) >= count {
        return near
      }
      radius *= 2
    }
  }

  /// Returns the nearest documents of a set: at least `count`, or all with a point. Returns `nil`
  /// if that takes more work than calculating all distances.
  func nearest(
    _ count: Int, of documents: Bitmap, in column: GeoColumn, _ cancellation: CancellationCheck
  ) throws -> Bitmap? {
    try self.documents(
      of: [documents], in: [column], atLeast: count, maximumReads: documents.cardinality,
      cancellation)?[0]
  }
}

/// The precision of distances. Each range of distances has a bucket size.
struct GeoPrecision: Sendable, Hashable {
  private struct Band: Sendable, Hashable {
    var from: Int
    var size: Int
    /// The number of the range's first bucket.
    var firstBucket: Int
  }

  private var bands: [Band]

  /// The default bucket size, which is also the smallest, in meters.
  static let minimum = 10

  /// Creates the ranges of a parameter.
  init(_ parameter: AroundPrecision?) {
    bands = [Band(from: 0, size: Self.minimum, firstBucket: 0)]
    switch parameter {
    case nil: break
    case .meters(let size): bands[0].size = max(size, Self.minimum)
    case .ranges(let ranges):
      for range in ranges.sorted(by: { $0.from < $1.from }) {
        let from = min(max(range.from, 0), Self.farthest)
        let size = max(range.value, Self.minimum)
        let last = bands[bands.count - 1]
        if from == last.from {
          bands[bands.count - 1].size = size
        } else {
          let length = from - last.from
          let buckets = length / last.size + (length % last.size == 0 ? 0 : 1)
          bands.append(Band(from: from, size: size, firstBucket: last.firstBucket + buckets))
        }
      }
    }
  }

  /// More than half of the Earth's circumference, in meters.
  private static let farthest = 21_000_000

  /// Returns the bucket size at a distance.
  func size(at meters: Double) -> Int { band(at: meters).size }

  /// Returns the number of a distance's bucket, which ranks records.
  func bucket(of meters: Double) -> Int {
    let band = band(at: meters)
    return band.firstBucket + (Int(meters) - band.from) / band.size
  }

  /// Returns the end of the bucket of a distance, exclusive.
  func end(of meters: Double) -> Double {
    let index = bands.partitionPoint { Double($0.from) <= meters }
    let band = bands[max(0, index - 1)]
    let bucket = (Int(meters) - band.from) / band.size
    // In floating point, because a bucket can be larger than any distance.
    let end = Double(band.from) + Double(bucket + 1) * Double(band.size)
    return index < bands.count ? min(end, Double(bands[index].from)) : end
  }

  private func band(at meters: Double) -> Band {
    bands[max(0, bands.partitionPoint { Double($0.from) <= meters } - 1)]
  }
}

/// The nearest points of records with many points, calculated once for each record of a search.
final class NearestPoints {
  /// A point of a record, and its distance.
  typealias Nearest = (point: Point, meters: Double)

  /// Up to this number of points, distances are calculated again, which is faster than a lookup.
  private static let forgottenCount = 16

  private var known: [UInt64: Nearest?] = [:]

  /// Returns the point of a document that is nearest to the center of a circle, or `nil`.
  func nearest(
    to circle: GeoCircle, of document: Int, in column: GeoColumn, segment: Int,
    _ cancellation: CancellationCheck
  ) throws -> Nearest? {
    guard column.points(of: document).count > Self.forgottenCount else {
      return try circle.nearest(of: document, in: column, cancellation)
    }
    let key = UInt64(UInt32(clamping: segment)) << 32 | UInt64(UInt32(clamping: document))
    if let known = known[key] { return known }
    let nearest = try circle.nearest(of: document, in: column, cancellation)
    known[key] = .some(nearest)
    return nearest
  }
}
