package import InstantSearchAPI
import InstantSearchJSON

extension EngineState {
  /// Reads records, one JSON object each, and assigns IDs to records without one.
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
      let record = try EncodedRecord(node, objectID: id, cancellation)
      try configuration.check(record)
      records.append(record)
    }
    return records
  }

  /// Returns the write that stores records. Messages name a record by its number.
  func putting(
    _ nodes: [JSONNode], in indexName: String, _ cancellation: CancellationCheck
  ) throws -> PreparedWrite<Void> {
    let records = try records(nodes, for: indexName, cancellation) { "record \($0)" }
    let changes = try cancellation.map(records) { RecordChange.put($0) }
    return PreparedWrite(changes, to: indexName, createsIndex: true) { _ in }
  }

  /// Returns an assigner of IDs for the records of one call.
  func idAssigner(
    for indexName: String, taken: [String?], _ cancellation: CancellationCheck
  ) throws -> ObjectIDAssigner {
    try ObjectIDAssigner(
      objectIDGenerator, snapshot: indexStore.snapshots[indexName], taken: taken, cancellation)
  }

  /// Reads and checks a call that writes.
  func preparedWrite(
    _ request: TransportRequest, _ cancellation: CancellationCheck
  ) throws -> PreparedWrite<TransportResponse> {
    let body = {
      // Calls that read accept no body; here it would be an empty record.
      guard !request.body.isEmpty else {
        throw APIError("Malformed body: expected a JSON object, got no body")
      }
      return try RequestBody(request.body, cancellation)
    }
    switch request.endpoint {
    case .saveObject(let index):
      let records = try records([body().root], for: index, cancellation) { _ in nil }
      return PreparedWrite(
        records.map { .put($0) }, to: index, createsIndex: true,
        result: written(
          WriteAnswer("createdAt", status: 201, objectID: records.first?.objectID)))
    case .replaceObject(let index, let objectID):
      let node = try body().root
      _ = try EncodedRecord.check(node, cancellation)
      let record = try EncodedRecord(node, objectID: objectID, cancellation)
      try configuration.check(record)
      return PreparedWrite(
        [.put(record)], to: index, createsIndex: true,
        result: written(WriteAnswer("updatedAt", objectID: objectID)))
    case .deleteObject(let index, let objectID):
      return PreparedWrite(
        [.delete(objectID: objectID)], to: index, createsIndex: false,
        result: written(WriteAnswer("deletedAt", objectID: objectID)))
    case .partialUpdate(let index, let objectID):
      let update = try PartialUpdate(body().root, objectID: objectID, cancellation)
      let creates = request.flag("createIfNotExists") ?? true
      return PreparedWrite(
        [.update(update, createsIfMissing: creates)], to: index, createsIndex: creates,
        result: written(WriteAnswer("updatedAt", objectID: objectID)))
    case .clear(let index):
      return PreparedWrite(
        [.clear], to: index, createsIndex: false, result: written(WriteAnswer("updatedAt")))
    case .deleteBy(let index):
      let query = try RequestBody.query(in: body().root, cancellation)
      try query.checkDeletes()
      return PreparedWrite(
        [.deleteMatching(query)], to: index, createsIndex: false,
        result: written(WriteAnswer("updatedAt")))
    case .deleteIndex(let index):
      return PreparedWrite(
        to: [index], changes: { try $0.removeIndex(index) },
        result: written(WriteAnswer("deletedAt")))
    case .operation(let index):
      let operation = try IndexOperation(body().root, of: index, cancellation)
      return PreparedWrite(
        to: [index, operation.destination], changes: { try $0.apply(operation) },
        result: written(WriteAnswer("updatedAt")))
    case .setSettings(let index):
      return try preparedSettings(body().root, index, request, cancellation)
    case .synonyms(let index, let call):
      return try preparedWrite(call, .synonyms, of: index, request, cancellation)
    case .rules(let index, let call):
      return try preparedWrite(call, .rules, of: index, request, cancellation)
    case .dictionaries(let call): return try preparedWrite(call, request, cancellation)
    case .batch(let index): return try preparedBatch(body(), index, cancellation)
    case .multiBatch: return try preparedBatchOfIndices(body(), cancellation)
    default: throw APIError(noCall: request)
    }
  }

  /// Reads and checks a change of settings. `forwardToReplicas` applies it to existing replicas
  /// as well.
  private func preparedSettings(
    _ members: JSONNode, _ indexName: String, _ request: TransportRequest,
    _ cancellation: CancellationCheck
  ) throws -> PreparedWrite<TransportResponse> {
    // The permit includes the replicas, so their number is checked first.
    try IndexSettings.check(sizeOf: members, cancellation)
    let replicas = IndexSettings.replicas(in: members)
    let forwards = request.flag("forwardToReplicas") ?? false
    return PreparedWrite(
      to: [indexName], replicaNames: replicas.map(IndexSettings.indexName(ofReplica:)),
      changes: { transaction in
        let current = try transaction.snapshot(of: indexName)?.settings ?? IndexSettings()
        let settings = try current.updated(by: members, transaction.cancellation)
        try self.check(settings, transaction.cancellation)
        try transaction.apply(settings, to: indexName)
        // A former replica keeps its settings.
        guard forwards else { return }
        for name in current.replicaNames where settings.replicaNames.contains(name) {
          guard let replica = try transaction.snapshot(of: name)?.settings else { continue }
          var changed = try replica.updated(by: members, transaction.cancellation)
          changed.replicas = []
          changed.primary = indexName
          try self.check(changed, transaction.cancellation)
          try transaction.apply(changed, to: name)
        }
      }, result: written(WriteAnswer("updatedAt")))
  }

  /// Returns a closure that creates the response to a write from its time.
  func written(_ answer: WriteAnswer) -> @Sendable (_ time: String) -> TransportResponse {
    { [indexStore] time in
      let taskID = indexStore.nextTaskID()
      return TransportResponse(status: answer.status) { writer in
        writer.key(answer.timeName)
        writer.string(time)
        writer.key("taskID")
        writer.int(taskID)
        if let objectID = answer.objectID {
          writer.key("objectID")
          writer.string(objectID)
        }
        if let id = answer.id {
          writer.key("id")
          writer.string(id)
        }
      }
    }
  }

  private func preparedBatch(
    _ body: RequestBody, _ indexName: String, _ cancellation: CancellationCheck
  ) throws -> PreparedWrite<TransportResponse> {
    let requests = try body.objects("requests", cancellation)
    var reader = BatchReader(engine: self, requests.map { (indexName, $0) }, cancellation)
    let batch = try reader.read()
    return PreparedWrite(to: [indexName], partCount: requests.count, changes: batch.apply) { _ in
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
    ) { _ in
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

/// The members of the response to a write, in addition to its task.
struct WriteAnswer: Sendable {
  /// The name of the member with the time.
  var timeName: String
  var status: Int
  /// The ID of the record.
  var objectID: String?
  /// The ID of the synonym.
  var id: String?

  /// Creates the members. The status is 200 by default.
  init(_ timeName: String, status: Int = 200, objectID: String? = nil) {
    self.timeName = timeName
    self.status = status
    self.objectID = objectID
  }
}

extension TransportRequest {
  /// Returns a Boolean query item, `nil` if it is absent. Any text other than `true` is `false`.
  package func flag(_ name: String) -> Bool? {
    queryItems.last { $0.name == name }.map { $0.value == "true" }
  }
}

extension SearchQuery {
  /// The parameters of a deletion by query.
  private static let deletionParameters: Set<String> = [
    "filters", "facetFilters", "numericFilters", "tagFilters", "insideBoundingBox",
    "insidePolygon", "aroundLatLng", "aroundRadius",
  ]

  /// Rejects parameters that a deletion by query does not have, because it would delete more than
  /// intended.
  package func checkDeletes() throws(APIError) {
    // A query that was created without filters has an empty text.
    let names = parameterNames.filter { $0 != "query" || query?.isEmpty == false }
    if let name = names.first(where: { !Self.deletionParameters.contains($0) }) {
      throw APIError(
        "DeleteByQuery endpoint only supports tagFilters, facetFilters, numericFilters, filters and"
          + " geoQuery condition, not \"\(name)\"")
    }
    guard (aroundLatLng == nil) == (aroundRadius == nil) else {
      throw APIError("DeleteByQuery endpoint needs aroundLatLng and aroundRadius together")
    }
  }
}
