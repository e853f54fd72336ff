import InstantSearchJSON

extension ReadCall {
  /// Performs `GET /1/indexes/{index}/{objectID}`.
  func answerObject(_ indexName: String, _ objectID: String) throws -> TransportResponse {
    let snapshot = try snapshot(of: indexName)
    let projection = try snapshot.projection(
      request.attributesToRetrieve(cancellation), cancellation)
    guard let bytes = try snapshot.record(objectID, projection, cancellation)
    else { throw APIError(status: 404, "ObjectID does not exist") }
    try cancellation.check(responseSize: bytes.count, .record)
    return TransportResponse(json: bytes)
  }

  /// Performs `POST /1/indexes/*/objects`.
  func answerObjects() throws -> TransportResponse {
    let requests = try body().objects("requests", cancellation)
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    writer.key("results")
    writer.beginArray()
    var missing: String?
    for node in requests {
      try cancellation.count()
      let indexName = try RequestBody.string("indexName", in: node)
      let objectID = try RequestBody.string("objectID", in: node)
      guard let snapshot = try existingSnapshot(of: indexName) else {
        missing = missing ?? indexName
        writer.null()
        continue
      }
      let projection = try snapshot.projection(
        RequestBody.attributesToRetrieve(in: node), cancellation)
      if let bytes = try snapshot.record(objectID, projection, cancellation) {
        try cancellation.count(bytes: bytes.count)
        writer.raw(bytes)
        try cancellation.check(responseSize: writer.count)
      } else {
        writer.null()
      }
    }
    writer.endArray()
    if let missing {
      writer.key("message")
      writer.string("Index \(missing.excerpt()) does not exist.")
    }
    writer.endObject()
    return try response(writer)
  }

  /// Performs `GET /1/indexes/{index}/settings`.
  func answerSettings(_ indexName: String) throws -> TransportResponse {
    let settings = try snapshot(of: indexName).settings
    let bytes = try JSONValueEncoder().encode(settings) {
      try cancellation.count(CancellationCheck.stepsOfCheck)
    }
    try cancellation.check(responseSize: bytes.count, .settings)
    return TransportResponse(json: bytes)
  }

  /// Performs `GET /1/indexes/{index}/task/{taskID}` and `GET /1/task/{taskID}`. Every write is
  /// published before its call returns, whether its index still exists or not.
  func answerTask(_ taskID: String) throws -> TransportResponse {
    guard let number = Int64(taskID) else {
      throw APIError("Invalid taskID \(taskID.excerpt())")
    }
    guard number <= reader.lastTaskID else {
      throw APIError(status: 404, "Task \(number) does not exist")
    }
    return TransportResponse { writer in
      writer.key("status")
      writer.string("published")
      writer.key("pendingTask")
      writer.bool(false)
    }
  }
}

extension IndexSnapshot {
  /// Returns the projection of records to some attributes, without the unretrievable ones.
  func projection(
    _ attributes: [String], _ cancellation: CancellationCheck
  ) throws -> RecordProjection {
    try RecordProjection(
      attributes: attributes, hidden: lists(cancellation).hidden, cancellation)
  }

  /// Returns some attributes of a record, or `nil` if it does not exist.
  func record(
    _ objectID: String, attributes: [String], _ cancellation: CancellationCheck
  ) throws -> [UInt8]? {
    try record(objectID, projection(attributes, cancellation), cancellation)
  }

  /// Returns a projection of a record, or `nil` if it does not exist.
  func record(
    _ objectID: String, _ projection: RecordProjection, _ cancellation: CancellationCheck
  ) throws -> [UInt8]? {
    guard let location = locate(objectID: objectID) else { return nil }
    let bytes = segments[location.segment].segment.records.bytes(of: location.document)
    return try projection.bytes(of: cancellation.stored(bytes), cancellation)
  }
}
