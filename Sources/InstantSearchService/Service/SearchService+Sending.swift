import InstantSearchJSON

extension SearchService {
  /// Sends a call without limits.
  func send(_ call: TransportRequest) async throws -> ServiceResponse {
    ServiceResponse(try await response(to: call))
  }

  /// Sends a call, and ends at its deadline and at the cancellation of the task, whatever the
  /// transport does.
  private func response(to call: TransportRequest) async throws -> TransportResponse {
    let options = RequestOptions(
      queryItems: call.queryItems, timeout: call.deadline.map { max($0.remaining, .zero) })
    return try await EndpointCall(call.endpoint, body: call.body, snapshot: call.snapshot).response(
      over: transport, clock: configuration.clock, executor: nil, options: options)
  }

  /// Sends a call with the limits of its key.
  func send(
    _ call: TransportRequest, _ body: JSONNode?, within limits: KeyLimits
  ) async throws -> ServiceResponse {
    if call.endpoint == .listIndices { return try await listIndices(call, within: limits) }
    guard limits.restrictsSearches else { return try await send(call) }
    let root = try body ?? JSONDocument(Array("{}".utf8)).root
    var call = call
    switch call.endpoint {
    case .search(let index), .browse(let index), .facetValues(let index, _):
      call.body = try await restricted(root, of: index, within: limits, until: call.deadline).bytes
    case .multiQuery:
      call.body = try await restrictedRequests(root) { [self, deadline = call.deadline] in
        try await restricted($0, of: $1, within: limits, until: deadline)
      }
    case .recommendations:
      call.body = try await restrictedRequests(root) { [self, deadline = call.deadline] in
        try await restrictedRecommendation($0, of: $1, within: limits, until: deadline)
      }
    case .getObject(let index, let objectID):
      return try await record(objectID, of: index, call, within: limits)
    case .getObjects: return try await records(root, call, within: limits)
    case .task, .appTask, .events: break
    default:
      // A write, or a read that a filter cannot limit.
      let isForbidden =
        call.callType == .write ? limits.forbidsWrites : limits.hidesRecords
      if isForbidden { throw ServiceError.methodNotAllowed }
    }
    return try await send(call)
  }

  private func restricted(
    _ node: JSONNode, of indexName: String, within limits: KeyLimits, until deadline: Deadline?
  ) async throws -> JSON {
    try await limits.restricted(node) { [self] in
      try await defaultHits(of: indexName, until: deadline)
    }
  }

  /// The `hitsPerPage` of an index's settings.
  private func defaultHits(
    of indexName: String, until deadline: Deadline?
  ) async throws -> Int {
    let response = try await response(
      to: TransportRequest(.settings(index: indexName), deadline: deadline))
    let root = try? JSONDocument(response.body).root
    return root?["hitsPerPage"]?.int ?? 20
  }

  /// Returns the body of a call with its requests changed.
  private func restrictedRequests(
    _ root: JSONNode, _ change: (JSONNode, _ indexName: String) async throws -> JSON
  ) async throws -> [UInt8] {
    guard let nodes = root["requests"], nodes.kind == .array else {
      throw ServiceError(400, "Malformed body: expected an array \"requests\"")
    }
    var members = JSON(node: root).objectValue ?? [:]
    var requests: [JSON] = []
    for node in nodes.elements {
      requests.append(try await change(node, node["indexName"]?.string ?? ""))
    }
    members["requests"] = .array(requests)
    return JSON.object(members).bytes
  }

  private func restrictedRecommendation(
    _ node: JSONNode, of indexName: String, within limits: KeyLimits, until deadline: Deadline?
  ) async throws -> JSON {
    var members = JSON(node: node).objectValue ?? [:]
    let parameters = try node["queryParameters"] ?? JSONDocument(Array("{}".utf8)).root
    members["queryParameters"] = try await restricted(
      parameters, of: indexName, within: limits, until: deadline)
    if let fallback = node["fallbackParameters"] {
      members["fallbackParameters"] = try await restricted(
        fallback, of: indexName, within: limits, until: deadline)
    }
    return .object(members)
  }

  // MARK: Records by ID

  /// Reads a record, if a search with the key could find it.
  private func record(
    _ objectID: String, of indexName: String, _ call: TransportRequest, within limits: KeyLimits
  ) async throws -> ServiceResponse {
    var call = call
    if let attributes = limits.parameters.attributesToRetrieve {
      call.queryItems.removeAll { $0.name == "attributesToRetrieve" }
      call.queryItems.append(
        QueryItem(
          name: "attributesToRetrieve",
          value: String(decoding: JSON.array(attributes.map(JSON.string)).bytes, as: UTF8.self)))
    }
    let visibility = try await visible(
      [(indexName, objectID)], within: limits, until: call.deadline)
    guard visibility.isVisible == [true] else { throw ServiceError(404, "ObjectID does not exist") }
    call.snapshot = visibility.snapshot
    return try await send(call)
  }

  /// Reads several records. Those that a search with the key could not find are missing.
  private func records(
    _ root: JSONNode, _ call: TransportRequest, within limits: KeyLimits
  ) async throws -> ServiceResponse {
    guard let nodes = root["requests"], nodes.kind == .array else {
      throw ServiceError(400, "Malformed body: expected an array \"requests\"")
    }
    let names = nodes.elements.map { node in
      (node["indexName"]?.string ?? "", node["objectID"]?.string ?? "")
    }
    let visibility = try await visible(names, within: limits, until: call.deadline)
    var requests: [JSON] = []
    for (node, isVisible) in zip(nodes.elements, visibility.isVisible) where isVisible {
      var request = JSON(node: node).objectValue ?? [:]
      if let attributes = limits.parameters.attributesToRetrieve {
        request["attributesToRetrieve"] = .array(attributes.map(JSON.string))
      }
      requests.append(.object(request))
    }
    var call = call
    call.body = JSON.object(["requests": .array(requests)]).bytes
    call.snapshot = visibility.snapshot
    let response = try await response(to: call)
    guard (200..<300).contains(response.status),
      let results = try JSONDocument(response.body).root["results"],
      results.count == requests.count
    else { return ServiceResponse(response) }
    var found = results.elements.map(JSON.init(node:)).makeIterator()
    let all = visibility.isVisible.map { $0 ? found.next() ?? .null : .null }
    return ServiceResponse(json: JSON.object(["results": .array(all)]).bytes)
  }

  /// Returns which records the key may see, and the data in which it was found out.
  private func visible(
    _ records: [(indexName: String, objectID: String)], within limits: KeyLimits,
    until deadline: Deadline?
  ) async throws -> (isVisible: [Bool], snapshot: (any Sendable)?) {
    guard limits.hidesRecords else { return (records.map { _ in true }, nil) }
    var isVisible: [Bool] = []
    var snapshot: (any Sendable)?
    // A multi-query has a limit of queries.
    for part in stride(from: 0, to: records.count, by: 50) {
      var requests: [JSON] = []
      for (indexName, objectID) in records[part..<min(part + 50, records.count)] {
        let query = SearchQuery().with {
          $0.filters = "objectID:\(objectID.quoted)"
          $0.hitsPerPage = 1
          $0.attributesToRetrieve = []
          $0.attributesToHighlight = []
        }
        var members =
          try JSON(
            encoding: await limits.restricted(query) { 1 }
          ).objectValue ?? [:]
        members["indexName"] = .string(indexName)
        requests.append(.object(members))
      }
      let response = try await response(
        to: TransportRequest(
          .multiQuery, body: JSON.object(["requests": .array(requests)]).bytes,
          deadline: deadline, snapshot: snapshot))
      guard (200..<300).contains(response.status) else {
        // Whether an index or a record is missing makes no difference to the key.
        isVisible += requests.map { _ in false }
        continue
      }
      snapshot = snapshot ?? response.snapshot
      let results = try JSONDocument(response.body).root["results"]
      isVisible += results?.elements.map { ($0["nbHits"]?.int ?? 0) > 0 } ?? []
    }
    return (isVisible, snapshot)
  }

  // MARK: Indices

  /// Lists the indices that a key may use, and pages them.
  private func listIndices(
    _ call: TransportRequest, within limits: KeyLimits
  ) async throws -> ServiceResponse {
    guard !limits.indexes.isEmpty else { return try await send(call) }
    var all = call
    all.queryItems.removeAll { ["page", "hitsPerPage"].contains($0.name) }
    let response = try await response(to: all)
    guard (200..<300).contains(response.status),
      let items = try JSONDocument(response.body).root["items"]
    else { return ServiceResponse(response) }
    var allowed = items.elements.filter { item in
      item["name"]?.string.map(limits.allows(index:)) ?? false
    }
    var pageCount = 1
    func number(_ name: String) -> Int? {
      call.queryItems.last { $0.name == name }.flatMap { Int($0.value) }
    }
    if let page = number("page") {
      let size = min(max(number("hitsPerPage") ?? 100, 1), 1_000)
      pageCount = (allowed.count + size - 1) / size
      let start = max(page, 0).multipliedReportingOverflow(by: size)
      allowed = start.overflow ? [] : Array(allowed.dropFirst(start.partialValue).prefix(size))
    }
    let body: JSON = [
      "items": .array(allowed.map(JSON.init(node:))), "nbPages": .int(Int64(pageCount)),
    ]
    return ServiceResponse(json: body.bytes)
  }
}

extension JSON {
  /// The JSON text.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}
