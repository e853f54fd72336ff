/// The pages of the hits, as numbers to choose from.
package struct Pagination: Widget {
  /// What a pagination displays.
  package struct View: Sendable, Hashable {
    /// The numbers of the displayed pages, counted from 0; empty before the first results.
    package var pages: [Int] = []
    /// The current page, counted from 0.
    package var currentPage = 0
    /// The number of pages to choose from.
    package var nbPages = 0
    /// The number of hits on all pages.
    package var nbHits = 0
    /// Whether the current page is the first.
    package var isFirstPage = true
    /// Whether the current page is the last.
    package var isLastPage = true
    /// Whether there is more than one page.
    package var canRefine = false
  }

  /// The number of pages displayed on each side of the current one.
  package var padding: Int
  /// The maximum number of pages to choose from; `nil` for all.
  package var totalPages: Int?

  /// Creates a pagination.
  ///
  /// - Parameters:
  ///   - padding: The number of pages displayed on each side of the current one. A negative one
  ///     counts as 0. Defaults to 3.
  ///   - totalPages: The maximum number of pages to choose from. Defaults to all.
  package init(padding: Int = 3, totalPages: Int? = nil) {
    self.padding = padding
    self.totalPages = totalPages
  }

  /// Shows a page, counted from 0.
  package func show(_ page: Int) -> WidgetAction {
    WidgetAction { $0.state.query.page = max(page, 0) }
  }

  package func view(_ context: WidgetContext<NoMemory>) -> View {
    let current = context.state.query.page ?? 0
    let page = context.results?.page
    let total = min(totalPages ?? .max, page?.nbPages ?? 0)
    return View(
      pages: page == nil ? [] : pages(around: current, of: total),
      currentPage: current, nbPages: total, nbHits: page?.nbHits ?? 0,
      isFirstPage: current <= 0, isLastPage: current >= total - 1, canRefine: total > 1)
  }

  package func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState) {
    uiState.page = (state.query.page ?? 0) + 1
  }

  package func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState) {
    state.query.page = uiState.page - 1
  }

  private func pages(around current: Int, of total: Int) -> [Int] {
    if total <= 0 { return [0] }
    let padding = min(max(padding, 0), total)
    let shown = min(2 * padding + 1, total)
    let first = min(max(current - padding, 0), total - shown)
    return Array(first..<(first + shown))
  }
}
