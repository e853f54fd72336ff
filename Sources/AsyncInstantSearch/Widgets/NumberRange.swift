/// A range of numbers, such as the two ends of a slider.
///
/// Use it where any number can be a bound, for example of a price. For a few given ranges use
/// ``NumericMenu``.
public struct NumberRange: RoutedWidget {
  /// What a range displays.
  public struct View: Sendable, Hashable {
    /// The smallest number to choose.
    public var minimum: Double
    /// The largest number to choose.
    public var maximum: Double
    /// The selected lower bound; `nil` without one.
    public var lowerBound: Double?
    /// The selected upper bound; `nil` without one.
    public var upperBound: Double?
    /// Whether there is a choice.
    public var canRefine: Bool
  }

  /// The attribute with the numbers, which must be a facet.
  public let attribute: String
  /// The smallest number of the search; `nil` for no limit.
  public let min: Double?
  /// The largest number of the search; `nil` for no limit.
  public let max: Double?
  /// The number of decimals of the bounds. Negative for powers of ten.
  public let precision: Int
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a range.
  ///
  /// - Parameters:
  ///   - attribute: The attribute with the numbers, which must be a facet.
  ///   - min: The smallest number of the search. It is not a refinement: it is always sent, and
  ///     never listed or cleared. Defaults to no limit.
  ///   - max: The largest number of the search, likewise.
  ///   - precision: The number of decimals of the bounds, -15 to 15; -1 is a multiple of ten.
  ///     Bounds are rounded outwards. Defaults to 0.
  ///
  /// It has a ``problem`` if the attribute is empty, if an option is not a finite number or not in
  /// its range, or if `min` is larger than `max`.
  public init(
    attribute: String, min: Double? = nil, max: Double? = nil, precision: Int = 0
  ) {
    problem = SearchError.thrown { () throws(SearchError) in
      try FacetLimits.check(attribute, of: "NumberRange")
      guard min?.isFinite != false, max?.isFinite != false else {
        throw SearchError(
          .invalidRequest,
          "The limits of the NumberRange of \"\(attribute)\" must be finite numbers.")
      }
      if let min, let max, min > max {
        throw SearchError(
          .invalidRequest,
          """
          The limit min of the NumberRange of "\(attribute)", \(min), is larger than max, \(max).
          """)
      }
      guard (-15...15).contains(precision) else {
        throw SearchError(
          .invalidRequest,
          """
          The precision of the NumberRange of "\(attribute)" must be between -15 and 15, and is \
          \(precision).
          """)
      }
    }
    self.attribute = attribute
    self.min = min
    self.max = max
    self.precision = Swift.min(Swift.max(-15, precision), 15)
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] {
    let part = WidgetPart(.range, attribute) { state, _, uiState in
      uiState.range[attribute] = NumberBounds(
        lower: state.number(.greaterOrEqual, on: attribute),
        upper: state.number(.lessOrEqual, on: attribute))
    } read: { uiState, _, state in
      setBounds(uiState.range[attribute], in: &state)
    }
    return [part]
  }

  private func setBounds(_ bounds: NumberBounds?, in state: inout IndexState) {
    state.removeNumbers(on: attribute)
    guard let bounds else { return }
    if let lower = bounds.lower, let upper = bounds.upper, lower > upper { return }
    if let lower = bounds.lower, lower > min ?? -.infinity, lower <= max ?? .infinity {
      state.addNumber(.greaterOrEqual, lower, on: attribute)
    }
    if let upper = bounds.upper, upper < max ?? .infinity, upper >= min ?? -.infinity {
      state.addNumber(.lessOrEqual, upper, on: attribute)
    }
  }

  /// Sets both bounds, rounded outwards. `nil` removes a bound, and so does the end of the range.
  ///
  /// The action throws `invalidRequest`, and changes nothing, if a bound is not finite or outside
  /// the range, or if the lower bound is above the upper bound. The range comes from the newest
  /// results, as the user sees it; it is empty if they have no numbers. After another action, wait
  /// for its results first.
  public func set(_ lower: Double?, _ upper: Double?) -> Action {
    action { context throws(SearchError) in
      let range = context.results.map(range)
      let lower = try bound(lower, .down, end: range?.minimum, limit: min, in: range)
      let upper = try bound(upper, .up, end: range?.maximum, limit: max, in: range)
      if let lower, let upper, lower > upper {
        throw error(
          "The lower bound, \(lower.plainNumber), is larger than the upper bound, \(upper.plainNumber)"
        )
      }
      let state = context.state
      guard
        state.number(.greaterOrEqual, on: attribute) != lower
          || state.number(.lessOrEqual, on: attribute) != upper
      else { return }
      context.state.refine { state in
        state.removeNumbers(on: attribute)
        if let lower { state.addNumber(.greaterOrEqual, lower, on: attribute) }
        if let upper { state.addNumber(.lessOrEqual, upper, on: attribute) }
      }
    }
  }

  /// Adds the needs of the widget.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.disjunctiveFacets.insert(attribute)
    let name = Attribute(attribute)
    if let min {
      needs.fixedFilters[and: attribute].add(Filter.Numeric(name, .greaterOrEqual, min))
    }
    if let max {
      needs.fixedFilters[and: attribute].add(Filter.Numeric(name, .lessOrEqual, max))
    }
  }

  /// The selected range, and the range of the numbers in the newest results.
  public func view(_ context: Context) -> View {
    let range = range(context.results)
    return View(
      minimum: range.minimum, maximum: range.maximum,
      lowerBound: context.state.number(.greaterOrEqual, on: attribute),
      upperBound: context.state.number(.lessOrEqual, on: attribute),
      canRefine: range.minimum != range.maximum)
  }

  private typealias Ends = (minimum: Double, maximum: Double)

  private func range(_ results: IndexResults?) -> Ends {
    let stats = results?.counts.stats[attribute]
    return (rounded(min ?? stats?.min ?? 0, .down), rounded(max ?? stats?.max ?? 0, .up))
  }

  private func bound(
    _ bound: Double?, _ rule: FloatingPointRoundingRule, end: Double?, limit: Double?,
    in range: Ends?
  ) throws(SearchError) -> Double? {
    guard let bound else { return nil }
    guard bound.isFinite else { throw error("The bound \(bound) is not a finite number") }
    let rounded = rounded(bound, rule)
    if rounded == end || rounded == limit { return nil }
    guard let range else { return rounded }
    guard rule == .down ? rounded >= range.minimum : rounded <= range.maximum else {
      throw error(
        "The bound \(rounded.plainNumber) is outside the range from \(range.minimum.plainNumber) to \(range.maximum.plainNumber)"
      )
    }
    return rounded
  }

  private func error(_ problem: String) -> SearchError {
    SearchError(.invalidRequest, "\(problem) in the NumberRange of \"\(attribute)\".")
  }

  /// Returns the nearest number with the decimals of the bounds.
  package func rounded(_ number: Double, _ rule: FloatingPointRoundingRule) -> Double {
    let power = (0..<abs(precision)).reduce(1.0) { power, _ in power * 10 }
    let scale = precision < 0 ? 1 / power : power
    let rounded = (number * scale).rounded(rule) / scale
    return rounded.isFinite ? rounded : number
  }
}
