/// The limits of a key, or of a secured key and its parent.
struct KeyLimits: Sendable {
  /// The parent key, by which requests are counted.
  let value: String
  let acl: Set<Right>
  /// Lists of patterns. An index must match a pattern of each list.
  private(set) var indexes: [[WildcardPattern]] = []
  private let referers: [WildcardPattern]
  private(set) var sources: [IPNetwork] = []
  /// The parameters that are forced on queries.
  private(set) var forced = ForcedParameters()
  let maxHitsPerQuery: Int
  let maxQueriesPerIPPerHour: Int
  private(set) var validUntil: Int?
  /// The secured key, which distinguishes it from others of the same parent; empty for its parent.
  private(set) var identity = ""

  /// Reads the limits of a key.
  ///
  /// - Throws: Status 400 for parameters that cannot be forced: unknown names or invalid values.
  init(_ key: APIKey) throws(ServiceError) {
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
      _ = try SecuredAPIKey.Restrictions.pairs(of: key.queryParameters, in: "The text")
      query = try SearchQuery(urlEncoded: key.queryParameters)
    } catch {
      throw ServiceError(400, "Invalid queryParameters: \(error.message)")
    }
    if let source = query.additionalParameters.removeValue(forKey: "restrictSources") {
      try restrictSources(source.stringValue ?? source.text)
    }
    try forced.add(query)
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
    try limits.forced.add(query)
    limits.identity = text
    if let end = restrictions.validUntil { limits.validUntil = min(limits.validUntil ?? end, end) }
    return limits
  }

  private mutating func restrictSources(_ text: String) throws(ServiceError) {
    guard let network = IPNetwork(text) else {
      throw ServiceError(400, "Invalid restrictSources: expected a network such as 10.0.0.0/8")
    }
    sources.append(network)
  }

  // MARK: Checks

  /// Whether an index may be used.
  func allows(index name: String) -> Bool {
    indexes.allSatisfy { patterns in patterns.contains { $0.matches(name) } }
  }

  /// Whether the key names an index, without a pattern.
  func names(index name: String) -> Bool {
    indexes.contains { patterns in patterns.contains { $0.isName(name) } }
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

  /// Whether the key hides some records of an index.
  var hidesRecords: Bool { forced.hidesRecords }

  /// The attributes that responses may contain; `nil` for all.
  var attributes: AttributeAccess? {
    forced.query.attributesToRetrieve.map(AttributeAccess.init)
  }

  /// Rejects a search for values of a facet that responses must not contain.
  func check(facet: String) throws(ServiceError) {
    let named = forced.query.facets
    guard attributes?.allows(facet) ?? true,
      named.map({ $0.contains("*") || $0.contains { $0.utf8.elementsEqual(facet.utf8) } }) ?? true
    else { throw .methodNotAllowed }
  }

  /// Whether the key may only read, because it has search parameters other than a user.
  var forbidsWrites: Bool { forced.limitsSearches }

  /// Whether the key sees all records with all attributes.
  var seesAllRecords: Bool { !hidesRecords && attributes?.allowsAll ?? true }

  /// Whether the key may read settings and synonyms, and sees all records with all attributes.
  var readsSettings: Bool { acl.contains(.settings) && seesAllRecords }

  /// Whether searches are changed at all.
  var restrictsSearches: Bool {
    forced.limitsSearches || forced.query.userToken != nil || maxHitsPerQuery > 0
  }
}
