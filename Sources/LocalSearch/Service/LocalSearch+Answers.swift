import AsyncInstantSearch
import SearchJSON

extension LocalSearch {
  /// Answers a call; runs off the caller's actor, for a search is work for the processor.
  @concurrent
  func answer(_ request: TransportRequest) async throws -> TransportResponse {
    let checkpoint = Checkpoint(deadline: request.deadline)
    try checkpoint.check()
    let route = try Route(request)
    switch route {
    case .queries: return try answerQueries(request, checkpoint)
    case .query(let index): return try answerQuery(request, index, checkpoint)
    case .facetQuery(let index, let facet):
      return try answerFacetQuery(request, index, facet, checkpoint)
    case .browse(let index): return try answerBrowse(request, index, checkpoint)
    case .objects: return try answerObjects(request)
    case .object(let index, let objectID): return try answerObject(request, index, objectID)
    case .listIndices: return answerList()
    case .settings(let index): return try answerSettings(index)
    case .task(let index, let taskID): return try answerTask(index, taskID)
    case .placesQuery: return try answerPlaces(request, checkpoint)
    case .placesReverse: return try answerPlacesAround(request, checkpoint)
    case .place(let objectID):
      return try answerObject(request, configuration.placesIndexName, objectID)
    default: return try await answerWrite(route, request)
    }
  }

  /// A successful answer with an object as its body.
  func respond(
    status: Int = 200, _ write: (inout JSONWriter) throws -> Void
  ) rethrows -> TransportResponse {
    var writer = JSONWriter(capacity: 4096)
    writer.beginObject()
    try write(&writer)
    writer.endObject()
    return TransportResponse(status: status, headers: Self.headers, body: writer.bytes)
  }

  /// Refuses parameters that the contract does not know, where the configuration says so.
  func checkParameters(_ query: SearchQuery) throws(APIError) {
    guard configuration.rejectsUnknownParameters,
      let name = query.additionalParameters.keys.min()
    else { return }
    throw APIError("Unknown parameter: \(name)")
  }

  /// The attributes of `attributesToRetrieve=a,b` in a call's query items; `*` when absent.
  private func attributes(of request: TransportRequest) -> [String] {
    let items = request.queryItems.filter { $0.name == "attributesToRetrieve" }
    guard let text = items.last?.value else { return ["*"] }
    return text.split(separator: ",").map { String($0).trimmingSpaces() }
  }

  private func answerObject(
    _ request: TransportRequest, _ indexName: String, _ objectID: String
  ) throws -> TransportResponse {
    let snapshot = try store.snapshot(of: indexName)
    guard
      let bytes = try record(objectID, in: snapshot, attributes: attributes(of: request))
    else { throw APIError(status: 404, "ObjectID does not exist") }
    return TransportResponse(status: 200, headers: Self.headers, body: bytes)
  }

  private func answerObjects(_ request: TransportRequest) throws -> TransportResponse {
    let requests = try RequestBody(request.body).objects("requests")
    let entries = store.entries
    return try respond { writer in
      writer.key("results")
      writer.beginArray()
      for node in requests {
        let indexName = try RequestBody.string("indexName", in: node)
        let objectID = try RequestBody.string("objectID", in: node)
        guard let snapshot = entries[indexName]?.snapshot else {
          throw APIError.indexNotFound(indexName)
        }
        let attributes = node["attributesToRetrieve"]?.elements.compactMap(\.string)
        if let bytes = try record(
          objectID, in: snapshot,
          attributes: node["attributesToRetrieve"]?.kind == .array ? attributes ?? [] : ["*"])
        {
          writer.raw(bytes)
        } else {
          writer.null()
        }
      }
      writer.endArray()
    }
  }

  /// The wanted attributes of a record; `nil` when there is no such record.
  func record(
    _ objectID: String, in snapshot: Snapshot, attributes: [String]
  ) throws -> [UInt8]? {
    guard let place = snapshot.locate(objectID: objectID) else { return nil }
    let bytes = snapshot.segments[place.segment].segment.records.bytes(of: place.document)
    let projection = RecordProjection(
      attributes: attributes, unretrievable: snapshot.settings.unretrievableAttributes)
    return projection.bytes(of: try JSONDocument(Array(bytes)).root)
  }

  private func answerList() -> TransportResponse {
    let entries = store.entries.sorted { $0.key < $1.key }
    return respond { writer in
      writer.key("items")
      writer.beginArray()
      for (name, entry) in entries {
        writer.beginObject()
        writer.key("name")
        writer.string(name)
        writer.key("entries")
        writer.int(entry.snapshot.recordCount)
        writer.endObject()
      }
      writer.endArray()
      writer.key("nbPages")
      writer.int(1)
    }
  }

  private func answerSettings(_ indexName: String) throws -> TransportResponse {
    let settings = try store.snapshot(of: indexName).settings
    return TransportResponse(
      status: 200, headers: Self.headers, body: try JSONValueEncoder().encode(settings))
  }

  /// Every write was done when its call was answered.
  private func answerTask(_ indexName: String, _ taskID: String) throws -> TransportResponse {
    guard Int64(taskID) != nil else { throw APIError("Invalid taskID \(taskID)") }
    return respond { writer in
      writer.key("status")
      writer.string("published")
      writer.key("pendingTask")
      writer.bool(false)
    }
  }
}
