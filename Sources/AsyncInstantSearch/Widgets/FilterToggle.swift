/// A switch between some values of a facet and others, or none.
package struct FilterToggle: Widget {
  /// What a toggle displays.
  package struct View: Sendable, Hashable {
    /// Whether the toggle is on.
    package var isOn: Bool
    /// The number of hits after the toggle is switched; `nil` before the first results, or without
    /// a count.
    package var count: Int?
    /// The number of hits with the values of the on state; `nil` if there are none.
    package var onCount: Int?
    /// The number of hits with the values of the off state, or with any value.
    package var offCount: Int?
    /// Whether there are hits to switch to.
    package var canRefine: Bool
  }

  /// The attribute, which must be a facet.
  package let attribute: String
  /// The values while the toggle is on, one of which a record must have.
  package let on: [String]
  /// The values while the toggle is off; empty for all records.
  package let off: [String]

  /// Creates a toggle.
  ///
  /// - Parameters:
  ///   - attribute: The attribute, which must be a facet.
  ///   - on: The values while the toggle is on. Defaults to `true`.
  ///   - off: The values while the toggle is off. Defaults to none: all records match.
  /// - Throws: `invalidRequest` if there are no values for the on state, or if a value is in both.
  package init(
    attribute: String, on: [String] = ["true"], off: [String] = []
  ) throws(SearchError) {
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

  /// Switches the toggle on or off.
  package func set(_ isOn: Bool) -> WidgetAction {
    .refine { apply(isOn, to: &$0) }
  }

  package func declare(in parameters: inout WidgetParameters, for state: IndexState) {
    parameters.disjunctiveFacets.insert(attribute)
  }

  /// The values of the off state are refinements unless the toggle is on.
  package func complete(_ state: inout IndexState) {
    if !isOn(in: state) { apply(false, to: &state) }
  }

  package func view(_ context: WidgetContext<NoMemory>) -> View {
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

  package func write(_ state: IndexState, initial: IndexState, to uiState: inout IndexUIState) {
    uiState.toggle[attribute] = isOn(in: state) ? true : nil
  }

  package func read(_ uiState: IndexUIState, initial: IndexState, into state: inout IndexState) {
    apply(uiState.toggle[attribute] == true, to: &state)
  }

  private func isOn(in state: IndexState) -> Bool {
    Set(on).isSubset(of: state.values(of: attribute, operator: .or))
  }

  private func apply(_ isOn: Bool, to state: inout IndexState) {
    for value in on { state.setRefined(isOn, by: value, of: attribute, operator: .or) }
    for value in off { state.setRefined(!isOn, by: value, of: attribute, operator: .or) }
  }
}
