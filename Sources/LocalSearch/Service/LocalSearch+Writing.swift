import InstantSearchJSON

extension LocalSearch {
  /// Reads records, one JSON object each, and assigns IDs to those without one.
  ///
  /// - Parameter location: Returns the location of a record by its number, for messages.
  func records(
    _ nodes: [JSONNode], for indexName: String, _ cancellation: CancellationCheck,
    location: (Int) -> String?
  ) throws -> [EncodedRecord] {
    var ids: [String?] = []
    var records: [EncodedRecord] = []
    ids.reserveCapacity(nodes.count)
    records.reserveCapacity(nodes.count)
    defer { cancellation.releaseLater((nodes, ids, records), partCount: nodes.count) }
    for (number, node) in nodes.enumerated() {
      try cancellation.count(bytes: node.sourceRange.count)
      do {
        ids.append(try EncodedRecord.check(node, cancellation))
      } catch let error as APIError {
        throw error.at(location: location(number))
      }
    }
    // The other IDs matter only if a record has none.
    if ids.contains(nil) {
      var assigner = try idAssigner(for: indexName, taken: ids, cancellation)
      for number in ids.indices where ids[number] == nil {
        try cancellation.count()
        do {
          ids[number] = try assigner.next()
        } catch let error as APIError {
          throw error.at(location: location(number))
        }
      }
    }
    for (node, id) in zip(nodes, ids) {
      guard let id else { continue }
      records.append(try EncodedRecord(node, objectID: id, cancellation))
    }
    return records
  }

  /// Returns an assigner of IDs for the records of one call.
  func idAssigner(
    for indexName: String, taken: [String?], _ cancellation: CancellationCheck
  ) throws -> ObjectIDAssigner {
    try ObjectIDAssigner(
      objectIDGenerator, snapshot: indexStore.snapshots[indexName], taken: taken, cancellation)
  }

  /// Performs a call that writes.
  func answerWrite(
    _ request: TransportRequest
  ) async throws -> TransportResponse {
    try await perform(until: request.deadline) { [self] cancellation in
      try preparedWrite(request, cancellation)
    }
  }

  /// Reads and checks a call that writes.
  private func preparedWrite(
    _ request: TransportRequest, _ cancellation: CancellationCheck
  ) throws -> PreparedWrite<TransportResponse> {
    let body = { try RequestBody(request.body, cancellation) }
    switch request.endpoint {
    case .saveObject(let index):
      let records = try records([body().root], for: index, cancellation) { _ in nil }
      let objectID = records.first?.objectID
      return PreparedWrite(records.map { .put($0) }, to: index, createsIndex: true) {
        self.written(status: 201, "createdAt", objectID: objectID)
      }
    case .replaceObject(let index, let objectID):
      let node = try body().root
      _ = try EncodedRecord.check(node, cancellation)
      return try PreparedWrite(
        [.put(EncodedRecord(node, objectID: objectID, cancellation))], to: index, createsIndex: true
      ) { self.written("updatedAt", objectID: objectID) }
    case .deleteObject(let index, let objectID):
      return PreparedWrite([.delete(objectID: objectID)], to: index, createsIndex: false) {
        self.written("deletedAt")
      }
    case .partialUpdate(let index, let objectID):
      let update = try PartialUpdate(body().root, objectID: objectID, cancellation)
      let creates = request.queryItems.last { $0.name == "createIfNotExists" }?.value != "false"
      return PreparedWrite(
        [.update(update, createsIfMissing: creates)], to: index, createsIndex: creates
      ) { self.written("updatedAt", objectID: objectID) }
    case .clear(let index):
      return PreparedWrite([.clear], to: index, createsIndex: false) { self.written("updatedAt") }
    case .deleteBy(let index):
      let query = try RequestBody.query(in: body().root, cancellation)
      return PreparedWrite([.deleteMatching(query)], to: index, createsIndex: false) {
        self.written("updatedAt")
      }
    case .deleteIndex(let index):
      return PreparedWrite(
        to: [index], changes: { try $0.removeIndex(index) }, result: { self.written("deletedAt") })
    case .setSettings(let index):
      let members = try body().root
      // The permit includes the replicas, so their number is checked first.
      try IndexSettings.check(sizeOf: members, cancellation)
      let replicas = members["replicas"]?.elements.compactMap(\.string) ?? []
      return PreparedWrite(
        to: [index], replicaNames: replicas.map(IndexSettings.indexName(ofReplica:)),
        changes: { transaction in
          let current = try transaction.snapshot(of: index)?.settings ?? IndexSettings()
          let settings = try current.updated(by: members, transaction.cancellation)
          try self.check(settings, transaction.cancellation)
          try transaction.apply(settings, to: index)
        }, result: { self.written("updatedAt") })
    case .batch(let index): return try preparedBatch(body(), index, cancellation)
    case .multiBatch: return try preparedBatchOfIndices(body(), cancellation)
    default: throw APIError(noCall: request)
    }
  }

  private func written(
    status: Int = 200, _ time: String, objectID: String? = nil
  ) -> TransportResponse {
    let taskID = indexStore.nextTaskID()
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

  private func preparedBatch(
    _ body: RequestBody, _ indexName: String, _ cancellation: CancellationCheck
  ) throws -> PreparedWrite<TransportResponse> {
    let requests = try body.objects("requests", cancellation)
    var reader = BatchReader(engine: self, requests.map { (indexName, $0) }, cancellation)
    let batch = try reader.read()
    return PreparedWrite(to: [indexName], partCount: requests.count, changes: batch.apply) {
      let taskID = self.indexStore.nextTaskID()
      return TransportResponse { writer in
        writer.key("taskID")
        writer.int(taskID)
        batch.writeObjectIDs(to: &writer)
      }
    }
  }

  /// The maximum number of indices of a batch, which is added to the queues of all of them at once.
  static let maximumIndexCount = 10_000

  private static func check(indexCount count: Int) throws(APIError) {
    guard count > maximumIndexCount else { return }
    throw APIError(
      "Too many indices in one batch: expected at most \(maximumIndexCount); use several"
        + " batches")
  }

  private func preparedBatchOfIndices(
    _ body: RequestBody, _ cancellation: CancellationCheck
  ) throws -> PreparedWrite<TransportResponse> {
    let requests = try body.objects("requests", cancellation)
    var named: [(indexName: String, request: JSONNode)] = []
    var names: Set<String> = []
    for (number, node) in requests.enumerated() {
      try cancellation.count(bytes: node.sourceRange.count)
      do throws(APIError) {
        let name = try RequestBody.string("indexName", in: node)
        if names.insert(name).inserted { try Self.check(indexCount: names.count) }
        named.append((name, node))
      } catch {
        throw error.at(location: "request \(number)")
      }
    }
    var reader = BatchReader(engine: self, named, cancellation)
    let batch = try reader.read()
    return PreparedWrite(
      to: batch.indexNames, partCount: requests.count, changes: batch.apply
    ) {
      let tasks = batch.indexNames.map { ($0, self.indexStore.nextTaskID()) }
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
}
