// Places.

extension SearchQuery {
  /// The centre of a search by distance, sent as `lat,lng`.
  ///
  /// Ignored when ``insideBoundingBox`` or ``insidePolygon`` is set.
  /// Default: none. Per search only.
  public var aroundLatLng: Point? {
    get { self[.aroundLatLng] }
    set { self[.aroundLatLng] = newValue }
  }

  /// Whether the centre is where the caller's IP address is.
  ///
  /// Default: `false`. Per search only.
  public var aroundLatLngViaIP: Bool? {
    get { self[.aroundLatLngViaIP] }
    set { self[.aroundLatLngViaIP] = newValue }
  }

  /// The greatest distance from the centre, in metres.
  ///
  /// Default: chosen by the density of the records. Per search only.
  public var aroundRadius: AroundRadius? {
    get { self[.aroundRadius] }
    set { self[.aroundRadius] = newValue }
  }

  /// The least radius when it is chosen automatically, in metres.
  ///
  /// No default. Per search only.
  public var minimumAroundRadius: Int? {
    get { self[.minimumAroundRadius] }
    set { self[.minimumAroundRadius] = newValue }
  }

  /// How coarsely distances are compared, in metres.
  ///
  /// Default: 10. Per search only.
  public var aroundPrecision: AroundPrecision? {
    get { self[.aroundPrecision] }
    set { self[.aroundPrecision] = newValue }
  }

  /// Rectangles, in one of which a record lies; `.box(…)` makes them of a ``BoundingBox``.
  ///
  /// No default. Per search only.
  public var insideBoundingBox: Nullable<InsideBoundingBox>? {
    get { self[.insideBoundingBox] }
    set { self[.insideBoundingBox] = newValue }
  }

  /// Polygons, in one of which a record lies: latitude, longitude, latitude … in degrees.
  ///
  /// Each has 3 to 10,000 points. Ignored when ``insideBoundingBox`` is set.
  /// No default. Per search only.
  public var insidePolygon: [[Double]]? {
    get { self[.insidePolygon] }
    set { self[.insidePolygon] = newValue }
  }
}
