import InstantSearchJSON

/// Forces the limits of a key on the queries of a call.
///
/// The caller's filters are parsed and joined as trees, so that no quote and no parenthesis in them
/// reaches beyond its own part.
extension KeyLimits {
  /// Returns the body of a search with the limits forced on its parameters.
  ///
  /// - Parameters:
  ///   - node: The object with the parameters, inline and in `params`. A cursor is left out.
  ///   - defaultHits: Returns the `hitsPerPage` of the index's settings, which counts if neither
  ///     the key nor the caller has one.
  func restricted(
    _ node: JSONNode, defaultHits: () async throws -> Int
  ) async throws -> JSON {
    guard node.kind == .object else {
      throw ServiceError(400, "Malformed body: expected a JSON object")
    }
    let others = SearchQuery.multiQueryMembers
    let query = try await restricted(
      Self.query(in: node, except: others.union(["params", "cursor"])), defaultHits: defaultHits)
    var members = try JSON(encoding: query).objectValue ?? [:]
    for name in others {
      if let value = node[name] { members[name] = JSON(node: value) }
    }
    return .object(members)
  }

  /// Returns a query with the limits forced on it.
  func restricted(
    _ query: SearchQuery, defaultHits: () async throws -> Int
  ) async throws -> SearchQuery {
    var trees = filters
    if let text = query.filters, let tree = try Self.tree(of: text) { trees.append(tree) }
    var result = query.merging(parameters)
    result.filters = trees.isEmpty ? nil : FilterTree.all(trees).text
    for (number, path) in Self.listPaths.enumerated() {
      guard let forced = lists[number] else { continue }
      let all = forced + (query[keyPath: path].map { [$0] } ?? [])
      result[keyPath: path] = .group(all.flatMap(\.elements))
    }
    // A length counts with an offset only, and then instead of the hits of a page.
    let forced = parameters.hitsPerPage ?? .max
    let most = min(maxHitsPerQuery > 0 ? maxHitsPerQuery : .max, forced)
    if let length = result.length { result.length = min(length, most) }
    if maxHitsPerQuery > 0 {
      let hits = if let hits = result.hitsPerPage { hits } else { try await defaultHits() }
      result.hitsPerPage = min(hits, maxHitsPerQuery)
    }
    if let attributes {
      result.attributesToHighlight = attributes.limited(
        query.attributesToHighlight, fallback: attributes.defaultHighlights)
      result.attributesToSnippet = attributes.limited(query.attributesToSnippet, fallback: [])
      result.facets = attributes.limited(parameters.facets ?? query.facets, fallback: nil)
    }
    return result
  }

  /// Returns the parameters of an object, those of `params` overridden by inline ones.
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

  private static func tree(of text: String) throws -> FilterTree? {
    do {
      return try FilterParser.parse(text) { _ in try Task.checkCancellation() }
    } catch let error as SearchError {
      throw ServiceError(400, error.message)
    }
  }
}

extension NestedFilters {
  /// The elements of the outermost list, all of which must match.
  fileprivate var elements: [NestedFilters] {
    switch self {
    case .filter: [self]
    case .group(let elements): elements
    }
  }
}
