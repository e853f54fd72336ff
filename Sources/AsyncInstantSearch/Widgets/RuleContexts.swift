/// The contexts for rules that follow from the refinements, and the data that rules return.
package struct RuleContexts: Widget {
  /// What the rules return.
  package struct View: Sendable, Hashable {
    /// The data of the rules that were applied, in order.
    package var userData: [JSON] = []
  }

  /// The refined values that become contexts.
  package enum Tracked: Sendable, Hashable {
    /// All values.
    case all
    /// Only these values.
    case only(Set<String>)
  }

  /// The attributes whose refinements become contexts.
  package var tracked: [String: Tracked]
  /// Further contexts.
  package var additional: [String]

  /// The maximum number of contexts of a search.
  private static let limit = 10

  /// Creates the contexts.
  ///
  /// - Parameters:
  ///   - tracked: The attributes whose refinements become contexts such as `ais-brand-Apple`.
  ///     Defaults to none.
  ///   - additional: Further contexts, after those. Defaults to none. A search has at most ten.
  package init(tracked: [String: Tracked] = [:], additional: [String] = []) {
    self.tracked = tracked
    self.additional = additional
  }

  package func declare(in parameters: inout WidgetParameters, for state: IndexState) {
    let own = (state.query.ruleContexts ?? []) + contexts(of: state) + additional
    if own.isEmpty { return }
    let others = parameters.query.ruleContexts ?? []
    parameters.query.ruleContexts = Array((others + own).prefix(Self.limit))
  }

  package func view(_ context: WidgetContext<NoMemory>) -> View {
    View(userData: context.results?.page.userData?.arrayValue ?? [])
  }

  private func contexts(of state: IndexState) -> [String] {
    tracked.sorted { $0.key < $1.key }.flatMap { attribute, values in
      state.filters.groups.flatMap { id, filters in
        filters.filter { id.attribute(of: $0) == attribute && !$0.isNegated }
      }
      .compactMap(\.contextValue)
      .filter { value in
        switch values {
        case .all: true
        case .only(let allowed): allowed.contains(value)
        }
      }
      .map { "ais-\(Self.escaped(attribute))-\(Self.escaped($0))" }
    }
  }

  /// Replaces each run of other characters than letters, digits, `-` and `_` by one `_`.
  private static func escaped(_ text: String) -> String {
    text.replacing(/[^A-Za-z0-9_-]+/, with: "_")
  }
}

extension FilterGroups.ID {
  /// The attribute by which widgets know a filter: of a hierarchy, that of the top level.
  fileprivate func attribute(of filter: Filter) -> String {
    if case .hierarchical(let name) = self { name } else { filter.attribute.rawValue }
  }
}

extension Filter {
  /// The value of a facet, or the number of a comparison.
  fileprivate var contextValue: String? {
    switch self {
    case .facet(let filter): filter.value.text
    case .numeric(let filter):
      if case .comparison(_, let number) = filter.value { number.plainNumber } else { nil }
    case .tag: nil
    }
  }
}

/// Parameters that are sent with every search.
package struct Configure: Widget {
  /// A configuration displays nothing.
  package struct View: Sendable, Hashable {}

  /// The parameters.
  package var parameters: SearchQuery
  /// The facets that are counted without their own filters.
  package var disjunctiveFacets: [String]

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - parameters: The parameters, which override those of the state.
  ///   - disjunctiveFacets: Facets to count without their own filters. Defaults to none.
  package init(_ parameters: SearchQuery, disjunctiveFacets: [String] = []) {
    self.parameters = parameters
    self.disjunctiveFacets = disjunctiveFacets
  }

  package func declare(in parameters: inout WidgetParameters, for state: IndexState) {
    let facets = (parameters.query.facets ?? []) + (self.parameters.facets ?? [])
    parameters.query = parameters.query.merging(self.parameters)
    parameters.query.facets = facets.isEmpty ? nil : facets
    parameters.disjunctiveFacets.formUnion(disjunctiveFacets)
  }

  package func view(_ context: WidgetContext<NoMemory>) -> View { View() }
}
