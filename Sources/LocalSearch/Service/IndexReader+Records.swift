import AsyncInstantSearch
import InstantSearchJSON

extension IndexReader {
  /// The attributes of `attributesToRetrieve=a,b` in a call's query items; `*` when absent.
  private func attributes(of request: TransportRequest) -> [String] {
    let items = request.queryItems.filter { $0.name == "attributesToRetrieve" }
    guard let text = items.last?.value else { return ["*"] }
    return text.split(separator: ",").map { String($0).trimmingSpaces() }
  }

  /// Answers `GET /1/indexes/{index}/{objectID}`.
  func answerObject(
    _ request: TransportRequest, _ indexName: String, _ objectID: String,
    _ checkpoint: Checkpoint
  ) throws -> TransportResponse {
    let snapshot = try snapshot(of: indexName)
    guard
      let bytes = try snapshot.record(objectID, attributes: attributes(of: request), checkpoint)
    else { throw APIError(status: 404, "ObjectID does not exist") }
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
      let attributes = node["attributesToRetrieve"]?.elements.compactMap(\.string)
      if let bytes = try snapshot.record(
        objectID,
        attributes: node["attributesToRetrieve"]?.kind == .array ? attributes ?? [] : ["*"],
        checkpoint)
      {
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

  /// Answers `GET /1/indexes`.
  func answerList() -> TransportResponse {
    let snapshots = snapshots.sorted { $0.key < $1.key }
    return TransportResponse { writer in
      writer.key("items")
      writer.beginArray()
      for (name, snapshot) in snapshots {
        writer.beginObject()
        writer.key("name")
        writer.string(name)
        writer.key("entries")
        writer.int(snapshot.recordCount)
        writer.endObject()
      }
      writer.endArray()
      writer.key("nbPages")
      writer.int(1)
    }
  }

  /// Answers `GET /1/indexes/{index}/settings`.
  func answerSettings(_ indexName: String) throws -> TransportResponse {
    let settings = try snapshot(of: indexName).settings
    return TransportResponse(json: try JSONValueEncoder().encode(settings))
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
  /// The wanted attributes of a record; `nil` when there is no such record.
  func record(
    _ objectID: String, attributes: [String], _ checkpoint: Checkpoint
  ) throws -> [UInt8]? {
    guard let place = locate(objectID: objectID) else { return nil }
    let bytes = segments[place.segment].segment.records.bytes(of: place.document)
    let projection = RecordProjection(
      attributes: attributes, unretrievable: settings.unretrievableAttributes)
    return try projection.bytes(of: checkpoint.document(bytes).root, checkpoint)
  }
}
