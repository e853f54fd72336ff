/// A switch between some values of a facet and others, or none.
///
/// Use it for a question of yes or no, such as free shipping. The off state can have values of its
/// own, which a ``FacetList`` with one value cannot express.
public struct FilterToggle: RoutedWidget {
  /// What a toggle displays.
  public struct View: Sendable, Hashable {
    /// Whether the toggle is on.
    public var isOn: Bool
    /// The number of hits after the toggle is switched; `nil` before the first results, or without
    /// a count.
    public var count: Int?
    /// The number of hits with the values of the on state; `nil` if there are none.
    public var onCount: Int?
    /// The number of hits with the values of the off state, or with any value.
    public var offCount: Int?
    /// Whether there are hits to switch to.
    public var canRefine: Bool
  }

  /// The attribute, which must be a facet.
  public let attribute: String
  /// The values while the toggle is on, one of which a record must have.
  public let on: [String]
  /// The values while the toggle is off; empty for all records.
  public let off: [String]

  /// Creates a toggle.
  ///
  /// - Parameters:
  ///   - attribute: The attribute, which must be a facet.
  ///   - on: The values while the toggle is on. Defaults to `true`.
  ///   - off: The values while the toggle is off. Defaults to none: all records match.
  /// - Throws: `invalidRequest` if the attribute is empty, if there are no values for the on state,
  ///   or if a value is in both.
  public init(
    attribute: String, on: [String] = ["true"], off: [String] = []
  ) throws(SearchError) {
    try FacetLimits.check(attribute, of: "FilterToggle")
    guard !on.isEmpty else {
      throw SearchError(
        .invalidRequest, "The FilterToggle of \"\(attribute)\" needs a value for its on state.")
    }
    guard Set(on).isDisjoint(with: off) else {
      throw SearchError(
        .invalidRequest, "A value of the FilterToggle of \"\(attribute)\" is both on and off.")
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

  /// Requests what the widget displays.
  public func declare(in parameters: inout WidgetParameters, for state: IndexState) {
    parameters.disjunctiveFacets.insert(attribute)
    if isOn(in: state) { return }
    parameters.defaultFilters[or: attribute].add(
      contentsOf: off.map { Filter.Facet(attribute: Attribute(attribute), stringValue: $0) })
  }

  /// Whether the filter is on, and its counts in the newest results.
  public func view(_ context: Context) -> View {
    let isOn = isOn(in: context.state)
    guard let results = context.results else {
      return View(isOn: isOn, canRefine: false)
    }
    let counts = results.counts.facets[attribute]?.counts ?? [:]
    func sum(_ values: some Sequence<Int>) -> Int { values.reduce(0) { $0 &+ $1 } }
    let onCount = sum(on.compactMap { counts[$0] })
    let offSum = sum(off.compactMap { counts[$0] })
    let offCount = offSum == 0 ? sum(counts.values) : offSum
    let next = isOn ? offCount : onCount
    return View(
      isOn: isOn, count: isOn || next > 0 ? next : nil, onCount: onCount > 0 ? onCount : nil,
      offCount: offCount, canRefine: next > 0)
  }

  private func isOn(in state: IndexState) -> Bool {
    Set(on).isSubset(of: state.values(of: attribute, operator: .or))
  }

  private func apply(_ isOn: Bool, to state: inout IndexState) {
    for value in on { state.setRefined(isOn, by: value, of: attribute, operator: .or) }
    // Those of the off state are a default, and no choice.
    for value in off { state.setRefined(false, by: value, of: attribute, operator: .or) }
  }
}
