import TestSupport
import Testing

@testable import SearchAsYouType

struct LayoutTests {
  @Test(arguments: [Focus.box, .hits, .facet(0), .facet(2), .facet(9)])
  func partsNeverOverlap(focus: Focus) {
    for columns in [1, 2, 40, 69, 70, 149, 150, 1000] {
      for rows in [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 17, 24, 80] {
        let size = ScreenSize(columns: columns, rows: rows)
        let layout = Layout(size, facetCounts: [21, 42, 11], focus: focus, openFacet: 1)
        let lines = [0, layout.statistics, layout.filters, layout.tabs, layout.help]
        let areas =
          lines.compactMap { $0.map { Area(row: $0, rows: 1, columns: columns) } }
          + ([layout.hits] + layout.facets).filter { $0.rows > 0 }
        #expect(areas.allSatisfy { $0.row + $0.rows <= rows })
        #expect(areas.allSatisfy { $0.column + $0.columns <= columns && $0.columns > 0 })
        for (index, area) in areas.enumerated() {
          #expect(!areas[..<index].contains { $0.overlaps(area) })
        }
      }
    }
  }

  @Test(arguments: [(50, 12), (40, 8), (200, 60), (80, 24), (70, 8)])
  func usualScreenHasAllParts(columns: Int, rows: Int) {
    let layout = Layout(
      ScreenSize(columns: columns, rows: rows), facetCounts: [21, 42, 11], focus: .box,
      openFacet: 0)
    #expect(layout.statistics != nil && layout.filters != nil && layout.help == rows - 1)
    #expect(layout.hits.listRows >= 3)
    expectEqual(layout.tabs == nil, layout.isWide)
    #expect(layout.facets.allSatisfy { ($0.rows > 0) == layout.isWide })
  }

  @Test func narrowScreenShowsTheListWithTheFocus() {
    let layout = Layout(
      ScreenSize(columns: 50, rows: 12), facetCounts: [21, 42, 11], focus: .facet(1), openFacet: 1)
    expectEqual(layout.hits.rows, 0)
    expectEqual(layout.facets.map(\.rows), [0, 7, 0])
  }

  @Test(arguments: [
    (100, [22, 43, 12], 0, [22, 43, 12]), (30, [22, 43, 12], 0, [10, 10, 10]),
    (30, [3, 43, 12], 0, [3, 15, 12]), (9, [22, 43, 12], 1, [1, 7, 1]),
    (9, [22, 3, 12], 1, [5, 3, 1]), (3, [22, 43, 12], 2, [0, 0, 3]),
    (1, [22, 43, 12], 0, [1, 0, 0]),
    (0, [22, 43, 12], 0, [0, 0, 0]),
  ])
  func rowsAreDividedAmongLists(rows: Int, wanted: [Int], open: Int, heights: [Int]) {
    expectEqual(Layout.heights(in: rows, wanted: wanted, open: open), heights)
  }
}

extension Area {
  fileprivate func overlaps(_ other: Area) -> Bool {
    (row..<row + rows).overlaps(other.row..<other.row + other.rows)
      && (column..<column + columns).overlaps(other.column..<other.column + other.columns)
  }
}
