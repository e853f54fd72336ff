/// A comparison of an attribute with a number, such as a minimum of seats.
///
/// Use it for a stepper or a slider with one end. For both ends use ``NumberRange``.
///
/// A URL has the number as `comparison[seats>=]=4`.
public struct NumberComparison: RoutedWidget {
  /// What a comparison displays.
  public struct View: Sendable, Hashable {
    /// The number; `nil` without a comparison.
    public var number: Double?
    /// The smallest number to choose; `nil` if it is not known.
    public var minimum: Double?
    /// The largest number to choose; `nil` if it is not known.
    public var maximum: Double?
    /// Whether there is a choice.
    public var canRefine = false
  }

  /// The attribute with the numbers, which must be a facet.
  public let attribute: String
  /// The operator between the attribute and the number.
  public let `operator`: Filter.Numeric.Operator
  /// The smallest number to choose; `nil` for the minimum of the records.
  public let min: Double?
  /// The largest number to choose; `nil` for the maximum of the records.
  public let max: Double?
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - attribute: The attribute with the numbers, which must be a facet.
  ///   - operator: The operator between the attribute and the number. Defaults to `>=`.
  ///   - min: The smallest number to choose. Defaults to the minimum of the records.
  ///   - max: The largest number to choose. Defaults to the maximum of the records.
  ///
  /// It has a ``problem`` if the attribute is empty, if a limit is not finite, or if `min` is
  /// larger than `max`.
  public init(
    attribute: String, operator: Filter.Numeric.Operator = .greaterOrEqual, min: Double? = nil,
    max: Double? = nil
  ) {
    problem = SearchError.thrown { () throws(SearchError) in
      guard !attribute.isEmpty else {
        throw SearchError(.invalidRequest, "The NumberComparison needs an attribute.")
      }
      guard min?.isFinite != false, max?.isFinite != false else {
        throw SearchError(
          .invalidRequest,
          "The limits of the NumberComparison of \"\(attribute)\" must be finite numbers.")
      }
      if let min, let max, min > max {
        throw SearchError(
          .invalidRequest,
          """
          The limit min of the NumberComparison of "\(attribute)", \(min), is larger than max, \
          \(max).
          """)
      }
    }
    self.attribute = attribute
    self.operator = `operator`
    self.min = min
    self.max = max
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] {
    let part = WidgetPart(.comparison, name) { state, _, uiState in
      uiState.comparison[name] = number(in: state)
    } read: { uiState, _, state in
      setNumber(uiState.comparison[name], in: &state)
    }
    return [part]
  }

  /// Compares with a number, or with the nearest selectable number. `nil` removes the comparison.
  ///
  /// The action throws `invalidRequest` if the number is not finite.
  public func set(_ number: Double?) -> Action {
    action { context throws(SearchError) in try set(number, in: &context) }
  }

  /// Adds to the number.
  ///
  /// The action throws `invalidRequest` if the sum is not finite.
  ///
  /// - Parameters:
  ///   - step: The amount. Defaults to 1.
  ///   - initial: The number to add to if no number is selected yet. Defaults to 0.
  public func increment(by step: Double = 1, from initial: Double = 0) -> Action {
    action { context throws(SearchError) in
      try set((number(in: context.state) ?? initial) + step, in: &context)
    }
  }

  /// Subtracts from the number.
  ///
  /// The action throws `invalidRequest` if the difference is not finite.
  ///
  /// - Parameters:
  ///   - step: The amount. Defaults to 1.
  ///   - initial: The number to subtract from if no number is selected yet. Defaults to 0.
  public func decrement(by step: Double = 1, from initial: Double = 0) -> Action {
    increment(by: -step, from: initial)
  }

  /// Adds the needs of the widget.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.disjunctiveFacets.insert(attribute)
  }

  /// The number, and the limits that the newest results report.
  public func view(_ context: Context) -> View {
    let (minimum, maximum) = limits(context.results)
    return View(
      number: number(in: context.state), minimum: minimum, maximum: maximum,
      canRefine: minimum != nil && maximum != nil && minimum != maximum)
  }

  /// The comparison, such as `price>=`.
  private var name: String { attribute + `operator`.rawValue }

  private func limits(_ results: IndexResults?) -> (minimum: Double?, maximum: Double?) {
    let stats = results?.counts.stats[attribute]
    return (min ?? stats?.min, max ?? stats?.max)
  }

  private func number(in state: IndexState) -> Double? {
    state.number(`operator`, on: attribute)
  }

  private func set(_ number: Double?, in context: inout Context) throws(SearchError) {
    if let number, !number.isFinite {
      throw SearchError(
        .invalidRequest,
        "The NumberComparison of \"\(attribute)\" needs a finite number, and not \(number).")
    }
    let (minimum, maximum) = limits(context.results)
    // Options alone may be above the numbers of the records, or below them.
    let nearest = number.map { Swift.max(Swift.min($0, maximum ?? $0), minimum ?? $0) }
    if nearest == self.number(in: context.state) { return }
    context.state.refine { setNumber(nearest, in: &$0) }
  }

  private func setNumber(_ number: Double?, in state: inout IndexState) {
    let unwanted = state.filters[and: attribute].filter { filter in
      guard case .numeric(let numeric) = filter, !numeric.isNegated,
        numeric.attribute.rawValue == attribute
      else { return false }
      if case .comparison(`operator`, _) = numeric.value { return true }
      return false
    }
    state.filters[and: attribute].remove(contentsOf: unwanted)
    if let number { state.addNumber(`operator`, number, on: attribute) }
  }
}
