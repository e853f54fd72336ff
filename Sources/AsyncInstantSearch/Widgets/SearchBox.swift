/// A field for the text of the search.
///
/// Use it where the text is a part of the screen, as in a URL: it is then read and written together
/// with the refinements. For suggestions below the field use ``Autocomplete``.
public struct SearchBox: RoutedWidget {
  /// What a search box displays.
  public struct View: Sendable, Hashable {
    /// The text.
    public var query = ""
  }

  /// Creates a search box.
  public init() {}

  /// Sets the text.
  public func setQuery(_ text: String) -> Action {
    refining { $0.query.query = text }
  }

  /// Removes the text.
  public func clear() -> Action { setQuery("") }

  /// The text that is searched.
  public func view(_ context: Context) -> View {
    View(query: context.state.query.query ?? "")
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] { [.query] }

}

/// The number of hits, and the time of the engine.
///
/// Use it for a line such as "1,200 hits in 2 ms".
public struct SearchStats: SearchWidget {
  /// What statistics display.
  public struct View: Sendable, Hashable {
    /// The number of hits on all pages.
    public var nbHits = 0
    /// The number of hits after relevant sorting; `nil` without it.
    public var nbSortedHits: Int?
    /// Whether relevant sorting leaves out hits.
    public var areHitsSorted = false
    /// The number of pages.
    public var nbPages = 0
    /// The current page, counted from 0.
    public var page = 0
    /// The number of hits on a full page; before the first results `nil` if the index's setting
    /// applies.
    public var hitsPerPage: Int?
    /// The processing time of the engine, in milliseconds; `nil` before the first results.
    public var processingTimeMS: Int?
    /// The text of the search.
    public var query = ""
  }

  /// Creates statistics.
  public init() {}

  /// The query and the counts of the newest results.
  public func view(_ context: Context) -> View {
    let query = context.state.query
    guard let page = context.results?.page else {
      return View(
        page: query.page ?? 0, hitsPerPage: query.hitsPerPage, query: query.query ?? "")
    }
    let isStrict = (page.appliedRelevancyStrictness ?? 0) > 0
    return View(
      nbHits: page.nbHits, nbSortedHits: page.nbSortedHits,
      areHitsSorted: isStrict && page.nbSortedHits != nil && page.nbSortedHits != page.nbHits,
      nbPages: page.nbPages, page: page.page, hitsPerPage: page.hitsPerPage,
      processingTimeMS: page.processingTimeMS, query: page.query)
  }
}

/// Whether the hits of a virtual replica are limited to relevant ones.
///
/// Use it beside a ``SortBy`` with virtual replicas, to let a user show the hits that were left
/// out.
public struct RelevantSort: RoutedWidget {
  /// What a relevant sort displays.
  public struct View: Sendable, Hashable {
    /// Whether hits are left out.
    public var isRelevantSorted = false
    /// Whether the index is a virtual replica, so that there is a choice.
    public var canRefine = false
  }

  /// Creates a relevant sort.
  public init() {}

  /// Limits the hits to relevant ones.
  ///
  /// - Parameter strictness: The minimum relevance, 0 to 100; 0 shows all hits. `nil` is the
  ///   setting of the index.
  public func refine(strictness: Int?) -> Action {
    action { context throws(SearchError) in
      if let strictness, !(0...100).contains(strictness) {
        throw SearchError(
          .invalidRequest, "The strictness of a RelevantSort is 0 to 100, and not \(strictness).")
      }
      context.state.refine { $0.query.relevancyStrictness = strictness }
    }
  }

  /// Whether less relevant hits are left out of the newest results, and whether they can be.
  public func view(_ context: Context) -> View {
    let strictness = context.results?.page.appliedRelevancyStrictness
    return View(isRelevantSorted: (strictness ?? 0) > 0, canRefine: strictness != nil)
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] {
    let part = WidgetPart(.relevantSort) { state, _, uiState in
      uiState.relevantSort = state.query.relevancyStrictness
    } read: { uiState, initial, state in
      state.query.relevancyStrictness = uiState.relevantSort ?? initial.query.relevancyStrictness
    }
    return [part]
  }

}

extension HitsPage {
  /// The applied minimum relevance; `nil` unless the index is a virtual replica.
  fileprivate var appliedRelevancyStrictness: Int? {
    additionalMembers["appliedRelevancyStrictness"]?.intValue
  }
}
