import InstantSearchJSON

/// The settings of an index that affect the number of hits.
struct HitCounts: Sendable {
  /// The hits of a page, or groups of hits.
  var hitsPerPage = 20
  /// The hits of a group; 0 if hits are not grouped.
  var hitsPerGroup = 0
  /// Whether the index has groups.
  var hasGroups = false
}

extension HitCounts {
  /// Reads the settings of an index; `nil` for a missing index.
  init(settings: JSONNode?) {
    self.init()
    hitsPerPage = settings?["hitsPerPage"]?.int ?? hitsPerPage
    hasGroups = settings?["attributeForDistinct"]?.string != nil
    if let distinct = settings?["distinct"], let value = try? Distinct(parameter: distinct) {
      hitsPerGroup = value.hitsPerGroup
    }
  }
}

/// Forces the limits of a key on the queries of a call.
extension KeyLimits {
  /// Returns the body of a search with the limits forced on its parameters.
  ///
  /// - Parameters:
  ///   - node: The object with the parameters, inline and in `params`. A cursor is left out.
  ///   - defaults: Returns the settings of the index, which count if neither the key nor the caller
  ///     has a value.
  func restricted(
    _ node: JSONNode, defaults: () async throws -> HitCounts
  ) async throws -> JSON {
    guard node.kind == .object else {
      throw ServiceError(400, "Malformed body: expected a JSON object")
    }
    let others = SearchQuery.multiQueryMembers
    let query = try await restricted(
      Self.query(in: node, except: others.union(["params", "cursor"])), defaults: defaults)
    var members = try JSON(encoding: query).objectValue ?? [:]
    for name in others {
      if let value = node[name] { members[name] = JSON(node: value) }
    }
    return .object(members)
  }

  /// Returns a query with the limits forced on it.
  func restricted(
    _ query: SearchQuery, defaults: () async throws -> HitCounts
  ) async throws -> SearchQuery {
    var result = try forced.forced(on: query)
    result.filters = try forced.joinedFilters(with: result.filters)
    for (number, path) in ForcedParameters.listPaths.enumerated() {
      guard let lists = forced.lists[number] else { continue }
      let all = lists + (query[keyPath: path].map { [$0] } ?? [])
      result[keyPath: path] = .group(all.flatMap(\.elements))
    }
    if let most = forced.query.hitsPerPage, let length = result.length {
      // A length counts with an offset only, and then instead of the hits of a page.
      result.length = min(length, most)
    }
    if maxHitsPerQuery > 0 { try await limitHits(of: &result, defaults: defaults) }
    if let attributes { try limit(&result, to: attributes) }
    return result
  }

  /// Limits the hits of a query, counting every hit of a group.
  private func limitHits(
    of query: inout SearchQuery, defaults: () async throws -> HitCounts
  ) async throws {
    let isGrouped = query.distinct.map { $0.hitsPerGroup > 1 } ?? true
    let counts =
      query.hitsPerPage == nil || isGrouped ? try await defaults() : HitCounts()
    let perGroup = counts.hasGroups ? query.distinct?.hitsPerGroup ?? counts.hitsPerGroup : 0
    if perGroup > maxHitsPerQuery { query.distinct = .count(maxHitsPerQuery) }
    let groups = maxHitsPerQuery / min(max(perGroup, 1), maxHitsPerQuery)
    query.hitsPerPage = min(query.hitsPerPage ?? counts.hitsPerPage, groups)
    if let length = query.length { query.length = min(length, groups) }
  }

  /// Keeps attributes that the key does not allow out of the response.
  private func limit(_ query: inout SearchQuery, to attributes: AttributeAccess) throws {
    query.attributesToHighlight = attributes.limited(
      query.attributesToHighlight, fallback: attributes.defaultHighlights)
    query.attributesToSnippet = attributes.limited(
      query.attributesToSnippet, fallback: [], haveLength: true)
    query.facets = attributes.limited(query.facets, fallback: nil)
    // The ranking information reveals the location of each hit, and its rank by other attributes.
    if query.getRankingInfo == true, !attributes.allowsAll { query.getRankingInfo = false }
    for criterion in query.ranking ?? [] {
      guard SortCriterion(criterion).map({ attributes.allows($0.attribute) }) ?? true else {
        throw ServiceError.methodNotAllowed
      }
    }
  }

  /// Returns the parameters of an object: the parameters in `params`, overridden by inline ones.
  private static func query(in node: JSONNode, except names: Set<String>) throws -> SearchQuery {
    do {
      let inline = try SearchQuery(node: node, except: names)
      guard let params = node["params"], !params.isNull else { return inline }
      guard let text = params.string else {
        throw ServiceError(400, "Invalid value for \"params\", expected a text")
      }
      var query = try SearchQuery(urlEncoded: text).merging(inline)
      for name in names { query.additionalParameters[name] = nil }
      return query
    } catch let error as SearchError {
      throw ServiceError(400, error.message)
    }
  }
}

extension NestedFilters {
  /// The elements of the outermost list, all of which must match.
  var elements: [NestedFilters] {
    switch self {
    case .filter: [self]
    case .group(let elements): elements
    }
  }

  /// Whether the lists contain a filter.
  var hasFilters: Bool {
    switch self {
    case .filter(let text): !text.isEmpty
    case .group(let elements): elements.contains(where: \.hasFilters)
    }
  }
}
