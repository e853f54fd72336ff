import InstantSearchJSON

/// The checked writes of one batch, which are applied atomically.
struct Batch: Sendable {
  /// A step of the writes to an index.
  enum Step: Sendable {
    case change([RecordChange])
    case deleteIndex
  }

  /// The indices in the order of their first occurrence.
  fileprivate(set) var indexNames: [String] = []
  fileprivate var steps: [String: [Step]] = [:]
  /// The IDs of the records of the requests, in order.
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
          if try transaction.snapshot(of: name) != nil { try transaction.removeIndex(name) }
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
  private let engine: EngineState
  private let requests: [(indexName: String, request: JSONNode)]
  private let cancellation: CancellationCheck
  private var assigners: [String: ObjectIDAssigner] = [:]
  /// The IDs in the requests of each index, `nil` for requests without one, read on first use.
  private var givenIDs: [String: [String?]]?

  /// Creates a reader of requests, each with the name of its index.
  init(
    engine: EngineState, _ requests: [(indexName: String, request: JSONNode)],
    _ cancellation: CancellationCheck
  ) {
    self.engine = engine
    self.requests = requests
    self.cancellation = cancellation
  }

  /// Reads all requests. An error has the number of its request.
  mutating func read() throws -> Batch {
    var batch = Batch()
    var pending: [String: [RecordChange]] = [:]
    defer { cancellation.releaseLater((batch, pending), partCount: requests.count) }
    for (number, (name, request)) in requests.enumerated() {
      try cancellation.count(bytes: request.sourceRange.count)
      do {
        let action = try RequestBody.string("action", in: request)
        if pending[name] == nil {
          pending[name] = []
          batch.indexNames.append(name)
        }
        if action == "delete" || action == "clear",
          request["body"]?["objectID"] != nil || request["objectID"] != nil
        {
          throw APIError(
            "The action \(action) is about the whole index. For one record write deleteObject.")
        }
        if action == "delete" {
          batch.steps[name, default: []] += [.change(pending[name] ?? []), .deleteIndex]
          pending[name] = []
          continue
        }
        let change = try change(action, request, name, number)
        if case .put(let record) = change { try engine.configuration.check(record, at: number) }
        if let id = change.objectID { batch.objectIDs.append(id) }
        pending[name, default: []].append(change)
      } catch let error as APIError {
        let objectID = request["body"].flatMap { try? RecordID.read(in: $0) }
        throw error.at(position: number, objectID: objectID)
      }
    }
    for (name, changes) in pending where !changes.isEmpty {
      batch.steps[name, default: []].append(.change(changes))
    }
    return batch
  }

  private mutating func change(
    _ action: String, _ request: JSONNode, _ indexName: String, _ number: Int
  ) throws -> RecordChange {
    if action == "clear" { return .clear }
    guard let body = request["body"], body.kind == .object else {
      throw APIError("Malformed body: expected an object \"body\" for the action \(action)")
    }
    switch action {
    case "addObject":
      let id = try EncodedRecord.check(body, cancellation)
      return .put(try EncodedRecord(body, objectID: id ?? newID(for: indexName), cancellation))
    case "updateObject":
      guard let id = try EncodedRecord.check(body, cancellation) else {
        throw Self.missingID(action)
      }
      return .put(try EncodedRecord(body, objectID: id, cancellation))
    case "partialUpdateObject", "partialUpdateObjectNoCreate":
      return .update(
        try PartialUpdate(body, location: .request(number), cancellation),
        createsIfMissing: action == "partialUpdateObject")
    case "deleteObject":
      guard let id = try RecordID.read(in: body) else { throw Self.missingID(action) }
      return .delete(objectID: id)
    default: throw APIError("Unknown action \(action)")
    }
  }

  private static func missingID(_ action: String) -> APIError {
    APIError("The action \(action) needs an objectID")
  }

  /// Returns an ID that neither the index nor another request of the batch has.
  private mutating func newID(for indexName: String) throws -> String {
    if assigners[indexName] == nil {
      assigners[indexName] = try engine.idAssigner(
        for: indexName, taken: readGivenIDs()[indexName] ?? [], cancellation)
    }
    guard let id = try assigners[indexName]?.next() else {
      throw APIError("makeObjectID returned no free ID for index \(indexName)")
    }
    return id
  }

  private mutating func readGivenIDs() throws -> [String: [String?]] {
    if let givenIDs { return givenIDs }
    var ids: [String: [String?]] = [:]
    for (name, request) in requests {
      try cancellation.count()
      ids[name, default: []].append(request["body"].flatMap { try? RecordID.read(in: $0) })
    }
    givenIDs = ids
    return ids
  }
}
