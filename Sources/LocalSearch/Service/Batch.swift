import SearchJSON

/// The writes of one batch, read and checked; applied all together or not at all.
struct Batch: Sendable {
  /// What is done to an index, in order.
  enum Step: Sendable {
    case change([RecordChange])
    case deleteIndex
  }

  /// The indices in the order in which they first occur.
  fileprivate(set) var indexNames: [String] = []
  fileprivate var steps: [String: [Step]] = [:]
  /// The IDs of the records that the requests are about, in their order.
  fileprivate(set) var objectIDs: [String] = []

  /// Applies the writes.
  func apply(to transaction: inout WriteTransaction) throws {
    for name in indexNames {
      for step in steps[name] ?? [] {
        switch step {
        case .change(let changes):
          if changes.isEmpty { continue }
          try transaction.apply(changes, to: name, createsIndex: true)
        case .deleteIndex:
          if transaction.snapshot(of: name) != nil { try transaction.removeIndex(name) }
        }
      }
    }
  }

  /// Writes the member `objectIDs`.
  func writeObjectIDs(to writer: inout JSONWriter) {
    writer.key("objectIDs")
    writer.beginArray()
    for id in objectIDs { writer.string(id) }
    writer.endArray()
  }
}

/// Reads the requests of a batch.
struct BatchReader {
  let engine: LocalSearch

  /// Reads the requests, each with the name of its index.
  func read(_ requests: [(indexName: String, request: JSONNode)]) throws(APIError) -> Batch {
    var batch = Batch()
    var pending: [String: [RecordChange]] = [:]
    for (name, request) in requests {
      let action = try RequestBody.string("action", in: request)
      if pending[name] == nil {
        pending[name] = []
        batch.indexNames.append(name)
      }
      if action == "delete" {
        batch.steps[name, default: []] += [.change(pending[name] ?? []), .deleteIndex]
        pending[name] = []
        continue
      }
      let change = try change(action, request, name)
      if let id = change.objectID { batch.objectIDs.append(id) }
      pending[name, default: []].append(change)
    }
    for (name, changes) in pending where !changes.isEmpty {
      batch.steps[name, default: []].append(.change(changes))
    }
    return batch
  }

  private func change(
    _ action: String, _ request: JSONNode, _ indexName: String
  ) throws(APIError) -> RecordChange {
    if action == "clear" { return .clear }
    guard let body = request["body"], body.kind == .object else {
      throw APIError("Malformed body: expected an object \"body\" for the action \(action)")
    }
    switch action {
    case "addObject": return .put(try engine.records([body], for: indexName)[0])
    case "updateObject":
      guard body["objectID"] != nil else {
        throw APIError("The action updateObject needs an objectID")
      }
      return .put(try engine.records([body], for: indexName)[0])
    case "partialUpdateObject":
      return .update(try PartialUpdate(body), createsIfMissing: true)
    case "partialUpdateObjectNoCreate":
      return .update(try PartialUpdate(body), createsIfMissing: false)
    case "deleteObject":
      guard let id = body["objectID"]?.string ?? body["objectID"]?.int64.map({ "\($0)" }) else {
        throw APIError("The action deleteObject needs an objectID")
      }
      return .delete(objectID: id)
    default: throw APIError("Unknown action \(action)")
    }
  }
}
