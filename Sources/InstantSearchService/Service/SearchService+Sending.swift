import InstantSearchJSON

extension SearchService {
  /// Sends a call without limits.
  func send(_ call: TransportRequest) async throws -> ServiceResponse {
    ServiceResponse(try await response(to: call))
  }

  /// Sends a call, and ends at its deadline or when the task is cancelled, regardless of the
  /// transport.
  func response(to call: TransportRequest) async throws -> TransportResponse {
    var asked = EndpointCall(call.endpoint, body: call.body, snapshot: call.snapshot)
    asked.deadline = call.deadline
    asked.rights = call.rights
    asked.client = call.client
    return try await asked.response(
      over: transport, clock: configuration.clock, executor: nil,
      options: RequestOptions(queryItems: call.queryItems))
  }

  /// Sends a call with the limits of its key.
  ///
  /// - Parameter body: The parsed body of a call that is limited by it.
  func send(
    _ call: TransportRequest, _ body: JSONNode?, within limits: KeyLimits
  ) async throws -> ServiceResponse {
    if call.endpoint == .listIndices { return try await listIndices(call, within: limits) }
    if case .settings = call.endpoint { return try await settings(call, within: limits) }
    try await checkReplicas(call, body, within: limits)
    guard limits.restrictsSearches else { return try await send(call) }
    let root = try body ?? JSONDocument(Array("{}".utf8)).root
    var call = call
    var restricted = RestrictedCall(self, limits, until: call.deadline)
    switch call.endpoint {
    case .search(let index): call.body = try await restricted.query(root, of: index).bytes
    case .facetValues(let index, let facet):
      try limits.check(facet: facet)
      call.body = try await restricted.query(root, of: index).bytes
    case .browse(let index):
      // Browsing ignores these.
      if limits.forced.query.distinct != nil || limits.forced.query.advancedSyntax == true {
        throw ServiceError.methodNotAllowed
      }
      return try await browse(index, root, call, &restricted)
    case .multiQuery, .recommendations:
      call.body = try await restricted.requests(root, of: call.endpoint)
    case .getObject(let index, let objectID):
      return try await record(objectID, of: index, call, within: limits)
    case .getObjects: return try await records(root, call, within: limits)
    case .task, .appTask, .events: break
    // Places have different parameters.
    case .places, .reversePlaces, .place: throw ServiceError.methodNotAllowed
    default:
      // A write, or a read that a filter cannot limit.
      let isForbidden = call.callType == .write ? limits.forbidsWrites : limits.hidesRecords
      if isForbidden { throw ServiceError.methodNotAllowed }
    }
    return try await send(call)
  }

  // MARK: Browsing

  /// Sends one page of a browse. A cursor is signed for the key that received it, because its
  /// session keeps the initial query.
  private func browse(
    _ indexName: String, _ root: JSONNode, _ call: TransportRequest,
    _ restricted: inout RestrictedCall
  ) async throws -> ServiceResponse {
    var call = call
    let signature = CursorSignature(keys, restricted.limits, indexName)
    var body = try await restricted.query(root, of: indexName).objectValue ?? [:]
    if let cursor = root["cursor"], !cursor.isNull {
      guard let text = cursor.string, let own = signature.verified(text) else {
        throw ServiceError(400, "The cursor is not one of this key and index")
      }
      body["cursor"] = .string(own)
    }
    call.body = JSON.object(body).bytes
    let response = try await response(to: call)
    guard let document = try? JSONDocument(response.body),
      let cursor = document.root["cursor"], let text = cursor.string
    else { return ServiceResponse(response) }
    var changed = response
    changed.body.replaceSubrange(
      cursor.sourceRange, with: JSON.string(signature.signed(text)).bytes)
    return ServiceResponse(changed)
  }

  // MARK: Replicas

  /// Rejects a change that affects replicas that the key may not use.
  private func checkReplicas(
    _ call: TransportRequest, _ body: JSONNode?, within limits: KeyLimits
  ) async throws {
    guard !limits.indexes.isEmpty, call.callType == .write else { return }
    let forwards = call.queryItems.contains { $0.name == "forwardToReplicas" && $0.value == "true" }
    var indices: Set<String> = []
    switch call.endpoint {
    case .setSettings(let name) where forwards || (body.map(Self.setsReplicas) ?? false):
      indices = [name]
    // Deleting an index changes its replicas. Replicas follow writes of records by design.
    case .deleteIndex(let name): indices = [name]
    case .batch(let name): if body?.indexDeletions.isEmpty == false { indices = [name] }
    case .multiBatch:
      indices = Set(body?.indexDeletions.compactMap { $0["indexName"]?.string } ?? [])
    case .synonyms(let name, _) where forwards: indices = [name]
    case .rules(let name, _) where forwards: indices = [name]
    default: return
    }
    for index in indices.sorted() {
      let settings = try await settings(of: index, until: call.deadline)
      let replicas = settings.map(IndexSettings.replicas) ?? []
      guard replicas.map(IndexSettings.indexName).allSatisfy(limits.allows(index:)) else {
        throw ServiceError.indexNotAllowed
      }
    }
  }

  /// Whether settings change the replicas, by the current name or the former one.
  private static func setsReplicas(_ settings: JSONNode) -> Bool {
    IndexSettings.entry(named: "replicas")?.names.contains { settings[$0] != nil } ?? false
  }

  /// Sends the settings of an index, without the names of other indices that the key may not use.
  private func settings(
    _ call: TransportRequest, within limits: KeyLimits
  ) async throws -> ServiceResponse {
    if limits.hidesRecords { throw ServiceError.methodNotAllowed }
    let response = try await response(to: call)
    guard !limits.indexes.isEmpty, (200..<300).contains(response.status),
      case .object(var members) = JSON(node: try JSONDocument(response.body).root)
    else { return ServiceResponse(response) }
    limits.removeForeignIndices(from: &members)
    return ServiceResponse(json: JSON.object(members).bytes)
  }

  /// Returns the settings of an index; `nil` if it does not exist.
  func settings(of indexName: String, until deadline: Deadline?) async throws -> JSONNode? {
    let response = try await response(
      to: TransportRequest(.settings(index: indexName), deadline: deadline))
    guard (200..<300).contains(response.status) else { return nil }
    return try JSONDocument(response.body).root
  }

  // MARK: Indices

  /// Lists the indices that a key may use, and pages them.
  private func listIndices(
    _ call: TransportRequest, within limits: KeyLimits
  ) async throws -> ServiceResponse {
    // The numbers of records would reveal records that the key hides.
    if limits.hidesRecords { throw ServiceError.methodNotAllowed }
    guard !limits.indexes.isEmpty else { return try await send(call) }
    func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
      guard let text = call.queryItems.last(where: { $0.name == name })?.value else { return nil }
      guard let number = Int(text), range.contains(number) else {
        throw ServiceError(400, "Invalid value for \"\(name)\"")
      }
      return number
    }
    let page = try number("page", 0...Int(Int32.max))
    let size = try number("hitsPerPage", 1...1_000) ?? 100
    var all = call
    all.queryItems.removeAll { ["page", "hitsPerPage"].contains($0.name) }
    let response = try await response(to: all)
    guard (200..<300).contains(response.status),
      let items = try JSONDocument(response.body).root["items"]
    else { return ServiceResponse(response) }
    var allowed: [JSON] = []
    for item in items.elements {
      try Task.checkCancellation()
      guard let name = item["name"]?.string, limits.allows(index: name) else { continue }
      var members = JSON(node: item).objectValue ?? [:]
      limits.removeForeignIndices(from: &members)
      allowed.append(.object(members))
    }
    var pageCount = 1
    if let page {
      pageCount = (allowed.count + size - 1) / size
      let start = page.multipliedReportingOverflow(by: size)
      allowed = start.overflow ? [] : Array(allowed.dropFirst(start.partialValue).prefix(size))
    }
    let body: JSON = ["items": .array(allowed), "nbPages": .int(Int64(pageCount))]
    return ServiceResponse(json: body.bytes)
  }
}

extension JSONNode {
  /// The requests of a batch that delete an index.
  fileprivate var indexDeletions: [JSONNode] {
    self["requests"]?.elements.filter { $0["action"]?.string == "delete" } ?? []
  }
}

extension KeyLimits {
  /// Removes the primary and the replicas that the key may not use from the description of an
  /// index.
  fileprivate func removeForeignIndices(from members: inout [String: JSON]) {
    if let primary = members["primary"]?.stringValue, !allows(index: primary) {
      members["primary"] = nil
    }
    if let replicas = members["replicas"]?.stringsValue {
      members["replicas"] = .array(
        replicas.filter { allows(index: IndexSettings.indexName(ofReplica: $0)) }.map(JSON.string))
    }
  }
}

/// Signs the cursors of a key, so that no other key continues its browse.
private struct CursorSignature {
  private let key: [UInt8]
  private let context: String

  init(_ keys: ServiceKeys, _ limits: KeyLimits, _ indexName: String) {
    key = keys.cursorKey
    context = "\(limits.value.utf8.count):\(limits.value)\(limits.identity) \(indexName) "
  }

  func signed(_ cursor: String) -> String {
    let code = HMACSHA256.code(for: (context + cursor).utf8, key: key)
    return String(decoding: Hexadecimal.text(of: code.prefix(16)), as: UTF8.self) + "." + cursor
  }

  /// Returns the cursor in a signed one; `nil` if it was not signed for the same key and index.
  func verified(_ text: String) -> String? {
    guard let dot = text.firstIndex(of: ".") else { return nil }
    let cursor = String(text[text.index(after: dot)...])
    return Secrecy.hasSameBytes(Array(signed(cursor).utf8), Array(text.utf8)) ? cursor : nil
  }
}
