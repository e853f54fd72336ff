/// The size of a terminal in cells.
struct ScreenSize: Hashable, Sendable {
  var columns: Int
  var rows: Int
}

/// A rectangle of the screen for a list.
struct Area: Hashable {
  var row = 0
  var column = 0
  var rows = 0
  var columns = 0
  /// Whether the first row is a header.
  var hasHeader = false

  /// The number of rows for the elements of the list.
  var listRows: Int { max(0, rows - (hasHeader ? 1 : 0)) }
}

/// Where the parts of the screen are.
///
/// The box is always in the first row. Facet lists are beside the hits if there are enough columns.
/// Otherwise a row of tabs says which list fills the screen. On a screen with few rows, the list is
/// more important than the lines around it.
struct Layout: Equatable {
  /// The fewest columns for lists side by side.
  static let wideColumns = 70
  /// The fewest columns for facet lists side by side.
  static let facetRowColumns = 150
  static let facetColumns = 28

  private(set) var statistics: Int?
  private(set) var filters: Int?
  private(set) var tabs: Int?
  private(set) var help: Int?
  private(set) var hits = Area()
  /// One for each facet list; without rows if it is not visible.
  private(set) var facets: [Area]
  let isWide: Bool

  /// - Parameters:
  ///   - size: The size of the screen.
  ///   - facetCounts: The number of values of each facet list.
  ///   - focus: What the keys go to.
  ///   - openFacet: The facet list that is preferred if not all of them fit.
  init(_ size: ScreenSize, facetCounts: [Int], focus: Focus, openFacet: Int) {
    isWide = size.columns >= Self.wideColumns
    facets = facetCounts.map { _ in Area() }
    var next = 1
    func row(ifRowsAtLeast rows: Int) -> Int? {
      guard size.rows >= rows else { return nil }
      defer { next += 1 }
      return next
    }
    statistics = row(ifRowsAtLeast: 4)
    filters = row(ifRowsAtLeast: 7)
    tabs = isWide ? nil : row(ifRowsAtLeast: 5)
    help = size.rows >= 6 ? size.rows - 1 : nil
    let body = Area(
      row: next, rows: max(0, (help ?? size.rows) - next), columns: size.columns, hasHeader: isWide)
    if isWide {
      placeBeside(body, facetCounts, openFacet)
    } else if case .facet(let index) = focus, facets.indices.contains(index) {
      facets[index] = body
    } else {
      hits = body
    }
  }

  private mutating func placeBeside(_ body: Area, _ counts: [Int], _ openFacet: Int) {
    let isRow = body.columns >= Self.facetRowColumns
    let width = Self.facetColumns * (isRow ? counts.count : 1)
    hits = body
    hits.columns -= width
    var area = body
    area.column = hits.columns
    area.columns = Self.facetColumns
    let heights =
      isRow
      ? counts.map { _ in body.rows }
      : Self.heights(in: body.rows, wanted: counts.map { $0 + 1 }, open: openFacet)
    for index in counts.indices {
      area.rows = heights[index]
      facets[index] = area
      if isRow { area.column += area.columns } else { area.row += area.rows }
    }
  }

  /// Divides rows among lists one below the other: each gets what it wants or an equal part. If
  /// that is too little for all, one list is open, and the others have what is left or a header.
  static func heights(in rows: Int, wanted: [Int], open: Int) -> [Int] {
    let fewest = 4
    let isTight = rows < wanted.count * fewest
    let header = isTight && rows > wanted.count ? 1 : 0
    var heights = wanted.map { _ in header }
    var free = rows - header * wanted.count
    let ascending = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    let order = isTight ? [open] + wanted.indices.filter { $0 != open } : ascending
    for (position, index) in order.enumerated() {
      let part = isTight ? free : free / (wanted.count - position)
      let added = min(wanted[index] - header, part)
      heights[index] += added
      free -= added
    }
    return heights
  }
}
