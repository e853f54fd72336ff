/// Minimum ratings to choose from, such as "4 stars and up".
///
/// Use it for ratings up to a maximum, such as five stars: each minimum has the count of the hits
/// with at least that rating. Higher numbers are outside the scale, and filtered out. For numbers
/// without a maximum, such as sales or awards, use a ``NumericMenu`` of minimums.
public struct RatingMenu: RoutedWidget {
  /// What a rating menu displays.
  public struct View: Sendable, Hashable {
    /// The minimum ratings, from one below the highest rating down to 1.
    public var items: [Item] = []
    /// Whether there are hits to choose from.
    public var canRefine = false
  }

  /// A minimum rating.
  public struct Item: Sendable, Hashable {
    /// The minimum.
    public var rating: Int
    /// For each star, whether it is filled.
    public var stars: [Bool]
    /// The number of hits with at least this rating; `nil` if it is not known, because the ratings
    /// have more than 1,000 different values.
    public var count: Int?
    /// Whether the search is refined by this minimum.
    public var isRefined: Bool
  }

  /// The attribute with the ratings, which must be a facet.
  public let attribute: String
  /// The highest rating.
  public let max: Int
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a rating menu.
  ///
  /// - Parameters:
  ///   - attribute: The attribute with the ratings, which must be a facet.
  ///   - max: The highest rating. Records with higher ratings are neither counted nor found.
  ///     Defaults to 5.
  ///
  /// It has a ``problem`` if the attribute is empty, or if `max` is not between 2 and 1,000.
  public init(attribute: String, max: Int = 5) {
    problem = SearchError.thrown { () throws(SearchError) in
      try FacetLimits.check(attribute, of: "RatingMenu")
      guard (2...1_000).contains(max) else {
        throw SearchError(
          .invalidRequest,
          """
          The highest rating of the RatingMenu of "\(attribute)" must be between 2 and 1,000, and is \
          \(max).
          """)
      }
    }
    self.attribute = attribute
    self.max = Swift.min(Swift.max(2, max), 1_000)
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] {
    let part = WidgetPart(
      .ratingMenu, attribute, form: "1 to \(max)"
    ) { state, _, uiState in
      uiState.ratingMenu[attribute] = rating(in: state)
    } read: { uiState, _, state in
      set(uiState.ratingMenu[attribute], in: &state)
    }
    return [part]
  }

  /// Refines by a minimum rating, or removes it if the search is already refined by it.
  ///
  /// The action throws `invalidRequest` if the rating is below 1 or above the highest rating.
  public func toggle(_ rating: Int) -> Action {
    action { context throws(SearchError) in
      guard rating >= 1, rating <= max else {
        throw SearchError(
          .invalidRequest,
          "The ratings of the RatingMenu of \"\(attribute)\" are 1 to \(max), and not \(rating).")
      }
      context.state.refine { state in
        set(self.rating(in: state) == Double(rating) ? nil : Double(rating), in: &state)
      }
    }
  }

  /// Adds the needs of the widget.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.disjunctiveFacets.insert(attribute)
    needs.requireCounts(ofValues: FacetLimits.maximum)
  }

  /// A row for each rating, with the number of hits of at least that rating in the newest results.
  public func view(_ context: Context) -> View {
    guard let results = context.results else { return View() }
    let refined = rating(in: context.state)
    let counts = results.counts
    let values = counts.numbers(attribute)
    var items: [Item] = []
    var total = 0
    let isCut = counts.cut.contains(attribute)
    for rating in (1..<max).reversed() {
      let count = values.lazy.filter { $0.number >= Double(rating) && $0.number <= Double(max) }
        .reduce(0) { $0 &+ $1.count }
      total = Swift.max(total, count)
      let isRefined = refined == Double(rating)
      if refined != nil, !isRefined, count == 0, !isCut { continue }
      items.append(
        Item(
          rating: rating, stars: (0..<max).map { $0 < rating }, count: isCut ? nil : count,
          isRefined: isRefined))
    }
    return View(items: items, canRefine: total > 0 && (results.page.nbHits > 0 || refined != nil))
  }

  private func rating(in state: IndexState) -> Double? {
    state.number(
      .greaterOrEqual, on: attribute, inGroup: IndexState.ratingGroup(of: attribute))
  }

  /// A rating has a group, so that current filters list and remove it as a whole. Its comparisons
  /// equal those in InstantSearch.js.
  private func set(_ rating: Double?, in state: inout IndexState) {
    let group = IndexState.ratingGroup(of: attribute)
    state.filters[and: group] = []
    guard let rating, rating <= Double(max) else { return }
    let name = Attribute(attribute)
    state.filters[and: group].add(
      Filter.Numeric(name, .greaterOrEqual, rating),
      Filter.Numeric(name, .lessOrEqual, Double(max)))
  }
}
