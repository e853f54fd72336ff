import InstantSearchJSON

/// The rights that a call needs.
///
/// Source: the access control lists of the operations in the OpenAPI description, and for batches
/// the actions in them.
enum NeededRight: Hashable {
  /// Any key.
  case none
  /// One of the rights.
  case any(of: Set<Right>)
  /// All of the rights.
  case all(of: Set<Right>)
  /// The admin key.
  case admin

  /// Whether the given rights are sufficient.
  func isGranted(by acl: Set<Right>) -> Bool {
    switch self {
    case .none: true
    case .any(let rights): !rights.isDisjoint(with: acl)
    case .all(let rights): rights.isSubset(of: acl)
    case .admin: false
    }
  }
}

extension Endpoint {
  /// The rights that the call needs, which depend on the actions for a batch.
  ///
  /// - Parameter body: The parsed body of a batch.
  func neededRight(body: JSONNode?) -> NeededRight {
    switch self {
    case .search, .multiQuery, .facetValues, .recommendations, .places, .reversePlaces, .place,
      .getObjects, .getObject, .events:
      .all(of: [.search])
    case .browse: .all(of: [.browse])
    case .saveObject, .replaceObject, .partialUpdate, .operation: .all(of: [.addObject])
    case .deleteObject: .all(of: [.deleteObject])
    case .batch, .multiBatch: Self.right(ofBatch: body)
    case .deleteBy, .clear, .deleteIndex: .all(of: [.deleteIndex])
    case .listIndices: .all(of: [.listIndexes])
    case .settings: .all(of: [.settings])
    case .setSettings: .all(of: [.editSettings])
    case .task, .appTask:
      .any(of: [.addObject, .deleteObject, .deleteIndex, .editSettings])
    case .synonyms(_, let entries), .rules(_, let entries):
      .all(of: [entries == .search || entries.isGet ? .settings : .editSettings])
    case .keys(.get): .none
    case .keys, .sources, .deleteUser, .custom: .admin
    case .dictionaries(.search), .dictionaries(.settings), .dictionaries(.languages):
      .all(of: [.settings])
    case .dictionaries: .all(of: [.editSettings])
    case .logs: .all(of: [.logs])
    }
  }

  private static func right(ofBatch body: JSONNode?) -> NeededRight {
    var rights: Set<Right> = []
    for request in body?["requests"]?.elements.map(\.self) ?? [] {
      switch request["action"]?.string {
      case "deleteObject": rights.insert(.deleteObject)
      case "delete", "clear": rights.insert(.deleteIndex)
      // The transport rejects an unknown action, but a caller that may not write is rejected here.
      default: rights.insert(.addObject)
      }
    }
    return .all(of: rights.isEmpty ? [.addObject] : rights)
  }

  /// Returns the indices that the path names.
  ///
  /// - Parameter places: The index of places, which no path names.
  func indexNames(places: String) -> [String] {
    switch self {
    case .places, .reversePlaces, .place: [places]
    default: indexName.map { [$0] } ?? []
    }
  }

  /// Whether the call reads or changes what all indices have, so that a key for some may not make
  /// it.
  var concernsAllIndices: Bool {
    if case .dictionaries = self { true } else { false }
  }

  /// Whether rights, indices or parameters of the call are in its body.
  var isLimitedByBody: Bool {
    switch self {
    case .search, .multiQuery, .facetValues, .browse, .recommendations, .getObjects, .batch,
      .multiBatch, .operation, .setSettings:
      true
    default: false
    }
  }

  /// Whether the right that the call needs is in its body.
  var isBatch: Bool {
    switch self {
    case .batch, .multiBatch: true
    default: false
    }
  }

  /// Rejects a body that another parser may read differently: a duplicate member, or a setting that
  /// is not part of the contract.
  func checkForm(of body: JSONNode) throws(ServiceError) {
    try Self.checkNames(of: body)
    switch self {
    case .setSettings:
      for name in body.currentMembers.map(\.key) where !IndexSettings.isKnown(name) {
        throw ServiceError(400, "Invalid settings: \"\(name)\" is not a setting")
      }
    case .multiQuery, .recommendations, .getObjects, .batch, .multiBatch:
      try checkQueryCount(of: body)
      for request in body["requests"]?.elements.map(\.self) ?? [] {
        try Self.checkNames(of: request)
      }
    default: break
    }
  }

  private func checkQueryCount(of body: JSONNode) throws(ServiceError) {
    guard self == .multiQuery || self == .recommendations else { return }
    let count = body["requests"]?.count ?? 0
    guard count <= Self.maximumQueryCount else {
      throw ServiceError(
        400,
        "Too many queries in one request: \(count), expected at most \(Self.maximumQueryCount)")
    }
  }

  private static func checkNames(of node: JSONNode) throws(ServiceError) {
    for member in node.members where member.isSuperseded {
      throw ServiceError(400, "The member \"\(member.key)\" occurs twice")
    }
  }

  /// Returns the indices that the body names.
  func indexNames(in body: JSONNode) -> [String] {
    var names: [String] = []
    switch self {
    case .operation: names = body["destination"]?.string.map { [$0] } ?? []
    case .setSettings:
      names = IndexSettings.replicas(in: body).map(IndexSettings.indexName(ofReplica:))
    case .multiQuery, .recommendations, .getObjects, .multiBatch:
      names = body["requests"]?.elements.compactMap { $0["indexName"]?.string } ?? []
    default: break
    }
    return names
  }
}

extension Endpoint.Entries {
  fileprivate var isGet: Bool {
    if case .get = self { true } else { false }
  }
}
