/// A switch between some values of a facet and other values, or no filter.
///
/// Use it for a yes-or-no choice, such as free shipping. The off state can have separate values,
/// which a ``FacetList`` with one value cannot express.
public struct FilterToggle: RoutedWidget {
  /// What a toggle displays.
  public struct View: Sendable, Hashable {
    /// Whether the toggle is on.
    public var isOn: Bool
    /// The number of hits after the toggle is switched; `nil` before the first results, or without
    /// a count.
    public var count: Int?
    /// The number of hits with the values of the on state; `nil` without hits, or if it is unknown
    /// because more values have hits than the search requested.
    public var onCount: Int?
    /// The number of hits with the values of the off state, or with any value; `nil` if it is
    /// unknown.
    public var offCount: Int?
    /// Whether there are, or may be, hits to switch to.
    public var canRefine: Bool
  }

  /// The attribute, which must be a facet.
  public let attribute: String
  /// The values while the toggle is on, one of which a record must have.
  public let on: [String]
  /// The values while the toggle is off; empty for all records.
  public let off: [String]
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates a toggle.
  ///
  /// - Parameters:
  ///   - attribute: The attribute, which must be a facet.
  ///   - on: The values while the toggle is on. Defaults to `true`.
  ///   - off: The values while the toggle is off. Defaults to none: all records match.
  ///
  /// It has a ``problem`` if the attribute is empty, if there are no values for the on state, or if
  /// a value is in both.
  public init(
    attribute: String, on: [String] = ["true"], off: [String] = []
  ) {
    problem = SearchError.thrown { () throws(SearchError) in
      try FacetLimits.check(attribute, of: "FilterToggle")
      guard !on.isEmpty else {
        throw SearchError(
          .invalidRequest, "The FilterToggle of \"\(attribute)\" needs a value for its on state.")
      }
      guard Set(on).isDisjoint(with: off) else {
        throw SearchError(
          .invalidRequest, "A value of the FilterToggle of \"\(attribute)\" is both on and off.")
      }
    }
    self.attribute = attribute
    self.on = on
    self.off = off
  }

  /// The part of the state of the user interface.
  public var parts: [WidgetPart] {
    let part = WidgetPart(.toggle, attribute, form: "\(on) or \(off)") { state, _, uiState in
      uiState.toggle[attribute] = isOn(in: state) ? true : nil
    } read: { uiState, _, state in
      apply(uiState.toggle[attribute] == true, to: &state)
    }
    return [part]
  }

  /// Switches the toggle on or off.
  public func set(_ isOn: Bool) -> Action {
    refining { apply(isOn, to: &$0) }
  }

  /// Adds the needs of the widget.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.disjunctiveFacets.insert(attribute)
    // Few attributes for a switch have more values.
    needs.requireCounts(ofValues: Swift.max(10, on.count + off.count))
    if isOn(in: state) { return }
    needs.defaultFilters[or: attribute].add(
      contentsOf: off.map { Filter.Facet(attribute: Attribute(attribute), stringValue: $0) })
  }

  /// Whether the filter is on, and its counts in the newest results.
  public func view(_ context: Context) -> View {
    let isOn = isOn(in: context.state)
    guard let results = context.results else {
      return View(isOn: isOn, canRefine: false)
    }
    /// The sum of counts, or `nil` if any count is unknown.
    func sum(_ counts: some Sequence<Int?>) -> Int? {
      counts.reduce(0) { sum, count in sum.flatMap { sum in count.map { sum &+ $0 } } }
    }
    let counts = results.counts
    let onCount = sum(on.map { counts.count(of: $0, in: attribute) })
    let offSum = sum(off.map { counts.count(of: $0, in: attribute) })
    var offCount = offSum
    if offSum == 0 {
      let values = counts.all(attribute)?.values ?? []
      offCount = counts.cut.contains(attribute) ? nil : sum(values.map(\.count))
    }
    let next = isOn ? offCount : onCount
    return View(
      isOn: isOn, count: isOn || next != 0 ? next : nil, onCount: onCount == 0 ? nil : onCount,
      offCount: offCount, canRefine: next != 0)
  }

  private func isOn(in state: IndexState) -> Bool {
    Set(on).isSubset(of: state.values(of: attribute, operator: .or))
  }

  private func apply(_ isOn: Bool, to state: inout IndexState) {
    for value in on { state.setRefined(isOn, by: value, of: attribute, operator: .or) }
    // The values of the off state are a default, not a selection.
    for value in off { state.setRefined(false, by: value, of: attribute, operator: .or) }
  }
}
