import InstantSearchAPI
import InstantSearchHTTP
import InstantSearchJSON
import LocalSearch

/// The requests of the server's API that the transport makes, for one call of the contract.
struct Cluster: Sendable {
  let caller: NodeCaller
  let clock: any Clock<Duration>
  let headers: HeaderFields
  /// The deadline and the attempt timeout of the call.
  var deadline: Deadline
  var attemptTimeout: Duration?
  /// The leader, which must answer reads, or `nil` if any node may.
  var readLeader: KnownLeader?
  /// The only node that answers reads, or `nil`.
  var readNode: Int?
  /// Whether the call goes on until its deadline, as writes do.
  var isWrite = false
  /// Counts the attempts at writes that a node did not answer, and may make later.
  var lateWrites: LateWrites?

  /// The header that carries the API key.
  static let keyHeader = "X-TYPESENSE-API-KEY"

  /// Sends one request.
  func send(
    _ type: Endpoint.CallType, _ method: Endpoint.Method, _ path: [String],
    _ queryItems: [QueryItem] = [], body: [UInt8] = [], node: Int? = nil
  ) async throws -> TransportResponse {
    let request = TransportRequest(
      .custom(method, path), queryItems: queryItems, body: body, callType: type,
      deadline: deadline, attemptTimeout: attemptTimeout)
    let response: TransportResponse
    let node = type == .read ? node ?? readNode : node
    if type == .read, node == nil, let readLeader {
      response = try await sendToLeader(request, readLeader)
    } else {
      let late = type == .write ? lateWrites : nil
      response = try await caller.send(request, headers: headers, node: node) {
        late?.count.withLock { $0 += 1 }
      }
    }
    guard (200...299).contains(response.status) else { throw ServerError(response) }
    return response
  }

  /// Sends a read to the leader, and to the next one if that ends: once more than there are nodes,
  /// or until the deadline of a write.
  private func sendToLeader(
    _ request: TransportRequest, _ known: KnownLeader
  ) async throws -> TransportResponse {
    var failureCount = 0
    while true {
      let number: Int
      if let last = known.number.withLock({ $0 }) {
        number = last
      } else {
        number = try await leader()
      }
      do {
        let response = try await caller.send(request, headers: headers, node: number)
        known.number.withLock { $0 = number }
        return response
      } catch let error as SearchError where error.code == .unreachable || error.code == .timedOut {
        known.number.withLock { $0 = nil }
        failureCount += 1
        if deadline.hasPassed || !isWrite && failureCount > caller.nodes.count { throw error }
        try await sleep(for: .milliseconds(100))
      }
    }
  }

  static func root(of response: TransportResponse) throws -> JSONNode {
    do {
      return try JSONDocument(response.body).root
    } catch {
      throw SearchError(.server, "The server's response is not JSON.")
    }
  }

  // MARK: Searching

  /// The maximum number of documents of one search.
  static let pageLength = 250

  /// A search for the documents that match a filter, a full page of them.
  ///
  /// - Parameter fields: The fields to return, joined by commas. Defaults to all.
  static func search(
    _ collection: String, where filter: String, fields: String? = nil
  ) -> [String: JSON] {
    var search: [String: JSON] = [
      "collection": .string(collection), "q": "*", "filter_by": .string(filter),
      "per_page": .int(Int64(pageLength)), "highlight_fields": "none",
      "enable_highlight_v1": false,
    ]
    if let fields { search["include_fields"] = .string(fields) }
    return search
  }

  /// Runs searches, and returns the result of each.
  func multiSearch(_ searches: [JSON]) async throws -> [JSONNode] {
    let body = JSON.object(["searches": .array(searches)])
    let response = try await send(
      .read, .post, ["multi_search"],
      [QueryItem(name: "limit_multi_searches", value: String(searches.count))],
      body: Array(body.text.utf8))
    let results = try Self.root(of: response).list("results")
    guard results.count == searches.count else {
      throw SearchError(
        .server, "The server returned \(results.count) results for \(searches.count) searches.")
    }
    return results
  }

  /// Waits, but not beyond the deadline.
  func sleep(for duration: Duration) async throws {
    let remaining = deadline.remaining
    guard remaining > .zero else {
      throw SearchError(.timedOut, "The deadline passed before the cluster was ready.")
    }
    try await clock.sleep(for: min(duration, remaining))
    try Task.checkCancellation()
  }

  /// Returns the first number of a node's version, or `nil` if it does not tell it to this key.
  func majorVersion() async throws -> Int? {
    do {
      let text = try Self.root(of: await send(.read, .get, ["debug"]))["version"]?.string ?? ""
      return text.split(separator: ".").first.flatMap { Int($0) }
    } catch let error as ServerError where (400...499).contains(error.status) {
      return nil
    }
  }

  // MARK: Synonyms

  /// The maximum number of synonyms that are deleted at once, each by a request.
  private static let maximumDeletionCount = 250

  /// Gives a collection some synonyms.
  ///
  /// - Parameter keepsOthers: Whether it keeps the other ones that it has. Otherwise they are
  ///   deleted, at most 250 of them.
  /// - Returns: Whether there is nothing left to delete.
  func setSynonyms(
    _ synonyms: [String: JSON], of collection: String, keepsOthers: Bool, _ dialect: Dialect
  ) async throws -> Bool {
    let known = try await knownSynonyms(of: collection, dialect)
    if dialect.hasSynonymSets {
      let all = keepsOthers ? known.merging(synonyms) { $1 } : synonyms
      let items = all.sorted { $0.key < $1.key }.map { id, synonym in
        JSON.object((synonym.objectValue ?? [:]).merging(["id": .string(id)]) { $1 })
      }
      let body: JSON = ["items": .array(items)]
      _ = try await send(
        .write, .put, ["synonym_sets", Dialect.synonymSet(of: collection)],
        body: Array(body.text.utf8))
      return true
    }
    let path = ["collections", collection, "synonyms"]
    for (id, synonym) in synonyms.sorted(by: { $0.key < $1.key }) {
      let isKnown =
        known[id]?["synonyms"] == synonym["synonyms"]
        && (known[id]?["root"]?.stringValue ?? "") == (synonym["root"]?.stringValue ?? "")
      if isKnown { continue }
      _ = try await send(.write, .put, path + [id], body: Array(synonym.text.utf8))
    }
    if keepsOthers { return true }
    let others = known.keys.filter { synonyms[$0] == nil }.sorted()
    for id in others.prefix(Self.maximumDeletionCount) { try await deleteIfFound(path + [id]) }
    return others.count <= Self.maximumDeletionCount
  }

  /// Returns the synonyms of a collection by their IDs.
  private func knownSynonyms(
    of collection: String, _ dialect: Dialect
  ) async throws -> [String: JSON] {
    let root: JSONNode
    if dialect.hasSynonymSets {
      do {
        let path = ["synonym_sets", Dialect.synonymSet(of: collection)]
        root = try Self.root(of: await send(.read, .get, path))
      } catch let error as ServerError where error.status == 404 {
        return [:]
      }
    } else {
      root = try Self.root(of: await send(.read, .get, ["collections", collection, "synonyms"]))
    }
    return root.list(dialect.hasSynonymSets ? "items" : "synonyms").reduce(into: [:]) {
      if let id = $1["id"]?.string { $0[id] = JSON(node: $1) }
    }
  }

  // MARK: Documents

  /// Returns a document, or `nil` if it does not exist.
  func document(_ id: String, in collection: String) async throws -> JSONNode? {
    do {
      return try Self.root(
        of: await send(.read, .get, ["collections", collection, "documents", id]))
    } catch let error as ServerError where error.status == 404 {
      return nil
    }
  }

  /// Writes one document.
  ///
  /// - Throws: `ServerError` with status 409 if it exists and `action` is `create`.
  func put(_ document: JSON, action: String = "upsert", in collection: String) async throws {
    _ = try await send(
      .write, .post, ["collections", collection, "documents"],
      [QueryItem(name: "action", value: action)],
      body: Array(document.text.utf8))
  }

  /// Deletes one document, if it exists.
  func delete(_ id: String, in collection: String) async throws {
    try await deleteIfFound(["collections", collection, "documents", id])
  }

  /// Writes documents, one a line.
  ///
  /// - Parameter action: `upsert`, or `create`, which leaves documents that exist as they are.
  func importLines(_ lines: [UInt8], count: Int, action: String, into collection: String)
    async throws
  {
    let response = try await send(
      .write, .post, ["collections", collection, "documents", "import"],
      [QueryItem(name: "action", value: action)], body: lines)
    var answered = 0
    for line in response.body.split(separator: UInt8(ascii: "\n")) {
      answered += 1
      let node = try? JSONDocument(line).root
      if node?["success"]?.bool == true { continue }
      let status = node?["code"]?.int64.map { Int($0) } ?? 500
      if action == "create", status == 409 { continue }
      throw ServerError(status: status, message: node?["error"]?.string ?? "no message")
    }
    guard answered == count else {
      throw SearchError(
        .server, "The server answered \(answered) of \(count) documents.")
    }
  }

  /// Deletes the documents that match a filter, and returns their number.
  func delete(where filter: String, in collection: String) async throws -> Int {
    let response = try await send(
      .write, .delete, ["collections", collection, "documents"],
      [QueryItem(name: "filter_by", value: filter)])
    return try Self.root(of: response).count(of: "num_deleted")
  }

  // MARK: Collections

  /// Creates a collection, unless it exists.
  func create(_ schema: JSON) async throws {
    do {
      _ = try await send(.write, .post, ["collections"], body: Array(schema.text.utf8))
    } catch let error as ServerError where error.status == 409 {}
  }

  /// Deletes a collection, if it exists, and the synonyms that only it has.
  func deleteCollection(_ name: String, _ dialect: Dialect) async throws {
    try await deleteIfFound(["collections", name])
    if dialect.isKnown, dialect.hasSynonymSets {
      try await deleteIfFound(["synonym_sets", Dialect.synonymSet(of: name)])
    }
  }

  private func deleteIfFound(_ path: [String]) async throws {
    do {
      _ = try await send(.write, .delete, path)
    } catch let error as ServerError where error.status == 404 {}
  }

  /// Returns the number of documents of each collection.
  func collections() async throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for node in try Self.root(of: await send(.read, .get, ["collections"])).elements {
      guard let name = node["name"]?.string else { continue }
      counts[name] = node.count(of: "num_documents")
    }
    return counts
  }
}

/// The node that led the cluster when a call last asked.
final class KnownLeader: Sendable {
  let number = Lock<Int?>(nil)
}

/// The attempts at writes that nodes did not answer, and may still make.
final class LateWrites: Sendable {
  let count = Lock(0)
}

/// A response of the server with another status than 2xx, or the failed result of one search.
struct ServerError: Error, Sendable {
  let status: Int
  let message: String

  init(status: Int, message: String) {
    self.status = status
    self.message = message
  }

  init(_ response: TransportResponse) {
    let message = (try? JSONDocument(response.body))?.root["message"]?.string
    self.init(
      status: response.status,
      message: message ?? String(decoding: response.body.prefix(200), as: UTF8.self))
  }

  /// The failure of one search of several, or `nil` if it did not fail.
  init?(result: JSONNode) {
    guard let code = result["code"]?.int64 else { return nil }
    self.init(status: Int(code), message: result["error"]?.string ?? "no message")
  }

  /// The field that the collection does not have, if this is why the search failed.
  var missingField: String? {
    guard status == 404, message.contains("field named `") else { return nil }
    return message.split(separator: "`").dropFirst().first.map(String.init)
  }

  /// The error of the contract.
  var apiError: APIError {
    switch status {
    case 401, 403: APIError(status: 403, "Invalid API key, or one without the right to this call")
    case 408: APIError(status: 408, "The server took too long: \(message)")
    case 404, 409, 413, 422, 429: APIError(status: status, "The server answered: \(message)")
    case 500...: APIError(status: 503, "The server failed: \(message)")
    default: APIError("The server refused the request: \(message)")
    }
  }
}

extension JSONNode {
  /// The elements of a member that is a list; none for another value.
  func list(_ name: String) -> [JSONNode] {
    self[name].map { $0.kind == .array ? Array($0.elements) : [] } ?? []
  }

  /// A member that counts something, so that several of them have a sum; 0 for another value.
  func count(of name: String) -> Int {
    self[name]?.int64.map { Int(min(max($0, 0), 1 << 40)) } ?? 0
  }
}
