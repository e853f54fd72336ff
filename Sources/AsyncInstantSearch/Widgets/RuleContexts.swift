/// The rule contexts derived from the refinements, and the data that rules return.
///
/// Use it for rules of the index that apply only while a value is selected, such as a banner of a
/// brand.
public struct RuleContexts: SearchWidget {
  /// The data that the rules return.
  public struct View: Sendable, Hashable {
    /// The data of the rules that were applied, in order.
    public var userData: [JSON] = []
  }

  /// The refined values that become contexts.
  public enum Tracked: Sendable, Hashable {
    /// All values.
    case all
    /// Only these values.
    case only(Set<String>)
  }

  /// The attributes whose refinements become contexts.
  public var tracked: [String: Tracked]
  /// Further contexts.
  public var additional: [String]

  /// The maximum number of contexts of a search.
  private static let limit = 10

  /// Creates the contexts.
  ///
  /// - Parameters:
  ///   - tracked: The attributes whose refinements become contexts such as `ais-brand-Apple`.
  ///     Defaults to none.
  ///   - additional: Further contexts, after those. Defaults to none. A search has at most ten.
  public init(tracked: [String: Tracked] = [:], additional: [String] = []) {
    self.tracked = tracked
    self.additional = additional
  }

  /// Adds the needs of the widget.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    let own = (state.query.ruleContexts ?? []) + contexts(of: state) + additional
    if own.isEmpty { return }
    let others = needs.query.ruleContexts ?? []
    needs.query.ruleContexts = Array((others + own).prefix(Self.limit))
  }

  /// The data of the rules of the newest results.
  public func view(_ context: Context) -> View {
    View(userData: context.results?.page.userData?.arrayValue ?? [])
  }

  private func contexts(of state: IndexState) -> [String] {
    tracked.sorted { $0.key < $1.key }.flatMap { attribute, values in
      state.filters.groups.flatMap { id, filters in
        filters.filter { id.attribute(of: $0) == attribute && !$0.isNegated }
      }
      .flatMap(\.contextValues)
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
  /// The attribute by which widgets know a filter: for a hierarchy, its top-level attribute.
  fileprivate func attribute(of filter: Filter) -> String {
    if case .hierarchical(let name) = self { name } else { filter.attribute.rawValue }
  }
}

extension Filter {
  /// The value of a facet, the number of a comparison, or both bounds of a range.
  fileprivate var contextValues: [String] {
    switch self {
    case .facet(let filter): [filter.value.text]
    case .numeric(let filter):
      switch filter.value {
      case .comparison(_, let number): [number.plainNumber]
      case .range(let range): [range.lowerBound.plainNumber, range.upperBound.plainNumber]
      }
    case .tag: []
    }
  }
}
