/// What a query for the records related to a hit says beside its own parameters.
struct RelatedItems: Sendable, Hashable {
  /// How the hit itself is left out.
  enum Exclusion: Sendable, Hashable {
    /// An element of `facetFilters`.
    case facetFilter(NestedFilters)
    /// A part of `filters`, for an ID that the lists cannot carry.
    case filter(String)
  }

  /// How the hit itself is left out.
  var exclusion: Exclusion
  /// The values that related records share, in the order of the patterns and of the values.
  var optionalFilters: [NestedFilters]

  /// Finds what relates records to a hit.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a value or an attribute that
  ///   `optionalFilters` cannot say.
  init<T>(to hit: Hit<T>, matching patterns: [MatchingPattern<T>]) throws(SearchError) {
    let isTheHit: Filter.Facet = "objectID" != hit.objectID
    do throws(SearchError) {
      exclusion = .facetFilter(.filter(try isTheHit.listString()))
    } catch {
      exclusion = .filter(isTheHit.description)
    }
    optionalFilters = []
    for pattern in patterns {
      if let element = try pattern.optionalFilter(for: hit.object) {
        optionalFilters.append(element)
      }
    }
  }
}

/// What was added to a query for related items, remembered so that it can be taken away again.
///
/// It is no part of what the query says, so it does not count when queries are compared.
enum RelatedItemsMemory: Sendable, Hashable {
  /// Nothing was added.
  case none
  /// These were added; `sumOrFiltersScores` is what the query said before.
  indirect case added(RelatedItems, sumOrFiltersScores: Bool?)

  static func == (left: Self, right: Self) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
