import AsyncInstantSearch

/// What a query asks about places.
///
/// A bounding box takes precedence over a polygon, and a polygon over a point. Records without a
/// point fulfil none of them.
enum GeoSearch: Sendable, Hashable {
  /// Inside one of the boxes.
  case boxes([GeoBox])
  /// Inside one of the polygons.
  case polygons([GeoPolygon])
  /// Near a point, ranked by distance.
  case around(GeoCircle)

  /// Reads the parameters of a query; `nil` when it asks about no place.
  init?(_ query: SearchQuery) throws(APIError) {
    if let value = query.insideBoundingBox?.optional {
      let boxes = value.rectangles?.compactMap(GeoBox.init(corners:)) ?? []
      guard let rectangles = value.rectangles, boxes.count == rectangles.count else {
        throw APIError(
          "Invalid value for \"insideBoundingBox\" parameter,"
            + " expected groups of 4 numbers (lat, lng, lat, lng of two corners)")
      }
      if !boxes.isEmpty {
        self = .boxes(boxes)
        return
      }
    }
    if let lists = query.insidePolygon, !lists.isEmpty {
      let polygons = lists.compactMap(GeoPolygon.init)
      guard polygons.count == lists.count else {
        throw APIError(
          "Invalid value for \"insidePolygon\" parameter,"
            + " expected polygons of 3 to \(GeoPolygon.maximumPointCount) points (lat, lng)")
      }
      self = .polygons(polygons)
      return
    }
    guard let circle = try GeoCircle(query) else { return nil }
    self = .around(circle)
  }

  /// The circle, when the query is about one.
  var circle: GeoCircle? {
    if case .around(let circle) = self { circle } else { nil }
  }

  /// The documents of a segment that fulfil the condition; with an automatic radius all that have
  /// a point.
  func documents(in column: GeoColumn, count: Int) -> Bitmap {
    switch self {
    case .boxes(let boxes):
      column.documents(in: boxes, count: count) { _ in true }
    case .polygons(let polygons):
      column.documents(in: polygons.map(\.box), count: count) { point in
        polygons.contains { $0.contains(point) }
      }
    case .around(let circle):
      switch circle.radius {
      case .meters(let meters): circle.documents(within: Double(meters), in: column, count: count)
      case .all, .automatic: column.documentsWithPoints(count: count)
      }
    }
  }
}
