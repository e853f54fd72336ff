extension SearchQuery {
  /// Makes this a query for records related to a hit, ranked by what they share with it.
  ///
  /// The hit itself is left out with `facetFilters`; every value of a pattern becomes an element of
  /// `optionalFilters`, a list of values a list in it, in the order of the patterns and the values;
  /// and with `sumOrFiltersScores` the scores of all shared values are added up:
  ///
  /// ```json
  /// {
  ///   "sumOrFiltersScores": true,
  ///   "facetFilters": ["objectID:-1234"],
  ///   "optionalFilters": [
  ///     "brand:Amazon<score=1>",
  ///     ["categories:Streaming<score=2>", "categories:TV & Home Theater<score=2>"]
  ///   ]
  /// }
  /// ```
  ///
  /// Filters that the query has already are kept before these. What an earlier call has added for
  /// another hit is taken away.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for what `optionalFilters` cannot say: an
  ///   attribute with a colon, a text that begins with a backslash and a minus sign. The query is
  ///   unchanged then.
  public mutating func setRelatedItems<T>(
    to hit: Hit<T>, matching patterns: [MatchingPattern<T>]
  ) throws(SearchError) {
    set(try RelatedItems(to: hit, matching: patterns))
  }

  /// Takes away what ``setRelatedItems(to:matching:)`` has added; other filters stay.
  public mutating func removeRelatedItems() {
    guard case .added(let items, let sumOrFiltersScores) = relatedItems else { return }
    relatedItems = .none
    if self.sumOrFiltersScores == true { self.sumOrFiltersScores = sumOrFiltersScores }
    optionalFilters = optionalFilters?.removing(items.optionalFilters)
    switch items.exclusion {
    case .facetFilter(let element): facetFilters = facetFilters?.removing([element])
    case .filter(let text):
      if filters == text {
        filters = nil
      } else if let all = filters, all.hasSuffix(" AND " + text) {
        filters = String(all.dropLast(5 + text.count))
      }
    }
  }

  /// Adds what a query for related items says; what was added for others is taken away.
  mutating func set(_ items: RelatedItems) {
    removeRelatedItems()
    relatedItems = .added(items, sumOrFiltersScores: sumOrFiltersScores)
    sumOrFiltersScores = true
    for parameter in [SearchParameter.facetFilters, .optionalFilters, .filters] {
      adoptAdditional(parameter)
    }
    if !items.optionalFilters.isEmpty {
      optionalFilters = .group((optionalFilters?.elements ?? []) + items.optionalFilters)
    }
    switch items.exclusion {
    case .facetFilter(let element):
      facetFilters = .group((facetFilters?.elements ?? []) + [element])
    case .filter(let text): self = filtered(by: text)
    }
  }
}

extension NestedFilters {
  /// The elements of the outer list.
  fileprivate var elements: [NestedFilters] {
    switch self {
    case .filter: [self]
    case .group(let elements): elements
    }
  }

  /// The list without some of its elements, of which the last ones are taken; `nil` when none is
  /// left.
  fileprivate func removing(_ unwanted: [NestedFilters]) -> NestedFilters? {
    var elements = elements
    for element in unwanted.reversed() {
      if let index = elements.lastIndex(of: element) { elements.remove(at: index) }
    }
    return elements.isEmpty ? nil : .group(elements)
  }
}
