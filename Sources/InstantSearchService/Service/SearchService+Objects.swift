import InstantSearchJSON

/// Records by ID, for keys that hide some of them or some of their attributes.
extension SearchService {
  /// The maximum number of records of a call.
  private static let maximumRecordCount = 1_000

  /// Reads a record, if a search with the key could find it.
  func record(
    _ objectID: String, of indexName: String, _ call: TransportRequest, within limits: KeyLimits
  ) async throws -> ServiceResponse {
    var call = call
    if let attributes = limits.forced.query.attributesToRetrieve {
      call.queryItems.removeAll { $0.name == "attributesToRetrieve" }
      call.queryItems.append(
        QueryItem(
          name: "attributesToRetrieve",
          value: String(decoding: JSON.array(attributes.map(JSON.string)).bytes, as: UTF8.self)))
    }
    let visible = try await visibleIDs([objectID], of: indexName, within: limits, for: call)
    guard visible.ids.contains(RecordID(objectID)) else {
      throw ServiceError(404, "ObjectID does not exist")
    }
    call.snapshot = visible.snapshot
    return try await send(call)
  }

  /// Reads several records. Records that a search with the key could not find are missing.
  ///
  /// Each index is read separately, so that its records and their visibility come from one
  /// snapshot, and a missing index has no effect on the others.
  func records(
    _ root: JSONNode, _ call: TransportRequest, within limits: KeyLimits
  ) async throws -> ServiceResponse {
    guard let nodes = root["requests"], nodes.kind == .array else {
      throw ServiceError(400, "Malformed body: expected an array \"requests\"")
    }
    guard nodes.count <= Self.maximumRecordCount else {
      throw ServiceError(
        400, "Too many records: expected at most \(Self.maximumRecordCount), got \(nodes.count)")
    }
    var positions: [String: [(position: Int, objectID: String)]] = [:]
    var requests: [JSON] = []
    for (position, node) in nodes.elements.enumerated() {
      guard let index = node["indexName"]?.string, let objectID = node["objectID"]?.string else {
        throw ServiceError(400, "Malformed body: expected an indexName and an objectID")
      }
      positions[index, default: []].append((position, objectID))
      var request = JSON(node: node).objectValue ?? [:]
      if let attributes = limits.forced.query.attributesToRetrieve {
        request["attributesToRetrieve"] = .array(attributes.map(JSON.string))
      }
      requests.append(.object(request))
    }
    var results = [[UInt8]](repeating: JSON.null.bytes, count: requests.count)
    var size = 0
    for (index, entries) in positions {
      let visible = try await visibleIDs(
        entries.map(\.objectID), of: index, within: limits, for: call)
      let shown = entries.filter { visible.ids.contains(RecordID($0.objectID)) }
      if shown.isEmpty { continue }
      let body: JSON = ["requests": .array(shown.map { requests[$0.position] })]
      var part = call
      part.body = body.bytes
      part.snapshot = visible.snapshot
      part.client = call.client?.after(size)
      let response = try await response(to: part)
      guard (200..<300).contains(response.status) else { return ServiceResponse(response) }
      let found = try JSONDocument(response.body).root["results"]
      for (entry, node) in zip(shown, found?.elements.map(\.self) ?? []) {
        results[entry.position] = Array(response.body[node.sourceRange])
        size += node.sourceRange.count
      }
    }
    var writer = JSONWriter(capacity: size + results.count + 16)
    writer.beginObject()
    writer.key("results")
    writer.beginArray()
    for result in results { writer.raw(result) }
    writer.endArray()
    writer.endObject()
    return ServiceResponse(json: writer.bytes)
  }

  /// Returns the IDs of an index's records that the key may see, and the snapshot in which they
  /// were found.
  private func visibleIDs(
    _ objectIDs: [String], of indexName: String, within limits: KeyLimits,
    for call: TransportRequest
  ) async throws -> (ids: Set<RecordID>, snapshot: (any Sendable)?) {
    let all = Set(objectIDs.map(RecordID.init))
    guard limits.hidesRecords else { return (all, nil) }
    var visible: Set<RecordID> = []
    var snapshot: (any Sendable)?
    let texts = all.map(\.text)
    for start in stride(from: 0, to: texts.count, by: Endpoint.maximumQueryCount) {
      let part = texts[start..<min(start + Endpoint.maximumQueryCount, texts.count)]
      var requests: [JSON] = []
      for objectID in part {
        var query = try await limits.restricted(
          SearchQuery().with { $0.filters = "objectID:\(objectID.quoted)" }
        ) { HitCounts() }
        // A filter also finds IDs in other Unicode forms and other cases.
        query.hitsPerPage = Self.maximumRecordCount
        query.length = nil
        query.distinct = false
        query.attributesToRetrieve = []
        query.attributesToHighlight = []
        query.responseFields = ["hits"]
        var members = try JSON(encoding: query).objectValue ?? [:]
        members["indexName"] = .string(indexName)
        requests.append(.object(members))
      }
      var query = TransportRequest(
        .multiQuery, body: JSON.object(["requests": .array(requests)]).bytes,
        deadline: call.deadline, snapshot: snapshot)
      query.client = call.client
      let response = try await response(to: query)
      if response.status == 404 { return ([], nil) }
      guard (200..<300).contains(response.status) else {
        throw ServiceError(response.status, "The rights to a record could not be checked")
      }
      snapshot = snapshot ?? response.snapshot
      let results = try JSONDocument(response.body).root["results"]
      for result in results?.elements.map(\.self) ?? [] {
        for hit in result["hits"]?.elements.map(\.self) ?? [] {
          if let id = hit["objectID"]?.string { visible.insert(RecordID(id)) }
        }
      }
    }
    return (visible, snapshot)
  }
}

/// The ID of a record, which is compared by its bytes: another Unicode form is another record.
private struct RecordID: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: RecordID, right: RecordID) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(0xFF as UInt8)
  }
}
