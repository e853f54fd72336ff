/// What a key, or a secured key with its parent, allows.
struct KeyLimits: Sendable {
  /// The parent key, which is counted by the limit of requests.
  let value: String
  let acl: Set<Right>
  /// Lists of patterns of which an index must match one each.
  private(set) var indexes: [[WildcardPattern]] = []
  private let referers: [WildcardPattern]
  private(set) var sources: [Network] = []
  /// The parameters that override those of a query, without filters; later ones win.
  private(set) var parameters = SearchQuery()
  /// The filters that every record must match.
  private(set) var filters: [FilterTree] = []
  /// Lists of filters by the number of their parameter in ``listPaths``, which are added to those
  /// of a query.
  private(set) var lists: [Int: [NestedFilters]] = [:]
  let maxHitsPerQuery: Int
  let maxQueriesPerIPPerHour: Int
  private(set) var validUntil: Int?
  /// The secured key, which distinguishes it from others of the same parent; empty for its parent.
  private(set) var identity = ""

  /// Reads the limits of a key.
  ///
  /// - Throws: Status 400 for parameters that cannot be forced: unknown names, or values that are
  ///   wrong.
  init(_ key: ServiceKey) throws(ServiceError) {
    value = key.value
    acl = Set(key.acl)
    if !key.indexes.isEmpty { indexes = [key.indexes.map { WildcardPattern($0) }] }
    referers = key.referers.map { WildcardPattern($0.lowercased()) }
    maxHitsPerQuery = key.maxHitsPerQuery
    maxQueriesPerIPPerHour = key.maxQueriesPerIPPerHour
    if key.validity > 0 {
      // The first second in which the key is no longer accepted.
      let end = (key.createdAt / 1000).addingReportingOverflow(Int64(clamping: key.validity))
      validUntil = end.overflow ? nil : Int(end.partialValue)
    }
    guard !key.queryParameters.isEmpty else { return }
    var query: SearchQuery
    do throws(SearchError) {
      query = try SearchQuery(urlEncoded: key.queryParameters)
    } catch {
      throw ServiceError(400, "Invalid queryParameters: \(error.message)")
    }
    if let source = query.additionalParameters.removeValue(forKey: "restrictSources") {
      try restrictSources(source.stringValue ?? source.text)
    }
    try force(query)
  }

  /// Adds the restrictions of a secured key.
  ///
  /// - Parameter text: The secured key.
  /// - Throws: Status 400 or 403 for restrictions that cannot be enforced.
  func restricted(
    by restrictions: SecuredAPIKey.Restrictions, in text: String
  ) throws(ServiceError) -> KeyLimits {
    var limits = self
    if !restrictions.restrictIndices.isEmpty {
      limits.indexes.append(restrictions.restrictIndices.map { WildcardPattern($0) })
    }
    if let source = restrictions.restrictSources { try limits.restrictSources(source) }
    var query = restrictions.searchParameters
    query.filters = restrictions.filters
    query.userToken = restrictions.userToken ?? query.userToken
    try limits.force(query)
    limits.identity = text
    if let end = restrictions.validUntil { limits.validUntil = min(limits.validUntil ?? end, end) }
    return limits
  }

  private mutating func restrictSources(_ text: String) throws(ServiceError) {
    guard let network = Network(text) else {
      throw ServiceError(400, "Invalid restrictSources: expected a network such as 10.0.0.0/8")
    }
    sources.append(network)
  }

  private mutating func force(_ query: SearchQuery) throws(ServiceError) {
    if let name = query.additionalParameters.keys.sorted().first {
      throw ServiceError(400, "Unknown parameter: \(name)")
    }
    var query = query
    do {
      if let text = query.filters, let tree = try FilterParser.parse(text) { filters.append(tree) }
    } catch {
      throw ServiceError(400, (error as? SearchError)?.message ?? "Invalid filters")
    }
    query.filters = nil
    for (number, path) in Self.listPaths.enumerated() {
      if let list = query[keyPath: path] { lists[number, default: []].append(list) }
      query[keyPath: path] = nil
    }
    parameters = parameters.merging(query)
  }

  /// The parameters that are lists of filters, all of which must match.
  static let listPaths: [any WritableKeyPath<SearchQuery, NestedFilters?> & Sendable] = [
    \.facetFilters, \.numericFilters, \.tagFilters,
  ]

  // MARK: Checks

  /// Whether an index may be used.
  func allows(index name: String) -> Bool {
    indexes.allSatisfy { patterns in patterns.contains { $0.matches(name) } }
  }

  /// Whether the `Referer` header of a request is accepted.
  func allows(referer: String?) -> Bool {
    if referers.isEmpty { return true }
    guard let referer = referer?.lowercased() else { return false }
    return referers.contains { $0.matches(referer) }
  }

  /// Whether requests from an address are accepted.
  func allows(source: String?) -> Bool {
    if sources.isEmpty { return true }
    guard let source else { return false }
    return sources.allSatisfy { $0.contains(source) }
  }

  /// Whether some records of an index are not for this key.
  var hidesRecords: Bool {
    !filters.isEmpty || !lists.isEmpty || parameters.query != nil
      || parameters.similarQuery != nil || parameters.aroundLatLng != nil
      || parameters.aroundLatLngViaIP != nil || parameters.insideBoundingBox != nil
      || parameters.insidePolygon != nil || parameters.distinct != nil
  }

  /// The attributes that responses may have; `nil` for all.
  var attributes: AttributeAccess? { parameters.attributesToRetrieve.map(AttributeAccess.init) }

  /// Rejects a search for values of a facet that responses may not have.
  func check(facet: String) throws(ServiceError) {
    guard attributes?.allows(facet) ?? true else { throw .methodNotAllowed }
  }

  /// Whether the key only reads: it has search parameters of its own, other than a user.
  var forbidsWrites: Bool {
    hidesRecords || parameters != SearchQuery().with { $0.userToken = parameters.userToken }
  }

  /// Whether searches are changed at all.
  var restrictsSearches: Bool {
    hidesRecords || !parameters.isEmpty || maxHitsPerQuery > 0
  }
}
