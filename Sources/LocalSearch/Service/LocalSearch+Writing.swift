import AsyncInstantSearch
import SearchJSON

extension LocalSearch {
  /// Applies changes of records as one write.
  ///
  /// - Throws: An `APIError` when a change is not possible, with nothing written;
  ///   `CancellationError` when the task was cancelled before the write was published.
  func write(
    _ changes: [RecordChange], to indexName: String, createsIndex: Bool
  ) async throws {
    try await writer(of: indexName).perform { transaction in
      try transaction.apply(changes, to: indexName, createsIndex: createsIndex)
    }
  }

  /// Reads records, one JSON object each, and gives IDs to those without.
  func records(_ nodes: [JSONNode], for indexName: String) throws(APIError) -> [RecordText] {
    let snapshot = store.entries[indexName]?.snapshot
    var isTaken: Set<String> = []
    for node in nodes { if let id = node["objectID"]?.string { isTaken.insert(id) } }
    var records: [RecordText] = []
    records.reserveCapacity(nodes.count)
    for node in nodes {
      records.append(
        try RecordText(node) {
          let id = objectIDs.next {
            isTaken.contains($0) || snapshot?.locate(objectID: $0) != nil
          }
          isTaken.insert(id)
          return id
        })
    }
    return records
  }

  /// Answers a call that writes.
  func answerWrite(
    _ route: Route, _ request: TransportRequest
  ) async throws -> TransportResponse {
    switch route {
    case .addObject(let index):
      let record = try records([RequestBody(request.body).root], for: index)[0]
      try await write([.put(record)], to: index, createsIndex: true)
      return written(status: 201, "createdAt", objectID: record.objectID)
    case .saveObject(let index, let objectID):
      let record = try RecordText(RequestBody(request.body).root, objectID: objectID) { objectID }
      try await write([.put(record)], to: index, createsIndex: true)
      return written("updatedAt", objectID: objectID)
    case .deleteObject(let index, let objectID):
      try await write([.delete(objectID: objectID)], to: index, createsIndex: false)
      return written("deletedAt")
    case .partialUpdate(let index, let objectID):
      let update = try PartialUpdate(RequestBody(request.body).root, objectID: objectID)
      let creates = request.queryItems.last { $0.name == "createIfNotExists" }?.value != "false"
      try await write(
        [.update(update, createsIfMissing: creates)], to: index, createsIndex: creates)
      return written("updatedAt", objectID: objectID)
    case .clear(let index):
      try await write([.clear], to: index, createsIndex: false)
      return written("updatedAt")
    case .deleteByQuery(let index):
      let query = try RequestBody.query(in: RequestBody(request.body).root)
      try await write([.deleteMatching(query)], to: index, createsIndex: false)
      return written("updatedAt")
    case .deleteIndex(let index):
      try await writer(of: index).perform { try $0.removeIndex(index) }
      return written("deletedAt")
    case .setSettings(let index):
      let body = try RequestBody(request.body)
      try await writer(of: index).perform { transaction in
        let current = transaction.snapshot(of: index)?.settings ?? IndexSettings()
        transaction.apply(try current.updated(by: body.root), to: index)
      }
      return written("updatedAt")
    case .batch(let index): return try await answerBatch(request, index)
    case .batchOfIndices: return try await answerBatchOfIndices(request)
    default: throw APIError(status: 404, "Path \(request.path) not found")
    }
  }

  private func written(
    status: Int = 200, _ time: String, objectID: String? = nil
  ) -> TransportResponse {
    let taskID = store.nextTask()
    return respond(status: status) { writer in
      writer.key(time)
      writer.string(configuration.timestamp())
      writer.key("taskID")
      writer.int(taskID)
      if let objectID {
        writer.key("objectID")
        writer.string(objectID)
      }
    }
  }

  private func answerBatch(
    _ request: TransportRequest, _ indexName: String
  ) async throws -> TransportResponse {
    let requests = try RequestBody(request.body).objects("requests")
    let batch = try BatchReader(engine: self).read(requests.map { (indexName, $0) })
    try await writer(of: indexName).perform { try batch.apply(to: &$0) }
    let taskID = store.nextTask()
    return respond { writer in
      writer.key("taskID")
      writer.int(taskID)
      batch.writeObjectIDs(to: &writer)
    }
  }

  private func answerBatchOfIndices(
    _ request: TransportRequest
  ) async throws -> TransportResponse {
    let requests = try RequestBody(request.body).objects("requests")
    var named: [(indexName: String, request: JSONNode)] = []
    for node in requests { named.append((try RequestBody.string("indexName", in: node), node)) }
    let batch = try BatchReader(engine: self).read(named)
    if let first = batch.indexNames.first {
      try await writer(of: first).perform { try batch.apply(to: &$0) }
    }
    let tasks = batch.indexNames.map { ($0, store.nextTask()) }
    return respond { writer in
      writer.key("taskID")
      writer.beginObject()
      for (name, task) in tasks {
        writer.key(name)
        writer.int(task)
      }
      writer.endObject()
      batch.writeObjectIDs(to: &writer)
    }
  }
}
