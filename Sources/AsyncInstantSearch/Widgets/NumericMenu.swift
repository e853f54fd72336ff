/// Ranges of numbers, of which one can be selected.
///
/// Use it for a few ranges with names, such as "under 50 euros", and for minimums of numbers that
/// have no maximum, such as "three or more":
///
/// ```swift
/// let oscars = NumericMenu(
///   attribute: "oscars",
///   items: [.init("Any number")] + [1, 3, 5].map { .init("\($0) or more", start: Double($0)) },
///   countsHits: true)
/// ```
///
/// For free bounds use ``NumberRange``, for ratings up to a maximum ``RatingMenu``.
public struct NumericMenu: RoutedWidget {
  /// What a numeric menu displays.
  public struct View: Sendable, Hashable {
    /// The ranges.
    public var items: [Item]
    /// The position of the selected range; `nil` without a selection.
    public var selected: Int?
    /// Whether there is something to choose.
    public var canRefine: Bool
  }

  /// A range of numbers.
  public struct Item: Sendable, Hashable {
    /// The text to display.
    public var label: String
    /// The bounds, both included. Without bounds, all numbers; with two equal bounds, one number.
    public var bounds: NumberBounds
    /// The number of hits in the range in the newest results, whichever range is selected; `nil` if
    /// the menu does not count, or if it is not known, because there are more than 1,000 different
    /// numbers.
    public internal(set) var count: Int?
    fileprivate var isFinite: Bool

    /// Creates a range.
    ///
    /// - Parameters:
    ///   - label: The text to display.
    ///   - start: The smallest number. Defaults to no limit.
    ///   - end: The largest number. Defaults to no limit.
    public init(_ label: String, start: Double? = nil, end: Double? = nil) {
      self.label = label
      bounds = NumberBounds(lower: start, upper: end)
      isFinite = start?.isFinite != false && end?.isFinite != false
    }
  }

  /// The attribute with the numbers.
  public let attribute: String
  /// The ranges.
  public let items: [Item]
  /// Whether the hits of each range are counted.
  public let countsHits: Bool
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a numeric menu.
  ///
  /// - Parameters:
  ///   - attribute: The attribute with the numbers.
  ///   - items: The ranges.
  ///   - countsHits: Whether the hits of each range are counted. The attribute must be a facet
  ///     then, with one number in each record. Defaults to `false`.
  ///
  /// It has a ``problem`` if the attribute is empty, if there are no ranges, or if a range starts
  /// above its end.
  public init(attribute: String, items: [Item], countsHits: Bool = false) {
    problem = SearchError.thrown { () throws(SearchError) in
      try FacetLimits.check(attribute, of: "NumericMenu")
      guard !items.isEmpty else {
        throw SearchError(
          .invalidRequest, "The NumericMenu of \"\(attribute)\" needs at least one range.")
      }
      for item in items {
        guard item.isFinite else {
          throw SearchError(
            .invalidRequest,
            """
            The range "\(item.label)" of the NumericMenu of "\(attribute)" has a number that is not \
            finite.
            """)
        }
        if let lower = item.bounds.lower, let upper = item.bounds.upper, lower > upper {
          throw SearchError(
            .invalidRequest,
            """
            The range "\(item.label)" of the NumericMenu of "\(attribute)" starts at \(lower), above \
            its end, \(upper).
            """)
        }
      }
    }
    self.attribute = attribute
    self.items = items
    self.countsHits = countsHits
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] {
    let part = WidgetPart(
      .numericMenu, attribute, form: "\(items.map(\.bounds))"
    ) { state, _, uiState in
      let bounds = bounds(in: state)
      uiState.numericMenu[attribute] =
        if bounds.isSingle, let number = bounds.lower { .exactly(number) } else { .within(bounds) }
    } read: { uiState, _, state in
      let bounds: NumberBounds =
        switch uiState.numericMenu[attribute] {
        case .exactly(let number)?: NumberBounds(lower: number, upper: number)
        case .within(let bounds)?: bounds
        case nil: NumberBounds()
        }
      setBounds(bounds, in: &state)
    }
    return [part]
  }

  /// Selects a range in place of another. A single number that is selected already is removed.
  ///
  /// The action throws `invalidRequest` if there is no range at the position.
  public func select(_ position: Int) -> Action {
    action { context throws(SearchError) in
      guard items.indices.contains(position) else {
        throw SearchError(
          .invalidRequest, "The NumericMenu of \"\(attribute)\" has no range \(position).")
      }
      let bounds = items[position].bounds
      let isRemoved = bounds.isSingle && self.bounds(in: context.state) == bounds
      context.state.refine { setBounds(isRemoved ? NumberBounds() : bounds, in: &$0) }
    }
  }

  /// Adds the needs of the widget.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    guard countsHits else { return }
    needs.disjunctiveFacets.insert(attribute)
    needs.requireCounts(ofValues: FacetLimits.maximum)
  }

  /// The items, and the selected position.
  public func view(_ context: Context) -> View {
    let items = countsHits ? counted(context.results?.counts) : items
    let current = bounds(in: context.state)
    let selected = items.firstIndex { $0.bounds == current }
    let isAll = selected.map { items[$0].bounds.isEmpty } ?? false
    return View(items: items, selected: selected, canRefine: !(isAll && hasNoHits(context)))
  }

  private func counted(_ counts: FacetCounts?) -> [Item] {
    guard let counts, !counts.cut.contains(attribute) else { return items }
    let numbers = counts.numbers(attribute)
    return items.map { item in
      var item = item
      item.count = numbers.lazy.filter { item.bounds.contains($0.number) }
        .reduce(0) { $0 &+ $1.count }
      return item
    }
  }

  private func hasNoHits(_ context: Context) -> Bool {
    (context.results?.page.nbHits ?? 0) == 0
  }

  private func bounds(in state: IndexState) -> NumberBounds {
    if let number = state.number(.equal, on: attribute) {
      return NumberBounds(lower: number, upper: number)
    }
    return NumberBounds(
      lower: state.number(.greaterOrEqual, on: attribute),
      upper: state.number(.lessOrEqual, on: attribute))
  }

  private func setBounds(_ bounds: NumberBounds, in state: inout IndexState) {
    state.removeNumbers(on: attribute)
    if bounds.isSingle, let number = bounds.lower {
      return state.addNumber(.equal, number, on: attribute)
    }
    if let lower = bounds.lower { state.addNumber(.greaterOrEqual, lower, on: attribute) }
    if let upper = bounds.upper { state.addNumber(.lessOrEqual, upper, on: attribute) }
  }
}

extension NumberBounds {
  fileprivate func contains(_ number: Double) -> Bool {
    (lower.map { $0 <= number } ?? true) && (upper.map { number <= $0 } ?? true)
  }

  /// Whether both bounds are the same number.
  fileprivate var isSingle: Bool { lower != nil && lower == upper }
}
