/// The pages of the hits, as numbers to choose from.
///
/// Use it where one page is shown at a time and has an address, as on a server. ``InfiniteHits``
/// shows several pages below each other.
public struct Pagination: RoutedWidget {
  /// What a pagination displays.
  public struct View: Sendable, Hashable {
    /// The numbers of the displayed pages, counted from 0; empty before the first results.
    public var pages: [Int] = []
    /// The current page, counted from 0.
    public var currentPage = 0
    /// The number of pages to choose from.
    public var nbPages = 0
    /// The number of hits on all pages.
    public var nbHits = 0
    /// Whether the current page is the first.
    public var isFirstPage = true
    /// Whether the current page is the last.
    public var isLastPage = true
    /// Whether there is more than one page.
    public var canRefine = false
  }

  /// The number of pages displayed on each side of the current page.
  public var padding: Int
  /// The maximum number of pages to choose from; `nil` for all.
  public var totalPages: Int?

  /// Creates a pagination.
  ///
  /// - Parameters:
  ///   - padding: The number of pages displayed on each side of the current page. It is clamped to
  ///     0 to 1,000. Defaults to 3.
  ///   - totalPages: The maximum number of pages to choose from. Defaults to all.
  public init(padding: Int = 3, totalPages: Int? = nil) {
    self.padding = padding
    self.totalPages = totalPages
  }

  /// Shows a page, counted from 0.
  ///
  /// The action throws `invalidRequest` if the number is negative.
  public func show(_ page: Int) -> Action {
    action { context throws(SearchError) in
      guard page >= 0 else {
        throw SearchError(
          .invalidRequest, "Pages are counted from 0, and the Pagination cannot show page \(page).")
      }
      context.state.query.page = page
    }
  }

  /// The current page and the pages around it, within the newest results.
  public func view(_ context: Context) -> View {
    let current = context.state.query.page ?? 0
    let page = context.results?.page
    let total = max(min(totalPages ?? .max, page?.nbPages ?? 0), 0)
    return View(
      pages: page == nil ? [] : pages(around: current, of: total),
      currentPage: current, nbPages: total, nbHits: page?.nbHits ?? 0,
      isFirstPage: current <= 0, isLastPage: current >= total - 1, canRefine: total > 1)
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] { [.page] }

  /// The maximum number of pages displayed on each side of the current page.
  private static let maximumPadding = 1_000

  private func pages(around current: Int, of total: Int) -> [Int] {
    if total <= 0 { return [0] }
    let padding = min(max(padding, 0), Self.maximumPadding)
    let shown = min(2 * padding + 1, total)
    let first = min(max(max(current, 0) - padding, 0), total - shown)
    return Array(first..<(first + shown))
  }
}
