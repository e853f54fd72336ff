/// A point to search around, with the radius and the coarseness of distances.
struct GeoCircle: Sendable, Hashable {
  /// How far a record may be.
  enum Radius: Sendable, Hashable {
    case meters(Int)
    /// Anywhere: the distance only ranks.
    case all
    /// As small as leaves enough records, but not below the minimum.
    case automatic(minimum: Int)
  }

  /// The point.
  var center: Point
  /// How far a record may be.
  var radius: Radius
  /// How coarsely distances are compared.
  var precision: GeoPrecision

  /// Reads `aroundLatLng` and what goes with it; `nil` when the query has no such point.
  init?(_ query: SearchQuery) throws(APIError) {
    // Reading the query has refused what is no place on Earth.
    guard let center = query.aroundLatLng else { return nil }
    self.center = center
    switch query.aroundRadius {
    case .all: radius = .all
    case .meters(let meters):
      guard meters >= 1 else {
        throw APIError.invalidValue(
          of: "aroundRadius", expected: "positive integer or \"all\"", got: "\(meters)")
      }
      radius = .meters(meters)
    case nil:
      let minimum = query.minimumAroundRadius ?? 1
      guard minimum >= 1 else {
        throw APIError.invalidValue(
          of: "minimumAroundRadius", expected: "positive integer", got: "\(minimum)")
      }
      radius = .automatic(minimum: minimum)
    }
    precision = GeoPrecision(query.aroundPrecision)
  }

  /// The documents of a segment with a point at most so far away.
  func documents(
    within meters: Double, in column: GeoColumn, count: Int, _ checkpoint: Checkpoint
  ) throws -> Bitmap {
    let box = GeoDistance.box(around: center, meters: meters)
    return try column.documents(in: [box], count: count, checkpoint) { point in
      GeoDistance.meters(from: center, to: point) <= meters
    }
  }

  /// The nearest point of a document and its distance in metres.
  ///
  /// - Complexity: O(points of the document).
  func nearest(
    of document: Int, in column: GeoColumn, _ checkpoint: Checkpoint
  ) throws -> (point: Point, meters: Double)? {
    var best: (point: Point, meters: Double)?
    for (number, point) in column.points(of: document).enumerated() {
      if number & 7 == 0 { try checkpoint.count() }
      let meters = GeoDistance.meters(from: center, to: point)
      if meters < best?.meters ?? .infinity { best = (point, meters) }
    }
    return best
  }
}

/// How coarsely distances are compared: each band of distances has its bucket size.
struct GeoPrecision: Sendable, Hashable {
  private struct Band: Sendable, Hashable {
    var from: Int
    var size: Int
    /// The number of the band's first bucket.
    var firstBucket: Int
  }

  private var bands: [Band]

  /// The bucket size when none is asked for, and the smallest one, in metres.
  static let minimum = 10

  /// Creates the bands of a parameter.
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

  /// More than half of the Earth's circumference, in metres.
  private static let farthest = 21_000_000

  /// The bucket size that applies at a distance.
  func size(at meters: Double) -> Int { band(at: meters).size }

  /// The number of the bucket of a distance, by which records are ranked.
  func bucket(of meters: Double) -> Int {
    let band = band(at: meters)
    return band.firstBucket + (Int(meters) - band.from) / band.size
  }

  private func band(at meters: Double) -> Band {
    bands[max(0, bands.partitionPoint { Double($0.from) <= meters } - 1)]
  }
}

/// The nearest points of the records of one search, worked out once for records with many points:
/// several criteria, the order and the answer ask for them.
final class NearestPoints {
  /// A point of a record, and how far it is.
  typealias Nearest = (point: Point, meters: Double)

  /// Up to this many points, distances are worked out again, which is cheaper than remembering.
  private static let forgottenCount = 16

  private var known: [UInt64: Nearest?] = [:]

  /// The nearest point of a document to the centre of a circle; `nil` when it has none.
  func nearest(
    to circle: GeoCircle, of document: Int, in column: GeoColumn, segment: Int,
    _ checkpoint: Checkpoint
  ) throws -> Nearest? {
    guard column.points(of: document).count > Self.forgottenCount else {
      return try circle.nearest(of: document, in: column, checkpoint)
    }
    let key = UInt64(UInt32(clamping: segment)) << 32 | UInt64(UInt32(clamping: document))
    if let known = known[key] { return known }
    let nearest = try circle.nearest(of: document, in: column, checkpoint)
    known[key] = .some(nearest)
    return nearest
  }
}
