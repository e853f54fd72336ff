import InstantSearchAPI

/// Counts the lines of a polygon that are east of a point, without looking at most of them.
///
/// The grid divides latitudes into bands and longitudes into columns. A line that crosses a whole
/// band is in the cells that it touches there. It is east of all points in the cells west of these,
/// which need no more than the parity of such lines, and east of no point in the others. A line
/// that ends within a band is compared with all points of the band.
///
/// A line belongs to a cell because of the same calculation that compares it with a point. So the
/// results are the same as comparing a point with every line.
///
/// The numbers of lines have 16 bits, which is enough for ``ParameterLimits/maximumPointCount``.
struct LineGrid: Sendable {
  private let lines: [GeoLine]
  /// Band b contains the latitudes from `bands[b]` up to, but not including, `bands[b + 1]`. The
  /// first is the lowest of the polygon, the last the highest.
  private let bands: [Double]
  /// Column c contains the longitudes from `columns[c - 1]` up to, but not including, `columns[c]`.
  /// The first and the last column have no outer bound.
  private let columns: [Double]
  /// The lines that end within band b are `bandLines[bandStarts[b]..<bandStarts[b + 1]]`.
  private var bandStarts: [UInt32]
  private var bandLines: [UInt16] = []
  /// The lines that cross the band of cell c there are `cellLines[cellStarts[c]..<cellStarts[c +
  /// 1]]`. The cells of a band follow each other.
  private var cellStarts: [UInt32]
  private var cellLines: [UInt16] = []
  /// Whether an odd number of lines crosses the band of each cell in the cells east of it.
  private let areOdd: [Bool]

  private static let maximumBandCount = 4096
  private static let maximumColumnCount = 256
  private static let maximumCellCount = 1 << 18

  /// Returns the approximate maximum of the average number of cells that a line touches.
  ///
  /// More of them save more comparisons, and a polygon with few lines needs few.
  private static func cellsPerLine(_ lineCount: Int) -> Int { max(4, lineCount / 64) }

  /// Creates a grid.
  ///
  /// - Parameters:
  ///   - lines: The lines of a polygon, without horizontal lines.
  ///   - latitudes: The latitudes of all points, sorted.
  ///   - longitudes: The longitudes of all points, sorted.
  init(
    _ lines: [GeoLine], latitudes: [Double], longitudes: [Double],
    _ cancellation: CancellationCheck
  ) throws {
    let (bands, crossingCount) = try Self.bands(latitudes, lines, cancellation)
    let columns = try Self.columns(
      longitudes, lines, bandCount: bands.count, crossingCount, cancellation)
    let bandCount = max(0, bands.count - 1)
    let columnCount = columns.count + 1
    self.lines = lines
    self.bands = bands
    self.columns = columns
    var bandStarts = [UInt32](repeating: 0, count: bandCount + 1)
    var cellStarts = [UInt32](repeating: 0, count: bandCount * columnCount + 1)
    var areOdd = [Bool](repeating: false, count: bandCount * columnCount)
    for line in lines {
      try Self.forEachBand(of: line, bands, columns, cancellation) { band in
        bandStarts[band + 1] += 1
      } crossed: { band, touched in
        let first = band * columnCount
        for column in touched { cellStarts[first + column + 1] += 1 }
        if touched.lowerBound > 0 { areOdd[first + touched.lowerBound - 1].toggle() }
      }
    }
    for band in 0..<bandCount {
      try cancellation.count(1 + columnCount &>> 4)
      bandStarts[band + 1] += bandStarts[band]
      let first = band * columnCount
      for cell in first..<first + columnCount { cellStarts[cell + 1] += cellStarts[cell] }
      for cell in (first..<first + columnCount - 1).reversed() where areOdd[cell + 1] {
        areOdd[cell].toggle()
      }
    }
    self.bandStarts = bandStarts
    self.cellStarts = cellStarts
    self.areOdd = areOdd
    try place(cancellation)
  }

  /// Writes the lines of the bands and cells, whose numbers are known.
  private mutating func place(_ cancellation: CancellationCheck) throws {
    let columnCount = columns.count + 1
    var (bandEnds, cellEnds) = ([UInt32](), [UInt32]())
    swap(&bandEnds, &bandStarts)
    swap(&cellEnds, &cellStarts)
    var bandLines = [UInt16](repeating: 0, count: Int(bandEnds[bandEnds.count - 1]))
    var cellLines = [UInt16](repeating: 0, count: Int(cellEnds[cellEnds.count - 1]))
    for (index, line) in lines.enumerated() {
      let number = UInt16(truncatingIfNeeded: index)
      try Self.forEachBand(of: line, bands, columns, cancellation) { band in
        bandLines[Int(bandEnds[band])] = number
        bandEnds[band] += 1
      } crossed: { band, touched in
        for column in touched {
          let cell = band * columnCount + column
          cellLines[Int(cellEnds[cell])] = number
          cellEnds[cell] += 1
        }
      }
    }
    self.bandLines = bandLines
    self.cellLines = cellLines
    bandStarts = try Self.starts(bandEnds, cancellation)
    cellStarts = try Self.starts(cellEnds, cancellation)
  }

  /// Returns the starts of lists that follow each other, from the end of each and of the last.
  private static func starts(
    _ ends: consuming [UInt32], _ cancellation: CancellationCheck
  ) throws -> [UInt32] {
    for index in ends.indices.dropFirst().reversed() {
      try cancellation.count(element: index)
      ends[index] = ends[index - 1]
    }
    ends[0] = 0
    return ends
  }

  /// Whether an odd number of lines is east of a point at its latitude.
  func hasOddCount(eastOf point: Point, _ cancellation: CancellationCheck) throws -> Bool {
    // Every line ends at the highest latitude or below, and the end does not belong to it.
    let band = Self.boundCount(bands, upTo: point.latitude) - 1
    guard band >= 0, band + 1 < bands.count else { return false }
    let cell = band * (columns.count + 1) + Self.boundCount(columns, upTo: point.longitude)
    let ending = bandLines[Int(bandStarts[band])..<Int(bandStarts[band + 1])]
    let crossing = cellLines[Int(cellStarts[cell])..<Int(cellStarts[cell + 1])]
    try cancellation.count(1 &+ (ending.count &+ crossing.count) &>> 4)
    var count = areOdd[cell] ? 1 : 0
    for line in ending { count &+= lines[Int(line)].countEast(of: point) }
    for line in crossing { count &+= lines[Int(line)].countEast(of: point) }
    return !count.isMultiple(of: 2)
  }
}

extension LineGrid {
  /// Calls closures with the bands of a line: `ended` with each band in which it ends or whose
  /// columns are unknown, `crossed` with each band that it crosses and the columns that it touches
  /// there.
  @inline(__always)
  private static func forEachBand(
    of line: GeoLine, _ bands: [Double], _ columns: [Double], _ cancellation: CancellationCheck,
    ended: (Int) -> Void, crossed: (Int, ClosedRange<Int>) -> Void
  ) throws {
    let (south, north) = (line.south, line.north)
    var band = boundCount(bands, upTo: south) - 1
    if bands[band] < south {
      ended(band)
      band += 1
    }
    var longitude = line.longitude(at: bands[band])
    var column = boundCount(columns, upTo: longitude)
    while band + 1 < bands.count, bands[band + 1] <= north {
      let nextLongitude = line.longitude(at: bands[band + 1])
      var nextColumn = column
      while nextColumn < columns.count, columns[nextColumn] <= nextLongitude { nextColumn += 1 }
      while nextColumn > 0, columns[nextColumn - 1] > nextLongitude { nextColumn -= 1 }
      try cancellation.count(element: 4 * band)
      if longitude.isFinite, nextLongitude.isFinite {
        crossed(band, min(column, nextColumn)...max(column, nextColumn))
      } else {
        // The numbers are so large that the calculation overflows.
        ended(band)
      }
      (longitude, column) = (nextLongitude, nextColumn)
      band += 1
    }
    if band + 1 < bands.count, bands[band] < north { ended(band) }
  }

  /// Returns the bands, fewer of them if the lines would cross too many, and the number of
  /// crossings.
  private static func bands(
    _ latitudes: [Double], _ lines: [GeoLine], _ cancellation: CancellationCheck
  ) throws -> ([Double], crossingCount: Int) {
    var count = min(maximumBandCount, lines.count)
    while true {
      let bands = bounds(of: latitudes, count)
      var crossingCount = 0
      for line in lines {
        try cancellation.count()
        crossingCount += boundCount(bands, upTo: line.north) - boundCount(bands, upTo: line.south)
      }
      if count <= 1 || crossingCount <= cellsPerLine(lines.count) * lines.count * 2 / 3 {
        return (bands, crossingCount)
      }
      count /= 2
    }
  }

  /// Returns the columns, fewer of them if the lines would touch too many cells.
  private static func columns(
    _ longitudes: [Double], _ lines: [GeoLine], bandCount: Int, _ crossingCount: Int,
    _ cancellation: CancellationCheck
  ) throws -> [Double] {
    var count = min(maximumColumnCount, lines.count, maximumCellCount / max(1, bandCount))
    while true {
      let columns = Array(bounds(of: longitudes, count).dropFirst().dropLast())
      // A line touches one cell in each band, and another one with each column that it enters.
      var cellCount = crossingCount
      for line in lines {
        try cancellation.count()
        let column = boundCount(columns, upTo: line.start.longitude)
        cellCount += abs(column - boundCount(columns, upTo: line.end.longitude))
      }
      if count <= 1 || cellCount <= cellsPerLine(lines.count) * lines.count { return columns }
      count /= 2
    }
  }

  /// Returns bounds from the first to the last of some sorted values: half of them at even
  /// distances, for lines between distant points, and half with as many values between them, for
  /// points that are close together.
  private static func bounds(of sorted: [Double], _ count: Int) -> [Double] {
    guard let first = sorted.first, let last = sorted.last, first < last else { return [] }
    let half = max(1, count / 2)
    var all = [first, last]
    for number in 1..<half {
      all.append(sorted[sorted.count * number / half])
      all.append(first + (last - first) * (Double(number) / Double(half)))
    }
    all.sort()
    var bounds: [Double] = []
    for bound in all where bound.isFinite && bound <= last && bound != bounds.last {
      bounds.append(bound)
    }
    return bounds
  }

  /// Returns the number of sorted bounds that are not greater than a value.
  @inline(__always)
  private static func boundCount(_ bounds: [Double], upTo value: Double) -> Int {
    bounds.partitionPoint { $0 <= value }
  }
}
