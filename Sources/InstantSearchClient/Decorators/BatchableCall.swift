import InstantSearchJSON

/// A search that can share a request with other searches.
struct BatchableCall: Sendable {
  /// The queries of the call, each as a complete JSON object of a multi-query request.
  let queries: [[UInt8]]
  /// Whether the call is itself a multi-query and so expects a list of results.
  let isMultiQuery: Bool
  /// The original request.
  let request: TransportRequest

  /// Splits a request into queries; `nil` for a request that must be sent unchanged.
  ///
  /// A body is spliced into others only if it is exactly one JSON object: a truncated body would
  /// become more than one query. It must not contain the members that a multi-query has in addition
  /// to search parameters, because they would change the meaning of the query.
  init?(_ request: TransportRequest) {
    guard request.endpoint.isBatchable, request.callType == .read, request.snapshot == nil,
      !request.hasOwnRequestID
    else { return nil }
    switch request.endpoint {
    case .multiQuery:
      guard let queries = Self.queries(inMultiQuery: request.body) else { return nil }
      self.queries = queries
      isMultiQuery = true
    case .search(let index):
      guard let query = Self.query(request.body, in: index) else { return nil }
      queries = [query]
      isMultiQuery = false
    default: return nil
    }
    self.request = request
  }

  /// The queries of a body `{"requests":[…]}` whose strategy is `none`.
  private static func queries(inMultiQuery body: [UInt8]) -> [[UInt8]]? {
    guard let root = (try? JSONDocument(body))?.root, root.kind == .object else { return nil }
    for member in root.members where !member.hasKey("requests") {
      guard member.hasKey("strategy"), member.value.isString("none") else { return nil }
    }
    guard let requests = root["requests"], requests.count > 0,
      requests.elements.allSatisfy({ $0.kind == .object })
    else { return nil }
    return requests.elements.map(\.source)
  }

  /// Returns the body of a single search as a query of a multi-query.
  private static func query(_ body: [UInt8], in indexName: String) -> [UInt8]? {
    var writer = JSONWriter(capacity: body.count + indexName.utf8.count + 20)
    writer.beginObject()
    writer.key("indexName")
    writer.string(indexName)
    var query = writer.bytes
    if !body.isEmpty {
      guard let root = (try? JSONDocument(body))?.root, root.kind == .object else { return nil }
      let reserved = SearchQuery.multiQueryMembers
      guard !root.members.contains(where: { reserved.contains($0.key) }) else { return nil }
      if root.count > 0 {
        query.append(UInt8(ascii: ","))
        // The text between the braces.
        query += body[root.sourceRange].dropFirst().dropLast()
      }
    }
    query.append(UInt8(ascii: "}"))
    return query
  }
}

extension BatchableCall {
  /// Creates one request for several calls. It has the headers, query items, attempt timeout and
  /// rights of the first call.
  static func request(joining calls: [BatchableCall]) -> TransportRequest? {
    guard let first = calls.first else { return nil }
    var writer = JSONWriter(
      capacity: calls.reduce(20) { $0 + $1.queries.reduce(0) { $0 + $1.count + 1 } })
    writer.beginObject()
    writer.key("requests")
    writer.beginArray()
    for call in calls {
      for query in call.queries { writer.raw(query) }
    }
    writer.endArray()
    writer.endObject()
    var request = TransportRequest(
      .multiQuery, queryItems: first.request.queryItems, headers: first.request.headers,
      body: writer.bytes, attemptTimeout: first.request.attemptTimeout)
    request.rights = first.request.rights
    return request
  }

  /// Splits the response to joined calls into one response per call, in order.
  ///
  /// - Throws: `SearchError` of code `decoding` if the response does not have one result per query.
  static func responses(
    to calls: [BatchableCall], in response: TransportResponse
  ) throws(SearchError) -> [TransportResponse] {
    let document: JSONDocument
    do {
      document = try JSONDocument(response.body)
    } catch {
      throw SearchError(
        .decoding, "The response to a batch is not valid JSON: \(error)", status: response.status)
    }
    let count = calls.reduce(0) { $0 + $1.queries.count }
    guard let results = document.root["results"], results.kind == .array, results.count == count
    else {
      throw SearchError(
        .decoding,
        "The response to a batch of \(count) queries has \(document.root["results"]?.count ?? 0) results.",
        status: response.status)
    }
    var part = response
    // The header has the length of all results.
    part.headers.removeAll { $0.name.lowercased() == "content-length" }
    var elements = results.elements
    return calls.map { call in
      part.body = call.body(of: (0..<call.queries.count).compactMap { _ in elements.next() })
      return part
    }
  }

  /// Returns the results in the form that the call expects.
  private func body(of results: [JSONNode]) -> [UInt8] {
    if !isMultiQuery, let result = results.first { return result.source }
    var writer = JSONWriter(capacity: results.reduce(20) { $0 + $1.sourceRange.count + 1 })
    writer.beginObject()
    writer.key("results")
    writer.beginArray()
    for result in results { writer.raw(result) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
