import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

extension Call {
  /// Performs a call that writes records.
  func answerWrite() async throws -> TransportResponse {
    let changes = try ChangeReader(request: request, check: check, makeID: makeName).read()
    for (indexName, changes) in changes.changes { try await apply(changes, to: indexName) }
    switch request.endpoint {
    case .batch:
      return TransportResponse { writer in
        writer.key("taskID")
        writer.int(nextTaskID())
        Self.write(changes.objectIDs, to: &writer)
      }
    case .multiBatch:
      return TransportResponse { writer in
        writer.key("taskID")
        writer.beginObject()
        for (indexName, _) in changes.changes {
          writer.key(indexName)
          writer.int(nextTaskID())
        }
        writer.endObject()
        Self.write(changes.objectIDs, to: &writer)
      }
    case .saveObject:
      return written("createdAt", status: 201, objectID: changes.objectIDs.first)
    case .deleteObject: return written("deletedAt", objectID: changes.objectIDs.first)
    default: return written("updatedAt", objectID: changes.objectIDs.first)
    }
  }

  private static func write(_ objectIDs: [String], to writer: inout JSONWriter) {
    writer.key("objectIDs")
    writer.beginArray()
    for id in objectIDs { writer.string(id) }
    writer.endArray()
  }

  /// The response to a write.
  func written(
    _ timeName: String, status: Int = 200, objectID: String? = nil, idName: String = "objectID"
  ) -> TransportResponse {
    TransportResponse(status: status) { writer in
      writer.key(timeName)
      writer.string(ISO8601.text(fromSeconds: Int(now() / 1000)))
      writer.key("taskID")
      writer.int(nextTaskID())
      if let objectID {
        writer.key(idName)
        writer.string(objectID)
      }
    }
  }

  // MARK: Changes

  /// Applies changes in order.
  private func apply(_ changes: [RecordChange], to indexName: String) async throws {
    let name = try checkedName(indexName)
    var rest = changes[...]
    while let first = rest.first {
      switch first {
      case .clear:
        try await retrying { try await clear(name) }
        rest = rest.dropFirst()
      case .deleteIndex:
        _ = try await retrying { try await answerDeletion(name) }
        rest = rest.dropFirst()
      case .put, .update, .delete, .deleteMatching:
        let part = rest.prefix { !$0.replacesCollection }
        rest = rest.dropFirst(part.count)
        try await retrying { try await write(Array(part), to: name) }
      }
    }
  }

  /// Writes records. They are written again if the index has another collection afterwards, because
  /// the first one may not have been copied with them.
  private func write(_ changes: [RecordChange], to name: String) async throws {
    var deleted: Set<String> = []
    // Records of this call can be in another index by now, which has taken the collection.
    var mustExist = false
    for attempt in 0..<Self.maximumAttemptCount {
      try await pause(before: attempt)
      // What a filter finds depends on the settings, also if the collection is the same.
      if changes.contains(where: \.isFilter) { directory.forget([name]) }
      var known = try await directory.descriptions(of: [name], in: cluster)[name]
      if known?.next != nil {
        // By now another index can have the collection that was being filled.
        directory.forget([name])
        known = try await directory.descriptions(of: [name], in: cluster)[name]
      }
      if known == nil {
        guard !mustExist else {
          throw APIError(
            status: 409, "The index \(name) was moved or deleted during the call; try again")
        }
        guard changes.contains(where: \.createsIndex) else {
          if changes.contains(where: \.isFilter) { throw APIError.indexNotFound(name) }
          return
        }
        known = try await create(name, settings: IndexSettings())
      }
      guard let description = known else { continue }
      if let primary = description.primary {
        throw APIError(
          status: 403, "The index \(name) is a replica of \(primary); write to that")
      }
      if description.movingTo != nil {
        _ = try await settled(name)
        directory.forget([name])
        continue
      }
      mustExist = mustExist || description.next != nil
      var writer = try RecordWriter(call: self, description, deleted: deleted)
      do {
        defer {
          deleted = writer.deleted
          mustExist = mustExist || writer.hasWritten
        }
        try await writer.apply(changes)
      } catch let error as ServerError where error.status == 404 {
        directory.forget([name])
        continue
      } catch is IndexDirectory.Conflict {
        directory.forget([name])
        continue
      }
      let results = try await cluster.multiSearch([directory.check([name: description])])
      if try directory.isCurrent([name: description], results[0]) { return }
      let now = try await directory.current(name, in: cluster)
      if let now, now.collection == description.collection, now.movingTo == nil,
        now.next?.collection == description.next?.collection
      {
        return
      }
    }
    throw await changingOrGone([name])
  }

  /// Rejects a name that the contract cannot address.
  func checkedName(_ name: String) throws -> String {
    guard !name.isEmpty, name != "*" else { throw APIError("Invalid index name \"\(name)\"") }
    return name
  }

  /// Creates an index and returns its description, or `nil` if another program has created it.
  func create(_ name: String, settings: IndexSettings) async throws -> IndexDescription? {
    let rebuild = Rebuild(call: self, indexName: name)
    let collection = rebuild.makeName()
    do {
      return try await rebuild.discarding(collection) { isWritten in
        try await cluster.create(CollectionForm([settings]).schema(named: collection))
        return try await directory.save(
          IndexDescription(name: name, settings: settings, collection: collection, time: now()),
          in: cluster
        ) { isWritten = true }
      }
    } catch is IndexDirectory.Conflict {
      return try await directory.current(name, in: cluster)
    }
  }
}

extension RecordChange {
  /// Whether the change deletes the records that a filter finds.
  fileprivate var isFilter: Bool {
    if case .deleteMatching = self { true } else { false }
  }

  /// Whether the change gives the index another collection, or removes it.
  fileprivate var replacesCollection: Bool {
    switch self {
    case .clear, .deleteIndex: true
    case .put, .update, .delete, .deleteMatching: false
    }
  }
}
