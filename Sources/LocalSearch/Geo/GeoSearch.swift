import InstantSearchAPI

/// The geographic condition of a query.
///
/// A bounding box takes precedence over a polygon, and a polygon over a point. Records without a
/// point match no condition.
package enum GeoSearch: Sendable {
  /// Inside one of the boxes.
  case boxes([GeoBox])
  /// Inside one of the polygons.
  case polygons([GeoPolygon])
  /// Near a point, ranked by distance.
  case around(GeoCircle)

  /// Reads the parameters of a query, or returns `nil` if it has no geographic condition.
  init?(_ query: SearchQuery, _ cancellation: CancellationCheck) throws {
    if let value = query.insideBoundingBox?.optional {
      let boxes = value.rectangles?.compactMap(GeoBox.init(corners:)) ?? []
      guard let rectangles = value.rectangles, boxes.count == rectangles.count else {
        throw APIError(
          "Invalid value for \"insideBoundingBox\" parameter,"
            + " expected groups of 4 numbers (lat, lng, lat, lng of two corners)")
      }
      guard boxes.count <= ParameterLimits.maximumBoxCount else {
        throw APIError.invalidValue(
          of: "insideBoundingBox", expected: "at most \(ParameterLimits.maximumBoxCount) boxes",
          got: "\(boxes.count)")
      }
      if !boxes.isEmpty {
        self = .boxes(boxes)
        return
      }
    }
    if let lists = query.insidePolygon, !lists.isEmpty {
      let numberCount = lists.reduce(0) { $0 + $1.count }
      guard numberCount <= 2 * ParameterLimits.maximumPointCount else {
        throw APIError.invalidValue(
          of: "insidePolygon",
          expected: "at most \(ParameterLimits.maximumPointCount) points in all polygons together",
          got: "\(numberCount / 2)")
      }
      let polygons = try lists.compactMap { try GeoPolygon($0, cancellation) }
      guard polygons.count == lists.count else {
        throw APIError(
          "Invalid value for \"insidePolygon\" parameter,"
            + " expected polygons of 3 to \(ParameterLimits.maximumPointCount) points (lat, lng)")
      }
      self = .polygons(polygons)
      return
    }
    guard let circle = GeoCircle(query) else { return nil }
    self = .around(circle)
  }

  /// The circle, if the condition is one.
  package var circle: GeoCircle? {
    if case .around(let circle) = self { circle } else { nil }
  }

  /// Returns the documents of a segment that match the condition. With an automatic radius, these
  /// are all documents with a point.
  func documents(
    in column: GeoColumn, count: Int, _ cancellation: CancellationCheck
  ) throws -> Bitmap {
    switch self {
    case .boxes(let boxes):
      return try column.documents(in: boxes, count: count, cancellation) { _ in true }
    case .polygons(let polygons):
      var result = Bitmap(count: count)
      for polygon in polygons {
        result.formUnion(
          try column.documents(in: [polygon.box], count: count, cancellation) { point in
            try polygon.contains(point, cancellation)
          })
      }
      return result
    case .around(let circle):
      switch circle.radius {
      case .meters(let meters):
        return try circle.documents(
          within: Double(meters), in: column, count: count, cancellation)
      case .all, .automatic: return try column.documentsWithPoints(count: count, cancellation)
      }
    }
  }
}

/// Chooses the radius of a search around a point without a radius.
///
/// The radius is the smallest that contains 1000 of the matching records, or all of them if there
/// are fewer, but not below the minimum.
struct AutomaticRadius {
  let circle: GeoCircle
  let minimum: Int
  let cancellation: CancellationCheck

  /// The number of records that the radius contains, if enough records match.
  static let recordCount = 1000

  /// Returns the radius in whole meters.
  func find(_ columns: [GeoColumn], matching: [Bitmap]) throws -> Int {
    let near = try circle.documents(
      of: matching, in: columns, atLeast: Self.recordCount, cancellation)
    return max(minimum, try chosen(columns, near ?? matching))
  }

  /// Returns the distance of the last record to contain, rounded up.
  private func chosen(_ columns: [GeoColumn], _ documents: [Bitmap]) throws -> Int {
    var distances: [Double] = []
    for (column, documents) in zip(columns, documents) {
      try cancellation.check()
      try documents.forEach { document in
        if let nearest = try circle.nearest(of: document, in: column, cancellation) {
          distances.append(nearest.meters)
        }
      }
    }
    try cancellation.sort(&distances, by: <)
    let last = distances.prefix(Self.recordCount).last ?? 0
    return max(1, Int(last.rounded(.up)))
  }
}
