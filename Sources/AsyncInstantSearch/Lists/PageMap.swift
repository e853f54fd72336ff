/// The loaded pages of one search, and their rows.
///
/// - The size of a page comes from the response, otherwise from the request, and never from the
///   number of hits.
/// - The number of rows is the response's `nbHits`, limited to the rows of its `nbPages`. It does
///   not change when pages are dropped, and includes every row that was loaded.
/// - A hit that could not be decoded keeps its row, which stays empty.
/// - Grouping can return more hits than the size of the page, which moves the rows after that page.
/// - A search by `offset` and `length` is one page.
package struct PageMap<Record: Decodable & Sendable>: Sendable {
  /// A loaded page.
  package struct Page: Sendable {
    /// The hits in order, with `nil` for each hit that could not be decoded.
    package let slots: [Record?]
    /// The hits before decoding.
    let source: QueryResult?
  }

  /// The maximum number of rows. It limits the count of a response.
  package static var rowLimit: Int { 1 << 24 }

  /// The number of hits on a full page, at least 1.
  package let pageSize: Int
  /// The number of the page that the map was created with.
  package let firstNumber: Int
  /// The number of rows, loaded or not.
  package private(set) var rowCount = 0
  /// The number of pages that can be requested.
  package private(set) var pageCount = 0
  /// The loaded pages by number.
  package private(set) var pages: [Int: Page] = [:]

  private let isPaged: Bool
  /// The pages with more hits than `pageSize`, and how many more, in the order of the pages. Empty
  /// without grouping.
  private var surplus: [(number: Int, count: Int)] = []
  /// The row after the last one that was ever loaded.
  private var reach = 0

  /// Creates the map of a search from its response.
  package init(_ page: HitsPage<Record>, response: SearchAnswer? = nil) {
    let query = page.request?.query
    let count = page.hits.count + page.failures.count
    isPaged = page.offset == nil && query?.offset == nil
    if !isPaged {
      pageSize = max(1, count)
      firstNumber = 0
    } else {
      // 20 is the default of the search API, for a response without the number.
      pageSize =
        [page.hitsPerPage, query?.hitsPerPage ?? 0].first { $0 > 0 } ?? max(20, count)
      firstNumber = max(0, page.page)
    }
    insert(page, number: firstNumber, response: response)
  }

  /// Whether a page has the page size of this search.
  package func fits(_ page: HitsPage<Record>) -> Bool {
    page.hitsPerPage <= 0 || page.hitsPerPage == pageSize
  }

  /// Inserts a page, or replaces it.
  package mutating func insert(
    _ page: HitsPage<Record>, number: Int, response: SearchAnswer? = nil
  ) {
    let slots = Self.slots(of: page)
    pages[number] = Page(slots: slots, source: response?.hits)
    if slots.count > pageSize {
      surplus.removeAll { $0.number == number }
      surplus.append((number, slots.count - pageSize))
      surplus.sort { $0.number < $1.number }
    }
    count(page, slots: slots.count, number: number)
  }

  /// Drops the pages outside of a range, and returns them.
  package mutating func drop(outside range: ClosedRange<Int>) -> [Page] {
    let dropped = pages.filter { !range.contains($0.key) }
    for number in dropped.keys { pages[number] = nil }
    return Array(dropped.values)
  }

  private mutating func count(_ page: HitsPage<Record>, slots: Int, number: Int) {
    let total = max(0, page.nbHits)
    let reachable: Int
    if !isPaged {
      reachable = slots
      pageCount = 1
    } else if page.nbPages > 0 {
      let (product, overflow) = page.nbPages.multipliedReportingOverflow(by: pageSize)
      reachable = overflow ? total : min(total, product)
      pageCount = page.nbPages
    } else {
      // Without hits, the request asked for the total only. With hits, `nbPages` was left out.
      reachable = slots == 0 ? 0 : total
      pageCount = reachable / pageSize + (reachable % pageSize == 0 ? 0 : 1)
    }
    reach = max(reach, firstRow(of: number).adding(slots))
    let moved = surplus.reduce(0) { $0.adding($1.count) }
    rowCount = min(max(reachable.adding(moved), reach), Self.rowLimit)
  }

  /// Returns the hits, with `nil` for each hit that could not be decoded.
  private static func slots(of page: HitsPage<Record>) -> [Record?] {
    if page.failures.isEmpty { return page.hits }
    let (product, overflow) = page.page.multipliedReportingOverflow(by: page.hitsPerPage)
    let first = page.offset ?? (overflow ? 0 : product)
    let empty = Set(page.failures.compactMap { $0.position.map { $0 - 1 - first } })
    var hits = page.hits.makeIterator()
    return (0..<page.hits.count + page.failures.count).map { slot in
      empty.contains(slot) ? nil : hits.next()
    }
  }
}

// MARK: - Rows

extension PageMap {
  /// The record of a row. `nil` if its page is not loaded, it could not be decoded, or there is no
  /// such row.
  package subscript(row: Int) -> Record? {
    guard let (page, slot) = slot(of: row) else { return nil }
    return page.slots[slot]
  }

  /// Returns the loaded page of a row, and the index of the row in it.
  func slot(of row: Int) -> (page: Page, slot: Int)? {
    guard row >= 0, row < rowCount else { return nil }
    let number = page(ofRow: row)
    guard let page = pages[number] else { return nil }
    let slot = row - firstRow(of: number)
    return page.slots.indices.contains(slot) ? (page, slot) : nil
  }

  /// The records of the loaded pages, in order.
  package var loadedRecords: [Record] {
    pages.keys.sorted().flatMap { pages[$0]?.slots.compactMap { $0 } ?? [] }
  }

  /// The records of the loaded pages with their rows, in order.
  var loadedRows: [(row: Int, record: Record)] {
    pages.sorted { $0.key < $1.key }.flatMap { number, page in
      let first = firstRow(of: number)
      return page.slots.enumerated().compactMap { slot, record in
        let row = first.adding(slot)
        return row < rowCount ? record.map { (row, $0) } : nil
      }
    }
  }

  /// Returns the number of the page that contains a row.
  package func page(ofRow row: Int) -> Int {
    var shift = 0
    for (number, count) in surplus {
      let (product, overflow) = number.multipliedReportingOverflow(by: pageSize)
      let start = overflow ? .max : product.adding(shift)
      if row < start { break }
      if row < start + pageSize + count { return number }
      shift += count
    }
    return (row - shift) / pageSize
  }

  /// Returns the pages of a row and of `offset` rows before and after it. `nil` if the row does not
  /// exist.
  package func window(around row: Int, offset: Int) -> ClosedRange<Int>? {
    guard row >= 0, row < rowCount, pageCount > 0 else { return nil }
    let offset = max(0, offset)
    let first = min(page(ofRow: max(0, row - offset)), pageCount - 1)
    let last = min(page(ofRow: min(row.adding(offset), rowCount - 1)), pageCount - 1)
    return first...last
  }

  private func firstRow(of number: Int) -> Int {
    let (product, overflow) = number.multipliedReportingOverflow(by: pageSize)
    if overflow { return .max }
    return surplus.reduce(product) { $1.number < number ? $0.adding($1.count) : $0 }
  }
}

extension Int {
  /// Returns the sum, or the largest number if the sum overflows.
  fileprivate func adding(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
