import InstantSearchJSON

extension IndexReader {
  /// The attributes of `attributesToRetrieve=a,b` in a call's query items; `*` when absent.
  private func attributes(
    of request: TransportRequest, _ checkpoint: Checkpoint
  ) throws -> [String] {
    let items = request.queryItems.filter { $0.name == "attributesToRetrieve" }
    guard let text = items.last?.value else { return ["*"] }
    try checkpoint.count(bytes: text.utf8.count)
    try ParameterLimits.check(attributes: [text], "attributesToRetrieve")
    let list = text.split(separator: ",").map { String($0).trimmingSpaces() }
    try ParameterLimits.check(list: list, "attributesToRetrieve")
    return list
  }

  /// Answers `GET /1/indexes/{index}/{objectID}`.
  func answerObject(
    _ request: TransportRequest, _ indexName: String, _ objectID: String,
    _ checkpoint: Checkpoint
  ) throws -> TransportResponse {
    let snapshot = try snapshot(of: indexName)
    let projection = try snapshot.projection(attributes(of: request, checkpoint), checkpoint)
    guard let bytes = try snapshot.record(objectID, projection, checkpoint)
    else { throw APIError(status: 404, "ObjectID does not exist") }
    try checkpoint.check(answerSize: bytes.count, .record)
    return TransportResponse(json: bytes)
  }

  /// Answers `POST /1/indexes/*/objects`.
  func answerObjects(
    _ request: TransportRequest, _ checkpoint: Checkpoint
  ) throws -> TransportResponse {
    let requests = try RequestBody(request.body, checkpoint).objects("requests", checkpoint)
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.key("results")
    writer.beginArray()
    for node in requests {
      try checkpoint.count()
      let indexName = try RequestBody.string("indexName", in: node)
      let objectID = try RequestBody.string("objectID", in: node)
      let snapshot = try snapshot(of: indexName)
      let projection = try snapshot.projection(Self.attributes(in: node), checkpoint)
      if let bytes = try snapshot.record(objectID, projection, checkpoint) {
        try checkpoint.count(bytes: bytes.count)
        writer.raw(bytes)
        try checkpoint.check(answerSize: writer.count)
      } else {
        writer.null()
      }
    }
    writer.endArray()
    writer.endObject()
    return try TransportResponse(writer, checkpoint)
  }

  /// The attributes of one request for a record; `*` when it names none.
  private static func attributes(in node: JSONNode) throws(APIError) -> [String] {
    guard let list = node["attributesToRetrieve"], list.kind == .array else { return ["*"] }
    let name = "attributesToRetrieve"
    try ParameterCheck.count(list.count, name, limit: ParameterLimits.maximumEntryCount)
    let attributes = list.elements.compactMap(\.string)
    try ParameterLimits.check(list: attributes, name)
    return attributes
  }

  /// Answers `GET /1/indexes`.
  func answerList(_ checkpoint: Checkpoint) throws -> TransportResponse {
    var names = try checkpoint.map(snapshots) { $0.key }
    try checkpoint.sort(&names, length: { $0.utf8.count }, by: <)
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.key("items")
    writer.beginArray()
    for name in names {
      try checkpoint.count(text: name, after: writer.count, .indices)
      writer.beginObject()
      writer.key("name")
      writer.string(name)
      writer.key("entries")
      writer.int(snapshots[name]?.recordCount ?? 0)
      writer.endObject()
    }
    writer.endArray()
    writer.key("nbPages")
    writer.int(1)
    writer.endObject()
    try checkpoint.check(answerSize: writer.count, .indices)
    return try TransportResponse(writer, checkpoint)
  }

  /// Answers `GET /1/indexes/{index}/settings`.
  func answerSettings(
    _ indexName: String, _ checkpoint: Checkpoint
  ) throws -> TransportResponse {
    let settings = try snapshot(of: indexName).settings
    let bytes = try JSONValueEncoder().encode(settings) {
      try checkpoint.count(Checkpoint.stepsOfCheck)
    }
    try checkpoint.check(answerSize: bytes.count, .settings)
    return TransportResponse(json: bytes)
  }

  /// Answers `GET /1/indexes/{index}/task/{taskID}`: every write was done when its call was
  /// answered.
  func answerTask(_ taskID: String) throws -> TransportResponse {
    guard Int64(taskID) != nil else { throw APIError("Invalid taskID \(taskID)") }
    return TransportResponse { writer in
      writer.key("status")
      writer.string("published")
      writer.key("pendingTask")
      writer.bool(false)
    }
  }
}

extension Snapshot {
  /// Cuts records to some attributes, less those that are never returned.
  func projection(
    _ attributes: [String], _ checkpoint: Checkpoint
  ) throws -> RecordProjection {
    try RecordProjection(
      attributes: attributes, hidden: lists(checkpoint).hidden, checkpoint)
  }

  /// The wanted attributes of a record; `nil` when there is no such record.
  func record(
    _ objectID: String, attributes: [String], _ checkpoint: Checkpoint
  ) throws -> [UInt8]? {
    try record(objectID, projection(attributes, checkpoint), checkpoint)
  }

  /// The wanted part of a record; `nil` when there is no such record.
  func record(
    _ objectID: String, _ projection: RecordProjection, _ checkpoint: Checkpoint
  ) throws -> [UInt8]? {
    guard let place = locate(objectID: objectID) else { return nil }
    let bytes = segments[place.segment].segment.records.bytes(of: place.document)
    return try projection.bytes(of: checkpoint.stored(bytes), checkpoint)
  }
}
