import InstantSearchJSON

/// The points of the documents of a segment, with a grid for finding the points in a box.
struct GeoColumn: Sendable {
  /// The points of document d are `points[starts[d]..<starts[d + 1]]`. Empty if there are no
  /// points.
  let starts: [UInt32]
  let points: [Point]
  /// The grid cells of the points in ascending order, with the index of the point and the document
  /// of each.
  let cells: [UInt32]
  let cellPoints: [UInt32]
  let cellDocuments: [UInt32]

  private static let cellsPerDegree = 4.0
  private static let columns: UInt32 = 360 * 4 + 1

  /// Creates a column from its arrays.
  init(
    starts: [UInt32], points: [Point], cells: [UInt32], cellPoints: [UInt32],
    cellDocuments: [UInt32]
  ) {
    self.starts = starts
    self.points = points
    self.cells = cells
    self.cellPoints = cellPoints
    self.cellDocuments = cellDocuments
  }

  /// Collects the points.
  struct Builder {
    private let cancellation: CancellationCheck
    private var entries: [(document: UInt32, point: Point)] = []

    init(_ cancellation: CancellationCheck) { self.cancellation = cancellation }

    /// Adds the points of a record's `_geoloc`: an object with `lat` and `lng`, or an array of
    /// them.
    ///
    /// Other values, and points out of range, are skipped.
    mutating func add(document: Int, geoloc node: JSONNode) throws {
      try cancellation.count()
      if let latitude = node["lat"]?.double, let longitude = node["lng"]?.double {
        let point = Point(latitude: latitude, longitude: longitude)
        if point.isValid { entries.append((UInt32(clamping: document), point)) }
      } else {
        for element in node.elements where element.kind == .object {
          try add(document: document, geoloc: element)
        }
      }
    }

    /// Returns the finished column.
    consuming func build(count: Int) throws -> GeoColumn {
      try GeoColumn(entries, count: count, cancellation)
    }
  }

  /// Creates a column from the points of documents, which ascend.
  init(
    _ entries: [(document: UInt32, point: Point)], count: Int, _ cancellation: CancellationCheck
  ) throws {
    points = try cancellation.map(entries) { $0.point }
    if entries.isEmpty {
      starts = []
    } else {
      var starts = [UInt32](repeating: 0, count: count + 1)
      try cancellation.forEach(entries) { starts[Int($0.document) + 1] += 1 }
      try cancellation.forEach(0..<count) { starts[$0 + 1] += starts[$0] }
      self.starts = starts
    }
    var sorted = try cancellation.map(entries.indices) {
      (cell: Self.cell(entries[$0].point), index: $0)
    }
    try cancellation.sort(&sorted) {
      $0.cell == $1.cell ? $0.index < $1.index : $0.cell < $1.cell
    }
    cells = try cancellation.map(sorted) { $0.cell }
    cellPoints = try cancellation.map(sorted) { UInt32(truncatingIfNeeded: $0.index) }
    cellDocuments = try cancellation.map(sorted) { entries[$0.index].document }
  }

  /// Whether no document has a point.
  var isEmpty: Bool { points.isEmpty }

  /// Returns the points of one document.
  func points(of document: Int) -> ArraySlice<Point> {
    starts.isEmpty ? [] : points[Int(starts[document])..<Int(starts[document + 1])]
  }

  /// Returns the documents that have a point.
  func documentsWithPoints(count: Int, _ cancellation: CancellationCheck) throws -> Bitmap {
    var result = Bitmap(count: count)
    try cancellation.forEach(cellDocuments) { result[Int($0)] = true }
    return result
  }

  /// Returns the documents with a point in one of the boxes that also matches the predicate.
  ///
  /// - Parameter members: The documents to choose from, or `nil` for all.
  func documents(
    in boxes: [GeoBox], count: Int, among members: Bitmap? = nil,
    _ cancellation: CancellationCheck, where isWanted: (Point) throws -> Bool
  ) throws -> Bitmap {
    var result = Bitmap(count: count)
    for box in boxes.flatMap(\.parts) {
      try forEachCandidate(in: box, cancellation) { point, document in
        if members?[document] ?? true, !result[document], box.contains(point), try isWanted(point) {
          result[document] = true
        }
      }
    }
    return result
  }

  /// Returns the number of points in the cells that a box touches.
  func candidateCount(in box: GeoBox, _ cancellation: CancellationCheck) throws -> Int {
    var count = 0
    for part in box.parts { try forEachRow(of: part, cancellation) { count += $0.count } }
    return count
  }

  /// Calls a closure with the points of the cells that a box touches.
  private func forEachCandidate(
    in box: GeoBox, _ cancellation: CancellationCheck, _ body: (Point, Int) throws -> Void
  ) throws {
    try forEachRow(of: box, cancellation) { cells in
      for index in cells {
        // The closure is as much work as two elements of a simple loop.
        try cancellation.count(element: 2 * index)
        try body(points[Int(cellPoints[index])], Int(cellDocuments[index]))
      }
    }
  }

  /// Calls a closure with the indices of the cells that a box touches, row by row.
  private func forEachRow(
    of box: GeoBox, _ cancellation: CancellationCheck, _ body: (Range<Int>) throws -> Void
  ) throws {
    let (south, north) = (Self.row(box.south), Self.row(box.north))
    guard !cells.isEmpty, south <= north else { return }
    let (west, east) = (Self.column(box.west), Self.column(box.east))
    for row in south...north {
      try cancellation.count()
      let first = cells.partitionPoint { $0 < row * Self.columns + west }
      if first == cells.count { return }
      let end = cells[first...].partitionPoint { $0 <= row * Self.columns + east }
      try body(first..<end)
    }
  }

  private static func cell(_ point: Point) -> UInt32 {
    row(point.latitude) * columns + column(point.longitude)
  }

  private static func row(_ latitude: Double) -> UInt32 {
    UInt32((min(max(latitude, -90), 90) + 90) * cellsPerDegree)
  }

  private static func column(_ longitude: Double) -> UInt32 {
    UInt32((min(max(longitude, -180), 180) + 180) * cellsPerDegree)
  }
}

extension GeoColumn {
  /// Merges columns.
  static func merging(
    _ sources: [MergeSource<GeoColumn>], count: Int, _ cancellation: CancellationCheck
  ) throws -> GeoColumn {
    var entries: [(document: UInt32, point: Point)] = []
    for source in sources where !source.content.isEmpty {
      try source.forEachDocument(cancellation) { old, new in
        for point in source.content.points(of: old) {
          try cancellation.count()
          entries.append((new, point))
        }
      }
    }
    return try GeoColumn(entries, count: count, cancellation)
  }
}
