import InstantSearchJSON

/// The bodies of one call with the limits of its key.
struct RestrictedCall {
  let limits: KeyLimits
  private let service: SearchService
  private let deadline: Deadline?
  /// The settings of each index that affect the number of hits.
  private var hitCounts: [String: HitCounts] = [:]

  init(_ service: SearchService, _ limits: KeyLimits, until deadline: Deadline?) {
    self.service = service
    self.limits = limits
    self.deadline = deadline
  }

  /// Returns the parameters of a query with the limits forced on them.
  mutating func query(_ node: JSONNode, of indexName: String) async throws -> JSON {
    try Task.checkCancellation()
    if let deadline, deadline.hasPassed { throw SearchError.deadlinePassed }
    if node["type"]?.string == "facet", let facet = node["facet"]?.string {
      try limits.check(facet: facet)
    }
    let known = hitCounts[indexName]
    var found: HitCounts?
    let (service, deadline) = (service, deadline)
    let query = try await limits.restricted(node) {
      if let known { return known }
      let counts = HitCounts(settings: try await service.settings(of: indexName, until: deadline))
      found = counts
      return counts
    }
    hitCounts[indexName] = known ?? found
    return query
  }

  /// Returns the body of a call with several queries.
  mutating func requests(_ root: JSONNode, of endpoint: Endpoint) async throws -> [UInt8] {
    guard let nodes = root["requests"], nodes.kind == .array else {
      throw ServiceError(400, "Malformed body: expected an array \"requests\"")
    }
    var members = JSON(node: root).objectValue ?? [:]
    var requests: [JSON] = []
    for node in nodes.elements {
      guard node.kind == .object, let index = node["indexName"]?.string else {
        throw ServiceError(400, "Malformed body: expected an object with a text \"indexName\"")
      }
      let isRecommendation = endpoint == .recommendations
      requests.append(
        isRecommendation
          ? try await recommendation(node, of: index) : try await query(node, of: index))
    }
    members["requests"] = .array(requests)
    return JSON.object(members).bytes
  }

  private mutating func recommendation(
    _ node: JSONNode, of indexName: String
  ) async throws -> JSON {
    var members = JSON(node: node).objectValue ?? [:]
    let parameters = try node["queryParameters"] ?? JSONDocument(Array("{}".utf8)).root
    members["queryParameters"] = try await query(parameters, of: indexName)
    if limits.maxHitsPerQuery > 0 {
      let most = node["maxRecommendations"]?.int ?? .max
      members["maxRecommendations"] = .int(Int64(min(most, limits.maxHitsPerQuery)))
    }
    if let fallback = node["fallbackParameters"], !fallback.isNull {
      members["fallbackParameters"] = try await query(fallback, of: indexName)
    }
    return .object(members)
  }
}
