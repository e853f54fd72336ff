extension RelatedItems {
  /// Creates the additions for records related to a hit.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a value or an attribute that
  ///   `optionalFilters` cannot represent.
  package init<T>(to hit: Hit<T>, matching patterns: [MatchingPattern<T>]) throws(SearchError) {
    let isTheHit: Filter.Facet = "objectID" != hit.objectID
    let exclusion: Exclusion
    do throws(SearchError) {
      exclusion = .facetFilter(.filter(try isTheHit.listString()))
    } catch {
      exclusion = .filter(isTheHit.description)
    }
    var optionalFilters: [NestedFilters] = []
    for pattern in patterns {
      if let element = try pattern.optionalFilter(for: hit.object) {
        optionalFilters.append(element)
      }
    }
    self.init(exclusion: exclusion, optionalFilters: optionalFilters)
  }
}

extension SearchQuery {
  /// Changes the query to search for records related to a hit, ranked by the values they share.
  ///
  /// It excludes the hit itself with `facetFilters`. Every value of a pattern becomes an element
  /// of `optionalFilters`, and a list of values becomes a nested list, in the order of the
  /// patterns and the values. `sumOrFiltersScores` adds up the scores of all shared values:
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
  /// Existing filters of the query are kept before these. Additions of an earlier call for another
  /// hit are removed.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a value that `optionalFilters` cannot
  ///   express: an attribute with a colon, or a text that begins with a backslash and a minus
  ///   sign. The query is then unchanged.
  public mutating func setRelatedItems<T>(
    to hit: Hit<T>, matching patterns: [MatchingPattern<T>]
  ) throws(SearchError) {
    set(try RelatedItems(to: hit, matching: patterns))
  }

  /// Removes the additions of ``setRelatedItems(to:matching:)``. Other filters stay.
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

  /// Applies additions for related items, and removes another hit's additions.
  package mutating func set(_ items: RelatedItems) {
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

  /// Returns the list without some of its elements, of which the last occurrences are removed;
  /// `nil` if no element is left.
  fileprivate func removing(_ unwanted: [NestedFilters]) -> NestedFilters? {
    var elements = elements
    for element in unwanted.reversed() {
      if let index = elements.lastIndex(of: element) { elements.remove(at: index) }
    }
    return elements.isEmpty ? nil : .group(elements)
  }
}

extension SearchClient {
  /// Searches for records related to a hit, the most similar first.
  ///
  /// ```swift
  /// let page = try await client.relatedItems(
  ///   to: hit,
  ///   matching: [
  ///     MatchingPattern(attribute: "brand", score: 1, filterPath: \.brand),
  ///     MatchingPattern(attribute: "categories", score: 2, filterPath: \.categories),
  ///   ],
  ///   in: "products")
  /// ```
  ///
  /// The hit itself is never among them. Records that share nothing with it come last. To exclude
  /// them, filter with `query`.
  ///
  /// - Parameters:
  ///   - hit: The reference, which need not come from a search.
  ///   - patterns: The attributes that relate records, with their weights.
  ///   - indexName: The index.
  ///   - query: Further parameters. Its filters are kept.
  ///   - type: The type of each hit. Without it, the type of the reference.
  ///   - options: Options of the call.
  /// - Throws: `SearchError`: `invalidRequest` for a value that cannot be expressed, see
  ///   `SearchQuery.setRelatedItems(to:matching:)`, or the error of the search.
  public func relatedItems<T, Record>(
    to hit: Hit<T>,
    matching patterns: [MatchingPattern<T>],
    in indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Record> {
    var query = query
    try query.setRelatedItems(to: hit, matching: patterns)
    return try await search(indexName, query, of: type, options: options)
  }

  /// Searches for records related to a hit, decoded with the same type, the most similar first.
  public func relatedItems<T>(
    to hit: Hit<T>,
    matching patterns: [MatchingPattern<T>],
    in indexName: String,
    _ query: SearchQuery = SearchQuery(),
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Hit<T>> {
    try await relatedItems(
      to: hit, matching: patterns, in: indexName, query, of: Hit<T>.self, options: options)
  }
}
