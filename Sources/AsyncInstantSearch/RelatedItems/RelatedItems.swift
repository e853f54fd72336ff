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
