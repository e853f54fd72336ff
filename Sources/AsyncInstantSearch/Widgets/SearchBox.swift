/// A field for the text of the search.
package struct SearchBox: Widget {
  /// What a search box displays.
  package struct View: Sendable, Hashable {
    /// The text.
    package var query = ""
  }

  /// Creates a search box.
  package init() {}

  /// Sets the text.
  package func setQuery(_ text: String) -> WidgetAction {
    .refine { $0.query.query = text }
  }

  /// Removes the text.
  package func clear() -> WidgetAction { setQuery("") }

  package func view(_ context: WidgetContext<NoMemory>) -> View {
    View(query: context.state.query.query ?? "")
  }

  package func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState) {
    uiState.query = state.query.query ?? ""
  }

  package func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState) {
    state.query.query = uiState.query
  }
}

/// The number of hits, and the time of the engine.
package struct SearchStats: Widget {
  /// What statistics display.
  package struct View: Sendable, Hashable {
    /// The number of hits on all pages.
    package var nbHits = 0
    /// The number of hits after relevant sorting; `nil` without it.
    package var nbSortedHits: Int?
    /// Whether relevant sorting leaves out hits.
    package var areHitsSorted = false
    /// The number of pages.
    package var nbPages = 0
    /// The current page, counted from 0.
    package var page = 0
    /// The number of hits on a full page; `nil` before the first results.
    package var hitsPerPage: Int?
    /// The processing time of the engine, in milliseconds; `nil` before the first results.
    package var processingTimeMS: Int?
    /// The text of the search.
    package var query = ""
  }

  /// Creates statistics.
  package init() {}

  package func view(_ context: WidgetContext<NoMemory>) -> View {
    let query = context.state.query
    guard let page = context.results?.page else {
      return View(page: query.page ?? 0, query: query.query ?? "")
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
package struct RelevantSort: Widget {
  /// What a relevant sort displays.
  package struct View: Sendable, Hashable {
    /// Whether hits are left out.
    package var isRelevantSorted = false
    /// Whether the index is a virtual replica, so that there is a choice.
    package var canRefine = false
  }

  /// Creates a relevant sort.
  package init() {}

  /// Limits the hits to relevant ones.
  ///
  /// - Parameter strictness: The minimum relevance, 0 to 100; 0 shows all hits. `nil` is the
  ///   setting of the index.
  package func refine(strictness: Int?) -> WidgetAction {
    .refine { $0.query.relevancyStrictness = strictness }
  }

  package func view(_ context: WidgetContext<NoMemory>) -> View {
    let strictness = context.results?.page.appliedRelevancyStrictness
    return View(isRelevantSorted: (strictness ?? 0) > 0, canRefine: strictness != nil)
  }

  package func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState) {
    uiState.relevantSort = state.query.relevancyStrictness
  }

  package func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState) {
    state.query.relevancyStrictness =
      uiState.relevantSort ?? initial.query.relevancyStrictness
  }
}

extension HitsPage {
  /// The applied minimum relevance; `nil` unless the index is a virtual replica.
  fileprivate var appliedRelevancyStrictness: Int? {
    additionalMembers["appliedRelevancyStrictness"]?.intValue
  }
}
