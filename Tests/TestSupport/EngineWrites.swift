@testable package import InstantSearchAPI

/// Writes as calls of the search API, for tests of engines and services that have no client. Each
/// call is one write.
extension SearchTransport {
  /// Adds records, and returns their IDs.
  @discardableResult
  package func save<Record: Encodable>(
    _ records: [Record], in indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await batch("addObject", records, clearsFirst: false, in: indexName, deadline)
  }

  /// Replaces all records in one step, and returns the IDs.
  @discardableResult
  package func replaceAll<Record: Encodable>(
    with records: [Record], in indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await batch("addObject", records, clearsFirst: true, in: indexName, deadline)
  }

  /// Changes some attributes of records.
  package func partialUpdate<Update: Encodable>(
    _ updates: [Update], in indexName: String, createsIfMissing: Bool = true,
    deadline: Deadline? = nil
  ) async throws(SearchError) {
    let action = createsIfMissing ? "partialUpdateObject" : "partialUpdateObjectNoCreate"
    _ = try await batch(action, updates, clearsFirst: false, in: indexName, deadline)
  }

  /// Removes the records with some IDs.
  package func delete(
    objectIDs: [String], from indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    _ = try await batch(
      "deleteObject", objectIDs.map { ["objectID": $0] }, clearsFirst: false, in: indexName,
      deadline)
  }

  /// Removes the records that match a query.
  package func delete(
    matching query: SearchQuery, from indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await call(.deleteBy(index: indexName), Self.json(query, 0), indexName, deadline)
  }

  /// Removes all records of an index.
  package func clear(
    _ indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await call(.clear(index: indexName), nil, indexName, deadline)
  }

  /// Removes an index.
  package func deleteIndex(
    _ indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    try await call(.deleteIndex(index: indexName), nil, indexName, deadline)
  }

  /// Replaces all settings of an index.
  package func setSettings(
    _ settings: IndexSettings, of indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) {
    var members = try Self.json(settings, 0).objectValue ?? [:]
    for name in ["primary", "version"] { members[name] = nil }
    for name in IndexSettings.names where members[name] == nil { members[name] = .null }
    try await call(.setSettings(index: indexName), .object(members), indexName, deadline)
  }

  /// The settings of an index.
  package func settings(of indexName: String) async throws(SearchError) -> IndexSettings {
    let json = try await call(.settings(index: indexName), nil, indexName, nil)
    do { return try json.decode(IndexSettings.self) } catch {
      throw SearchError(.decoding, "\(error)")
    }
  }

  /// The record with an ID; `nil` if there is none.
  package func record<Record: Decodable>(
    withID objectID: String, in indexName: String, as type: Record.Type = JSON.self
  ) async throws(SearchError) -> Record? {
    do throws(SearchError) {
      let endpoint = Endpoint.getObject(index: indexName, objectID: objectID)
      let json = try await call(endpoint, nil, indexName, nil)
      do { return try json.decode(type) } catch { throw SearchError(.decoding, "\(error)") }
    } catch  where error.code == .objectNotFound {
      return nil
    }
  }

  private static func json(_ value: some Encodable, _ number: Int) throws(SearchError) -> JSON {
    do { return try JSON(encoding: value) } catch {
      throw SearchError(.invalidRequest, "record \(number): \(error)")
    }
  }

  private func batch<Record: Encodable>(
    _ action: String, _ records: [Record], clearsFirst: Bool, in indexName: String,
    _ deadline: Deadline?
  ) async throws(SearchError) -> [String] {
    var requests: [JSON] = clearsFirst ? [["action": "clear"]] : []
    for (number, record) in records.enumerated() {
      requests.append(["action": .string(action), "body": try Self.json(record, number)])
    }
    let answer = try await call(
      .batch(index: indexName), ["requests": .array(requests)], indexName, deadline)
    return (answer["objectIDs"]?.arrayValue ?? []).compactMap(\.stringValue)
  }

  @discardableResult
  private func call(
    _ endpoint: Endpoint, _ body: JSON?, _ indexName: String, _ deadline: Deadline?
  ) async throws(SearchError) -> JSON {
    let call = EndpointCall(endpoint, body: body?.bytes ?? [], indexNames: [indexName])
    let context = CallContext(call)
    do {
      let response = try await send(
        TransportRequest(endpoint, body: body?.bytes ?? [], deadline: deadline))
      guard (200..<300).contains(response.status) else { throw context.error(from: response) }
      return try JSON(parsing: response.body)
    } catch let error as SearchError {
      throw context.adding(to: error)
    } catch is CancellationError {
      throw context.error(.cancelled, "The call was cancelled.")
    } catch {
      throw context.error(.transport, "\(error)")
    }
  }
}
