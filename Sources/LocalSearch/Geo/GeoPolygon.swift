import AsyncInstantSearch

/// A polygon of at least three points, closed by the line from the last to the first.
///
/// Lines are straight in latitude and longitude. Longitudes may lie beyond 180 degrees.
///
/// The lines are sorted into bands of latitude, so that a point is compared with those of its band
/// only.
struct GeoPolygon: Sendable, Hashable {
  private let points: [Point]
  /// The smallest box that contains the polygon.
  let box: GeoBox
  /// The lines that touch band b are `bandLines[bandStarts[b]..<bandStarts[b + 1]]`, each by its
  /// end.
  private let bandStarts: [UInt32]
  private let bandLines: [UInt32]

  /// How many points the polygons of a query may have together.
  static let maximumPointCount = 10_000
  private static let maximumBandCount = 4096
  /// How many entries the bands may have for each line, on average.
  private static let entriesPerLine = 16

  /// Creates a polygon from latitudes and longitudes in turn.
  init?(_ numbers: [Double]) {
    guard numbers.count >= 6, numbers.count.isMultiple(of: 2), numbers.allSatisfy(\.isFinite),
      numbers.count / 2 <= Self.maximumPointCount
    else { return nil }
    let points = stride(from: 0, to: numbers.count, by: 2).map {
      Point(latitude: numbers[$0], longitude: numbers[$0 + 1])
    }
    let latitudes = points.map(\.latitude)
    let longitudes = points.map(\.longitude)
    let box = GeoBox(
      south: latitudes.min() ?? 0, west: longitudes.min() ?? 0, north: latitudes.max() ?? 0,
      east: longitudes.max() ?? 0)
    // As many bands as there is room for: long lines touch many.
    var bandCount = min(Self.maximumBandCount, points.count)
    var ranges: [ClosedRange<Int>] = []
    while true {
      ranges = points.indices.map { end in
        let start = points[end == 0 ? points.count - 1 : end - 1].latitude
        let first = Self.band(min(start, points[end].latitude), box, bandCount)
        return first...max(first, Self.band(max(start, points[end].latitude), box, bandCount))
      }
      let entryCount = ranges.reduce(0) { $0 + $1.count }
      if bandCount == 1 || entryCount <= Self.entriesPerLine * points.count { break }
      bandCount /= 2
    }
    var starts = [UInt32](repeating: 0, count: bandCount + 1)
    for range in ranges {
      for band in range { starts[band + 1] += 1 }
    }
    for band in 0..<bandCount { starts[band + 1] += starts[band] }
    var next = starts
    var lines = [UInt32](repeating: 0, count: Int(starts[bandCount]))
    for (line, range) in ranges.enumerated() {
      for band in range {
        lines[Int(next[band])] = UInt32(line)
        next[band] += 1
      }
    }
    self.points = points
    self.box = box
    bandStarts = starts
    bandLines = lines
  }

  /// The band of a latitude; never a lower one for a higher latitude.
  private static func band(_ latitude: Double, _ box: GeoBox, _ count: Int) -> Int {
    let share = (latitude - box.south) / (box.north - box.south)
    // Without a height there is one latitude only.
    guard share.isFinite else { return 0 }
    return min(count - 1, Int(min(max(share, 0), 1) * Double(count)))
  }

  /// Whether a point lies inside, by the even-odd rule.
  ///
  /// - Complexity: O(lines of the point's band).
  func contains(_ point: Point, _ checkpoint: Checkpoint) throws -> Bool {
    let band = Self.band(point.latitude, box, bandStarts.count - 1)
    let lines = bandLines[Int(bandStarts[band])..<Int(bandStarts[band + 1])]
    for turn in GeoBox.turns {
      let longitude = point.longitude + turn
      guard box.west <= longitude, longitude <= box.east else { continue }
      try checkpoint.count(1 + lines.count &>> 4)
      var isInside = false
      for line in lines {
        let a = points[Int(line)]
        let b = points[line == 0 ? points.count - 1 : Int(line) - 1]
        if (a.latitude > point.latitude) != (b.latitude > point.latitude) {
          let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
          if longitude < a.longitude + share * (b.longitude - a.longitude) { isInside.toggle() }
        }
      }
      if isInside { return true }
    }
    return false
  }
}
