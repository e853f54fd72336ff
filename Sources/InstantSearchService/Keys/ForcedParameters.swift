/// The search parameters that a key forces on every query, joined with the parameters of its
/// secured key.
///
/// A joined value allows what both values allow. A secured key whose value cannot be joined with
/// its parent's value is rejected: each would widen the other.
struct ForcedParameters: Sendable {
  /// The parameters without filters and lists.
  private(set) var query = SearchQuery()
  /// The filters that every record must match.
  private(set) var filters: [FilterTree] = []
  /// Lists of filters to add to the filters of a query, by the index of their parameter in
  /// ``listPaths``.
  private(set) var lists: [Int: [NestedFilters]] = [:]

  /// The parameters that are lists of filters, all of which must match.
  static let listPaths: [any WritableKeyPath<SearchQuery, NestedFilters?> & Sendable] = [
    \.facetFilters, \.numericFilters, \.tagFilters,
  ]

  private static let listNames = ["facetFilters", "numericFilters", "tagFilters"]

  private static func emptyRestriction(_ name: String) -> ServiceError {
    ServiceError(400, "The key restricts nothing by an empty \"\(name)\"")
  }

  /// Adds the parameters of a key.
  ///
  /// - Throws: Status 400 for unknown names and invalid values, and 403 for values that cannot be
  ///   joined with the previous ones.
  mutating func add(_ other: SearchQuery) throws(ServiceError) {
    try Self.checkNames(of: other)
    var other = other
    if let text = other.filters {
      guard let tree = try Self.tree(of: text) else { throw Self.emptyRestriction("filters") }
      filters.append(tree)
    }
    other.filters = nil
    for (number, path) in Self.listPaths.enumerated() {
      if let list = other[keyPath: path] {
        guard list.hasFilters else { throw Self.emptyRestriction(Self.listNames[number]) }
        lists[number, default: []].append(list)
      }
      other[keyPath: path] = nil
    }
    if let conflict = JoinedParameters.conflict(query, other) {
      throw ServiceError(
        403, "The secured key sets \"\(conflict.name)\", which its parent key sets otherwise")
    }
    query = JoinedParameters.joined(query, other)
    if query.hasText {
      // The removed words would depend on the other conditions of a search.
      query.removeWordsIfNoResults = RemoveWordsIfNoResults.none
    }
  }

  /// Returns a query with the parameters forced on it, except for filters and lists.
  ///
  /// - Throws: Status 400 for parameters that would affect the forced ones.
  func forced(on other: SearchQuery) throws(ServiceError) -> SearchQuery {
    try Self.checkNames(of: other)
    if let parameter = JoinedParameters.widening(query, by: other) {
      throw ServiceError(
        400,
        "The parameter \"\(parameter.name)\" is not possible with this key, which forces its own")
    }
    var result = JoinedParameters.joined(query, other)
    result.filters = query.isApart(from: other) ? Self.nothing : other.filters
    for path in Self.listPaths { result[keyPath: path] = other[keyPath: path] }
    return result
  }

  /// Rejects names that aren't parameters.
  private static func checkNames(of query: SearchQuery) throws(ServiceError) {
    if let name = query.additionalParameters.keys.min() {
      throw ServiceError(400, "Unknown parameter: \(name)")
    }
  }

  /// A filter that no record matches.
  private static let nothing = "objectID:0 AND NOT objectID:0"

  /// Returns the `filters` of a query and the forced filters as one expression. They are joined as
  /// trees, so that no quote or parenthesis reaches beyond its own part.
  func joinedFilters(with text: String?) throws(ServiceError) -> String? {
    let trees = try filters + (Self.tree(of: text).map { [$0] } ?? [])
    return trees.isEmpty ? nil : FilterTree.all(trees).text
  }

  private static func tree(of text: String?) throws(ServiceError) -> FilterTree? {
    guard let text else { return nil }
    do {
      return try FilterParser.parse(text) { _ in try Task.checkCancellation() }
    } catch {
      throw ServiceError(400, (error as? SearchError)?.message ?? "Invalid filters")
    }
  }

  /// Whether some records of an index are hidden.
  var hidesRecords: Bool {
    !filters.isEmpty || !lists.isEmpty || query.hasText || query.area != nil
      || query.distinct != nil
  }

  /// Whether there are parameters other than a user.
  var limitsSearches: Bool {
    hidesRecords || query != SearchQuery().with { $0.userToken = query.userToken }
  }
}
