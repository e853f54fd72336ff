// Filters that actions switch on, for events.

extension SearcherScreen {
  /// Reports the filters that an action has switched on.
  func reportClicks(on filters: [Filter], in search: IndexState) {
    if filters.isEmpty { return }
    for receive in state.withLock({ Array($0.clicks.values) }) {
      receive(filters, search.indexName)
    }
  }

  /// Reports the filters that actions switch on, until a slot is removed.
  func reportClicks(
    to receive: @escaping @Sendable ([Filter], _ indexName: String) -> Void, until slot: UInt64
  ) {
    change { $0.clicks[slot] = receive }
  }
}

extension IndexState {
  /// The filters that an action has switched on: values of facets, tags and ratings.
  func filtersSwitchedOn(since before: IndexState) -> [Filter] {
    if filters == before.filters { return [] }
    let earlier = Set(
      before.filters.filters
        + before.filters.hierarchies.flatMap { $0.hierarchy.path.map(Filter.facet) })
    return filters.groups.flatMap { id, filters in
      filters.filter { filter in
        guard !filter.isNegated, !earlier.contains(filter) else { return false }
        return filter.kind != .numeric || filter.isMinimum(ofRatingIn: id)
      }
    }
  }
}

extension Filter {
  /// Whether this is the lower of the two comparisons of a rating.
  fileprivate func isMinimum(ofRatingIn id: FilterGroups.ID) -> Bool {
    guard case .numeric(let filter) = self, case .comparison(.greaterOrEqual, _) = filter.value
    else { return false }
    return id == .and(IndexState.ratingGroup(of: filter.attribute.rawValue))
  }
}
