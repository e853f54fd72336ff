/// The attributes whose refinements a widget lists or clears.
package enum FilteredAttributes: Sendable, Hashable {
  /// Only these attributes; `query` is the text of the search.
  case only(Set<String>)
  /// All attributes except these.
  case allExcept(Set<String>)

  /// All refinements, but not the text of the search.
  package static let allButQuery = FilteredAttributes.allExcept([queryName])

  /// The name of the text of the search.
  static let queryName = "query"

  func contains(_ attribute: String) -> Bool {
    switch self {
    case .only(let attributes): attributes.contains(attribute)
    case .allExcept(let attributes): !attributes.contains(attribute)
    }
  }
}

/// The refinements of the search, each of which can be removed.
package struct CurrentFilters: Widget {
  /// What current filters display.
  package struct View: Sendable, Hashable {
    /// The refinements by attribute, in the order of their kinds.
    package var groups: [Group] = []
    /// Whether there are refinements.
    package var canRefine: Bool { !groups.isEmpty }
  }

  /// The refinements of one attribute.
  package struct Group: Sendable, Hashable {
    /// The attribute; of a hierarchy, that of the top level; `query` for the text.
    package var attribute: String
    /// The refinements.
    package var items: [Item]
  }

  /// One refinement.
  package struct Item: Sendable, Hashable {
    /// The kind of a refinement.
    package enum Kind: Int, Sendable, Hashable {
      /// A value that all records have.
      case facet
      /// A value that no record has.
      case excluded
      /// One of the values of which a record has at least one.
      case disjunctive
      /// A path of a hierarchy, or the value of a menu.
      case hierarchical
      /// A comparison with a number.
      case numeric
      /// A tag.
      case tag
      /// The text of the search.
      case query
    }

    /// The attribute; of a hierarchy, that of the top level; `query` for the text.
    package var attribute: String
    /// The kind.
    package var kind: Kind
    /// The value, path, tag or text; of a comparison, the number.
    package var value: String
    /// The operator of a comparison.
    package var `operator`: Filter.Numeric.Operator?
    /// The number of hits with the value; `nil` if the results do not have it.
    package var count: Int?
    /// Whether the count is exact, if there is one.
    package var isExhaustive: Bool?
    /// The filter; `nil` for the text of the search.
    package var filter: Filter?
  }

  /// The attributes whose refinements are listed.
  package var attributes: FilteredAttributes

  /// Creates current filters.
  ///
  /// - Parameter attributes: The attributes whose refinements are listed. Defaults to all
  ///   refinements, but not the text of the search.
  package init(_ attributes: FilteredAttributes = .allButQuery) {
    self.attributes = attributes
  }

  /// Removes a refinement.
  package func remove(_ item: Item) -> WidgetAction {
    .refine { state in
      guard let filter = item.filter else {
        state.query.query = ""
        return
      }
      switch item.kind {
      case .hierarchical: state.filters[hierarchical: item.attribute] = HierarchicalFilters()
      default: state.filters.remove(filter)
      }
    }
  }

  package func view(_ context: WidgetContext<NoMemory>) -> View {
    var items = context.state.filters.groups.flatMap { id, filters in
      filters.map { Item($0, in: id, of: context) }
    }
    if let text = context.state.query.query, text.contains(where: { !$0.isWhitespace }) {
      items.append(
        Item(attribute: FilteredAttributes.queryName, kind: .query, value: text))
    }
    items = items.filter { attributes.contains($0.attribute) }
    var groups: [Group] = []
    // Sorting is stable, so the values of a kind keep their order.
    for item in items.sorted(by: { $0.kind.rawValue < $1.kind.rawValue }) {
      if let position = groups.firstIndex(where: { $0.attribute == item.attribute }) {
        groups[position].items.append(item)
      } else {
        groups.append(Group(attribute: item.attribute, items: [item]))
      }
    }
    return View(groups: groups.map(\.sortedByNumber))
  }
}

extension CurrentFilters.Group {
  /// The group with its comparisons sorted by number.
  fileprivate var sortedByNumber: Self {
    guard items.allSatisfy({ $0.kind == .numeric }) else { return self }
    var copy = self
    copy.items.sort { (Double($0.value) ?? 0) < (Double($1.value) ?? 0) }
    return copy
  }
}

extension CurrentFilters.Item {
  fileprivate init(
    _ filter: Filter, in id: FilterGroups.ID, of context: WidgetContext<NoMemory>
  ) {
    self.filter = filter
    attribute = filter.attribute.rawValue
    switch (filter, id) {
    case (.facet(let facet), .hierarchical(let name)):
      kind = .hierarchical
      value = facet.value.text
      let counts = context.results?.counts
      count = counts?.facets[attribute]?[value]
      isExhaustive = count == nil ? nil : counts?.isExhaustive(attribute)
      attribute = name
    case (.facet(let facet), _):
      kind =
        switch id {
        case .or: .disjunctive
        default: facet.isNegated ? .excluded : .facet
        }
      value = facet.value.text
      let counts = context.results?.counts
      count = counts?.facets[attribute]?[value]
      isExhaustive = count == nil ? nil : counts?.isExhaustive(attribute)
    case (.numeric(let numeric), _):
      kind = .numeric
      switch numeric.value {
      case .comparison(let sign, let number):
        value = number.plainNumber
        `operator` = sign
      case .range(let range):
        value = "\(range.lowerBound.plainNumber) TO \(range.upperBound.plainNumber)"
      }
    case (.tag(let tag), _):
      kind = .tag
      value = tag.value
    }
  }
}

/// Removes refinements.
package struct FilterClear: Widget {
  /// What a clear button displays.
  package struct View: Sendable, Hashable {
    /// Whether there are refinements to remove.
    package var canRefine = false
  }

  /// The attributes whose refinements are removed.
  package var attributes: FilteredAttributes

  /// Creates a clear button.
  ///
  /// - Parameter attributes: The attributes whose refinements are removed. Defaults to all
  ///   refinements, but not the text of the search.
  package init(_ attributes: FilteredAttributes = .allButQuery) {
    self.attributes = attributes
  }

  /// Removes the refinements.
  package func clear() -> WidgetAction {
    .refine { state in
      state.query.page = 0
      for group in CurrentFilters(attributes).view(WidgetContext(state: state)).groups {
        for item in group.items {
          switch item.kind {
          case .query: state.query.query = ""
          case .hierarchical:
            state.filters[hierarchical: item.attribute] = HierarchicalFilters()
          default: if let filter = item.filter { state.filters.remove(filter) }
          }
        }
      }
    }
  }

  package func view(_ context: WidgetContext<NoMemory>) -> View {
    View(canRefine: CurrentFilters(attributes).view(context).canRefine)
  }
}

extension WidgetContext<NoMemory> {
  /// Creates a context without results.
  init(state: IndexState) {
    self.init(state: state, results: nil, memory: NoMemory())
  }
}
