extension RelatedItems {
  /// Finds what relates records to a hit.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a value or an attribute that
  ///   `optionalFilters` cannot represent.
  init<T>(to hit: Hit<T>, matching patterns: [MatchingPattern<T>]) throws(SearchError) {
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

extension SearchClient {
  /// Searches the records related to a hit, those that share most with it first.
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
  /// The hit itself is never among them. Records that share nothing with it come last; filter with
  /// `query` to leave them out.
  ///
  /// - Parameters:
  ///   - hit: The reference; it may come from anywhere, not only from a search.
  ///   - patterns: The attributes that relate records, and how much each counts.
  ///   - indexName: The index.
  ///   - query: Further parameters; filters in it are kept.
  ///   - type: What each hit is read as; without it, what the reference is.
  ///   - options: What to add to the call.
  /// - Throws: `SearchError`: `invalidRequest` for a value that cannot be said, see
  ///   `SearchQuery.setRelatedItems(to:matching:)`, or whatever made the search fail.
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

  /// Searches the records related to a hit, read as the hit is, those that share most with it
  /// first.
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

extension HitsSearcher {
  /// Searches records related to a hit from now on, as one change of the request.
  ///
  /// The request's text, filters and other parameters stay; what was set for another hit is
  /// replaced. As after any change of the request, the search goes back to the first page and is
  /// due after the debounce.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a value that cannot be said, see
  ///   `SearchQuery.setRelatedItems(to:matching:)`; the request is unchanged then.
  public nonisolated func setRelatedItems<T>(
    to hit: Hit<T>, matching patterns: [MatchingPattern<T>]
  ) throws(SearchError) {
    let items = try RelatedItems(to: hit, matching: patterns)
    update { $0.query.set(items) }
  }

  /// Changes the request as ``setRelatedItems(to:matching:)`` does, without making a search due.
  nonisolated func adoptRelatedItems<T>(
    to hit: Hit<T>, matching patterns: [MatchingPattern<T>]
  ) throws(SearchError) {
    let items = try RelatedItems(to: hit, matching: patterns)
    adjust { $0.query.set(items) }
  }

  /// Takes away what ``setRelatedItems(to:matching:)`` has set, as one change of the request.
  public nonisolated func removeRelatedItems() {
    update { $0.query.removeRelatedItems() }
  }
}

extension HitsInteractor {
  /// Shows the hits of a searcher, which searches records related to a hit from now on.
  ///
  /// ```swift
  /// try hits.connectSearcher(
  ///   searcher, withRelatedItemsTo: hit,
  ///   with: [
  ///     MatchingPattern(attribute: "brand", score: 3, filterPath: \.brand),
  ///     MatchingPattern(attribute: "categories", score: 2, filterPath: \.categories),
  ///   ])
  /// searcher.submit()
  /// ```
  ///
  /// The searcher's request is changed as ``HitsSearcher/setRelatedItems(to:matching:)`` says, but
  /// connecting does not search. Connecting again with another hit replaces the one before.
  ///
  /// - Parameters:
  ///   - searcher: The searcher.
  ///   - hit: The reference; it may come from anywhere, not only from a search.
  ///   - patterns: The attributes that relate records, and how much each counts.
  /// - Returns: The connection, as `connectSearcher(_:)` makes it. When it ends, the searcher's
  ///   request stays; see ``HitsSearcher/removeRelatedItems()``.
  /// - Throws: `SearchError` of code `invalidRequest` for a value that cannot be said, see
  ///   `SearchQuery.setRelatedItems(to:matching:)`; nothing is connected or changed then.
  @discardableResult
  public func connectSearcher<T>(
    _ searcher: HitsSearcher, withRelatedItemsTo hit: Hit<T>, with patterns: [MatchingPattern<T>]
  ) throws(SearchError) -> Connection {
    try searcher.adoptRelatedItems(to: hit, matching: patterns)
    return connectSearcher(searcher)
  }
}
