import AsyncInstantSearch
import InstantSearchJSON

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
  ///
  /// - Parameter place: Names a record by its number in messages.
  func records(
    _ nodes: [JSONNode], for indexName: String, place: (Int) -> String?
  ) throws(APIError) -> [RecordText] {
    var ids: [String?] = []
    ids.reserveCapacity(nodes.count)
    for (number, node) in nodes.enumerated() {
      do throws(APIError) {
        ids.append(try RecordText.check(node))
      } catch {
        throw error.at(place(number))
      }
    }
    // Only what is without an ID makes it necessary to know all the others.
    if ids.contains(nil) {
      var assigner = idAssigner(for: indexName, taken: ids)
      for number in ids.indices where ids[number] == nil {
        do throws(APIError) {
          ids[number] = try assigner.next()
        } catch {
          throw error.at(place(number))
        }
      }
    }
    return zip(nodes, ids).compactMap { node, id in id.map { RecordText(node, objectID: $0) } }
  }

  /// Gives IDs to the records of one call.
  func idAssigner(for indexName: String, taken: [String?]) -> ObjectIDAssigner {
    ObjectIDAssigner(
      objectIDs, snapshot: store.entries[indexName]?.snapshot, taken: taken.compactMap(\.self))
  }

  /// Answers a call that writes.
  func answerWrite(
    _ route: Route, _ request: TransportRequest
  ) async throws -> TransportResponse {
    switch route {
    case .addObject(let index):
      let records = try records([RequestBody(request.body).root], for: index) { _ in nil }
      try await write(records.map { .put($0) }, to: index, createsIndex: true)
      return written(status: 201, "createdAt", objectID: records.first?.objectID)
    case .saveObject(let index, let objectID):
      let node = try RequestBody(request.body).root
      _ = try RecordText.check(node)
      try await write(
        [.put(RecordText(node, objectID: objectID))], to: index, createsIndex: true)
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
        try transaction.apply(try current.updated(by: body.root), to: index)
      }
      return written("updatedAt")
    case .batch(let index): return try await answerBatch(request, index)
    case .batchOfIndices: return try await answerBatchOfIndices(request)
    default: throw Route.unknownPath(request)
    }
  }

  private func written(
    status: Int = 200, _ time: String, objectID: String? = nil
  ) -> TransportResponse {
    let taskID = store.nextTask()
    return TransportResponse(status: status) { writer in
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
    var reader = BatchReader(engine: self, requests.map { (indexName, $0) })
    let batch = try reader.read()
    try await writer(of: indexName).perform { try batch.apply(to: &$0) }
    let taskID = store.nextTask()
    return TransportResponse { writer in
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
    for (number, node) in requests.enumerated() {
      do throws(APIError) {
        named.append((try RequestBody.string("indexName", in: node), node))
      } catch {
        throw error.at("request \(number)")
      }
    }
    var reader = BatchReader(engine: self, named)
    let batch = try reader.read()
    if let first = batch.indexNames.first {
      try await writer(of: first).perform { try batch.apply(to: &$0) }
    }
    let tasks = batch.indexNames.map { ($0, store.nextTask()) }
    return TransportResponse { writer in
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
