/// Minimum ratings to choose from, such as "4 stars and up".
package struct RatingMenu: Widget {
  /// What a rating menu displays.
  package struct View: Sendable, Hashable {
    /// The ratings, the highest first.
    package var items: [Item] = []
    /// Whether there are hits to choose from.
    package var canRefine = false
  }

  /// A minimum rating.
  package struct Item: Sendable, Hashable {
    /// The minimum.
    package var rating: Int
    /// For each star, whether it is filled.
    package var stars: [Bool]
    /// The number of hits with at least this rating.
    package var count: Int
    /// Whether the search is refined by this minimum.
    package var isRefined: Bool
  }

  /// The attribute with the ratings, which must be a facet.
  package let attribute: String
  /// The highest rating.
  package let max: Int

  /// Creates a rating menu.
  ///
  /// - Parameters:
  ///   - attribute: The attribute with the ratings, which must be a facet.
  ///   - max: The highest rating. Records with higher ones are not counted. Defaults to 5.
  /// - Throws: `invalidRequest` if `max` is not between 1 and 1,000.
  package init(attribute: String, max: Int = 5) throws(SearchError) {
    guard (1...1_000).contains(max) else {
      throw SearchError(
        .invalidRequest,
        "The highest rating of a RatingMenu must be between 1 and 1,000, and is \(max).")
    }
    self.attribute = attribute
    self.max = max
  }

  /// Refines by a minimum rating, or no longer if the search is refined by it.
  package func toggle(_ rating: Int) -> WidgetAction {
    .refine { state in
      let isRefined = self.rating(in: state) == Double(rating)
      state.removeNumbers(on: attribute)
      if isRefined { return }
      state.addNumber(.lessOrEqual, Double(max), on: attribute)
      state.addNumber(.greaterOrEqual, Double(rating), on: attribute)
    }
  }

  package func declare(in parameters: inout WidgetParameters, for state: IndexState) {
    parameters.disjunctiveFacets.insert(attribute)
  }

  package func view(_ context: WidgetContext<NoMemory>) -> View {
    guard let results = context.results else { return View() }
    let refined = rating(in: context.state)
    let values = (results.counts.facets[attribute]?.values ?? []).compactMap { value in
      Double(value.value).map { (rating: $0, count: value.count) }
    }
    var items: [Item] = []
    var total = 0
    for rating in (1..<Swift.max(max, 1)).reversed() {
      let count = values.lazy.filter { $0.rating >= Double(rating) && $0.rating <= Double(max) }
        .reduce(0) { $0 &+ $1.count }
      total = Swift.max(total, count)
      let isRefined = refined == Double(rating)
      if refined != nil, !isRefined, count == 0 { continue }
      items.append(
        Item(
          rating: rating, stars: (0..<max).map { $0 < rating }, count: count,
          isRefined: isRefined))
    }
    return View(items: items, canRefine: total > 0 && (results.page.nbHits > 0 || refined != nil))
  }

  package func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState) {
    uiState.ratingMenu[attribute] = rating(in: state)
  }

  package func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState) {
    state.removeNumbers(on: attribute)
    guard let rating = uiState.ratingMenu[attribute] else { return }
    state.addNumber(.lessOrEqual, Double(max), on: attribute)
    state.addNumber(.greaterOrEqual, rating, on: attribute)
  }

  private func rating(in state: IndexState) -> Double? {
    state.number(.greaterOrEqual, on: attribute)
  }
}
