import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// One change of the records of an index.
enum RecordChange: Sendable {
  case put(EncodedRecord)
  case update(PartialUpdate, createsIfMissing: Bool)
  case delete(objectID: String)
  case deleteMatching(SearchQuery)
  case clear
  case deleteIndex

  /// Whether the change can create an index.
  var createsIndex: Bool {
    switch self {
    case .put: true
    case .update(_, let createsIfMissing): createsIfMissing
    case .delete, .deleteMatching, .clear, .deleteIndex: false
    }
  }
}

/// Reads the changes of a call that writes.
struct ChangeReader {
  let request: TransportRequest
  let check: CancellationCheck
  /// Returns the ID of a record without one.
  let makeID: @Sendable () -> String

  /// What a call asks for.
  struct Changes {
    /// The indices in the order of their first occurrence, with their changes in order.
    private(set) var changes: [(indexName: String, changes: [RecordChange])] = []
    /// The IDs of the records of a batch, in order.
    private(set) var objectIDs: [String] = []

    mutating func add(_ change: RecordChange, to indexName: String) {
      if let index = changes.firstIndex(where: { $0.indexName.hasSameBytes(as: indexName) }) {
        changes[index].changes.append(change)
      } else {
        changes.append((indexName, [change]))
      }
      switch change {
      case .put(let record): objectIDs.append(record.objectID)
      case .update(let update, _): objectIDs.append(update.objectID)
      case .delete(let objectID): objectIDs.append(objectID)
      case .deleteMatching, .clear, .deleteIndex: break
      }
    }
  }

  /// Reads the changes.
  ///
  /// - Throws: `APIError` for a call that the contract does not allow, with the number of its
  ///   request in a batch.
  func read() throws -> Changes {
    var changes = Changes()
    switch request.endpoint {
    case .saveObject(let index):
      changes.add(.put(try record(try object())), to: index)
    case .replaceObject(let index, let objectID):
      let node = try object()
      _ = try EncodedRecord.check(node, check)
      changes.add(.put(try EncodedRecord(node, objectID: objectID, check)), to: index)
    case .partialUpdate(let index, let objectID):
      let creates = request.queryItems.last { $0.name == "createIfNotExists" }?.value != "false"
      changes.add(try update(try object(), objectID: objectID, creates: creates), to: index)
    case .deleteObject(let index, let objectID):
      changes.add(.delete(objectID: objectID), to: index)
    case .deleteBy(let index):
      changes.add(.deleteMatching(try RequestBody.query(in: object(), check)), to: index)
    case .clear(let index):
      changes.add(.clear, to: index)
    case .batch(let index):
      try readBatch(into: &changes) { _ in index }
    case .multiBatch:
      try readBatch(into: &changes) { try RequestBody.string("indexName", in: $0) }
    default: break
    }
    return changes
  }

  private func object() throws -> JSONNode {
    guard !request.body.isEmpty else {
      throw APIError("Malformed body: expected a JSON object, got no body")
    }
    return try RequestBody(request.body, check).root
  }

  private func readBatch(
    into changes: inout Changes, indexName: (JSONNode) throws -> String
  ) throws {
    let requests = try RequestBody(request.body, check).objects("requests", check)
    for (position, node) in requests.enumerated() {
      do {
        changes.add(try change(node), to: try indexName(node))
      } catch let error as APIError {
        throw error.at(
          position: position, objectID: node["body"].flatMap { try? RecordID.read(in: $0) })
      }
    }
  }

  private func change(_ request: JSONNode) throws -> RecordChange {
    let action = try RequestBody.string("action", in: request)
    if action == "delete" || action == "clear" {
      guard request["body"]?["objectID"] == nil, request["objectID"] == nil else {
        throw APIError(
          "The action \(action) is about the whole index. For one record write deleteObject.")
      }
      return action == "delete" ? .deleteIndex : .clear
    }
    guard let body = request["body"], body.kind == .object else {
      throw APIError("Malformed body: expected an object \"body\" for the action \(action)")
    }
    switch action {
    case "addObject": return .put(try record(body))
    case "updateObject":
      guard let id = try EncodedRecord.check(body, check) else { throw Self.missingID(action) }
      return .put(try EncodedRecord(body, objectID: id, check))
    case "partialUpdateObject", "partialUpdateObjectNoCreate":
      return try update(body, objectID: nil, creates: action == "partialUpdateObject")
    case "deleteObject":
      guard let id = try RecordID.read(in: body) else { throw Self.missingID(action) }
      return .delete(objectID: id)
    default: throw APIError("Unknown action \(action)")
    }
  }

  private static func missingID(_ action: String) -> APIError {
    APIError("The action \(action) needs an objectID")
  }

  private func record(_ node: JSONNode) throws -> EncodedRecord {
    let id = try EncodedRecord.check(node, check)
    return try EncodedRecord(
      node, objectID: id ?? makeID(), check)
  }

  private func update(
    _ node: JSONNode, objectID: String?, creates: Bool
  ) throws -> RecordChange {
    for member in node.members where member.value["_operation"] != nil {
      throw APIError(
        "The operation on the attribute \"\(member.key)\" is not possible on this cluster, because"
          + " its reads and writes are not one step; send the new value")
    }
    return .update(
      try PartialUpdate(node, objectID: objectID, check), createsIfMissing: creates)
  }
}
