/// The hits of several pages of a search, in the order of the pages.
///
/// Use it on a screen of widgets, including on a server: the next page is an action, and the
/// previous pages are remembered. A ``HitsInteractor`` loads the pages around the presented rows
/// instead.
///
/// It remembers the pages of the newest searches, so that returning to such a search shows all its
/// pages.
public struct InfiniteHits<Record: Decodable & Sendable>: RoutedWidget, RememberingWidget,
  RecordWidget
{
  /// What a list displays.
  public struct View: Sendable, Equatable {
    /// The consecutive pages around the current page, in order.
    public var pages: [Page] = []
    /// The page of the newest results, counted from 0.
    public var currentPage = 0
    /// Whether the first page is displayed.
    public var isFirstPage = true
    /// Whether the last page is displayed.
    public var isLastPage = true
    /// The banner of the newest results; `nil` without a banner.
    public var banner: RenderingContent.Banner?

    /// The hits of all pages with their positions. They are decoded when they are used for the
    /// first time.
    public var items: [Item] { pages.flatMap(\.items) }
  }

  /// A page of hits.
  public struct Page: Sendable, Equatable {
    /// The number of the page, counted from 0.
    public var number: Int { results.page.page }
    fileprivate var results: IndexResults

    /// The hits with their positions. They are decoded when they are used for the first time.
    public var items: [Item] {
      let page = results.page(of: Record.self)
      let failed = Set(page.failures.compactMap(\.position))
      let (first, isTooLarge) = number.multipliedReportingOverflow(by: results.page.hitsPerPage)
      var position: Int? = isTooLarge ? nil : first
      return page.hits.map { record in
        // A hit that could not be decoded has a position, too.
        repeat { position = position?.successor } while position.map(failed.contains) == true
        return Item(position: position, record: record)
      }
    }

    /// The hits that could not be decoded.
    public var failures: [HitFailure] { results.page(of: Record.self).failures }

    /// Whether two pages have the hits of the same response.
    public static func == (left: Page, right: Page) -> Bool {
      left.results.isSameAnswer(as: right.results)
    }
  }

  /// A hit with its position.
  public struct Item: Sendable {
    /// The position among all hits, counted from 1; `nil` if the number is too large.
    public var position: Int?
    /// The hit.
    public var record: Record
  }

  /// The memory of a list.
  public struct Memory: Sendable, Equatable {
    /// The pages of one search by number.
    fileprivate struct Entry: Sendable, Equatable {
      var search: HitsSearch
      var pages: [Int: Page]
    }

    /// The newest search last.
    fileprivate var entries: [Entry] = []

    fileprivate init() {}

    /// The consecutive pages of a search around the current page, by number, including the page of
    /// the newest results. Other pages would leave gaps in the list.
    ///
    /// - Parameters:
    ///   - isWanted: Whether a search matches. The newest match counts.
    ///   - page: The current page.
    fileprivate func pages(
      at page: Int?, newest: IndexResults, where isWanted: (HitsSearch) -> Bool
    ) -> [Int: Page] {
      var current = page ?? 0
      var pages = entries.last { isWanted($0.search) }?.pages ?? [:]
      if isWanted(HitsSearch(newest.plan)) {
        current = newest.page.page
        pages[current] = Page(results: newest)
      }
      guard pages[current] != nil else { return [:] }
      var (first, last) = (current, current)
      while first > 0, pages[first - 1] != nil { first -= 1 }
      while let next = last.successor, pages[next] != nil { last = next }
      return pages.filter { (first...last).contains($0.key) }
    }

    /// Remembers a page, and forgets the oldest searches.
    fileprivate mutating func insert(_ page: Page, limit: Int) {
      let search = HitsSearch(page.results.plan)
      let position = entries.firstIndex { $0.search == search }
      var entry = position.map { entries.remove(at: $0) } ?? Entry(search: search, pages: [:])
      entry.pages[page.number] = page
      entries.append(entry)
      if entries.count > limit { entries.removeFirst(entries.count - limit) }
    }
  }

  /// The initial memory of the widget.
  public var initialMemory: Memory { Memory() }

  /// The number of searches whose pages are remembered.
  public let searchLimit: Int

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - type: The type of the hits.
  ///   - searchLimit: The number of searches whose pages are remembered, at least 1, the displayed
  ///     one included. Defaults to 10.
  public init(of type: Record.Type = Record.self, searchLimit: Int = 10) {
    self.searchLimit = max(searchLimit, 1)
  }

  /// Requests the page after the last displayed one, which is then the page of the search. Nothing
  /// changes on the last page, and before the first results.
  public func showMore() -> Action {
    action { context in
      guard let results = context.results,
        let last = context.pages(after: results).keys.max(),
        last < max(results.page.nbPages, 0) - 1
      else { return }
      context.state.query.page = last + 1
    }
  }

  /// Requests the page before the first displayed one, which is then the page of the search.
  /// Nothing changes on the first page, and before the first results.
  public func showPrevious() -> Action {
    action { context in
      guard let results = context.results,
        let first = context.pages(after: results).keys.min(), first > 0
      else { return }
      context.state.query.page = first - 1
    }
  }

  /// Remembers the pages of new results.
  public func receive(_ results: IndexResults, memory: inout Memory) {
    memory.insert(Page(results: results), limit: searchLimit)
  }

  /// The pages belong to the newest results, also while the search of a newer state is in flight.
  public func view(_ context: Context) -> View {
    guard let results = context.results else {
      return View(isFirstPage: (context.state.query.page ?? 0) == 0)
    }
    let search = HitsSearch(results.plan)
    let pages = context.memory.pages(at: results.query.page, newest: results) { $0 == search }
    let current = results.page.page
    let last = pages.keys.max() ?? current
    return View(
      pages: pages.sorted { $0.key < $1.key }.map(\.value), currentPage: current,
      isFirstPage: (pages.keys.min() ?? current) == 0,
      isLastPage: last >= max(results.page.nbPages, 0) - 1,
      banner: results.page.renderingContent?.widgets?.banners.first)
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] { [.page] }

}

extension WidgetContext {
  /// The pages of the state by number. A widget that was connected later changes no hits.
  fileprivate func pages<Record>(
    after results: IndexResults
  ) -> [Int: InfiniteHits<Record>.Page] where W == InfiniteHits<Record> {
    let plan =
      plan?(state) ?? SearchPlan(SearchRequest(state), needs: results.plan.needs)
    let search = HitsSearch(plan).withoutFacets
    return memory.pages(at: plan.hitsQuery.page, newest: results) { $0.withoutFacets == search }
  }
}

/// A search without the parameters that do not change its hits.
private struct HitsSearch: Sendable, Equatable {
  let indexName: String
  var query: SearchQuery

  init(_ plan: SearchPlan) {
    indexName = plan.indexName
    var query = plan.hitsQuery
    for parameter in [SearchParameter.page, .clickAnalytics, .userToken] {
      query.unset(parameter)
    }
    self.query = query
  }

  /// The same without the parameters that change only facets.
  var withoutFacets: HitsSearch {
    var search = self
    search.query.unset(.facets)
    search.query.unset(.maxValuesPerFacet)
    return search
  }
}

extension Int {
  /// The next number; `nil` after the largest.
  fileprivate var successor: Int? { self == .max ? nil : self + 1 }
}
