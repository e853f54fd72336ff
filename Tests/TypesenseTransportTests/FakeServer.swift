import Foundation
import InstantSearchHTTP

@testable import TypesenseTransport

/// A server in memory, with its calls about collections and documents, and searches without words.
actor FakeServer {
  private var collections: [String: [String: JSON]] = [:]
  private var synonyms: [String: [String: JSON]] = [:]

  init() {}

  /// Creates a server with what another one has.
  init(copying other: FakeServer) async {
    collections = await other.collections
  }

  /// The names of the collections.
  var names: Set<String> { Set(collections.keys) }

  /// The IDs of the documents of all collections.
  var documentIDs: Set<String> { Set(collections.values.flatMap(\.keys)) }

  /// The number of documents in the place of deleted records.
  var markCount: Int {
    collections.values.flatMap(\.values).count {
      $0["_f"]?.arrayValue == [.string(ValueCode.deletion)]
    }
  }

  /// The IDs of the synonyms of all collections.
  var synonymIDs: Set<String> { Set(synonyms.values.flatMap(\.keys)) }

  /// Answers a request.
  func answer(_ request: HTTPExchangeRequest) throws -> HTTPExchangeResponse {
    guard let components = URLComponents(string: request.url) else {
      return response(400, ["message": "no URL"])
    }
    let path = components.percentEncodedPath.split(separator: "/").map {
      $0.removingPercentEncoding ?? ""
    }
    let items = (components.queryItems ?? []).reduce(into: [:]) { $0[$1.name] = $1.value }
    switch (request.method, path.first, path.count) {
    case (.get, "debug", 1): return response(200, ["state": 1, "version": "0.24.1"])
    case (.post, "multi_search", 1):
      let searches = try JSON(parsing: request.body)["searches"]?.arrayValue ?? []
      return response(200, ["results": .array(searches.map(result))])
    case (.get, "collections", 1):
      return response(
        200,
        .array(
          collections.map { ["name": .string($0), "num_documents": .int(Int64($1.count))] }))
    case (.post, "collections", 1):
      let schema = try JSON(parsing: request.body)
      let name = schema["name"]?.stringValue ?? ""
      guard collections[name] == nil else { return response(409, ["message": "exists"]) }
      collections[name] = [:]
      return response(201, schema)
    case (.delete, "collections", 2):
      guard collections.removeValue(forKey: path[1]) != nil else { return missing }
      synonyms[path[1]] = nil
      return response(200, [:])
    case (_, "collections", 3...) where path[2] == "synonyms":
      return try synonyms(request, path)
    case (_, "collections", 3...): return try documents(request, path, items)
    default: return missing
    }
  }

  private func response(_ status: Int, _ body: JSON) -> HTTPExchangeResponse {
    HTTPExchangeResponse(status: status, body: Array(body.text.utf8))
  }

  private var missing: HTTPExchangeResponse { response(404, ["message": "Not Found"]) }

  private func result(_ search: JSON) -> JSON {
    guard let documents = collections[search["collection"]?.stringValue ?? ""] else {
      return ["code": 404, "error": "Not found."]
    }
    // Places are everywhere.
    let filter = search["filter_by"]?.stringValue.flatMap { $0.contains("_geo:(") ? nil : $0 }
    let matches = documents.values
      .filter { document in filter.map { ServerFilter.matches($0, document) } ?? true }
      .sorted { ($0["_k"]?.intValue ?? 0) < ($1["_k"]?.intValue ?? 0) }
    let length = search["per_page"]?.intValue ?? 10
    let start = ((search["page"]?.intValue ?? 1) - 1) * length
    return [
      "found": .int(Int64(matches.count)),
      "hits": .array(matches.dropFirst(start).prefix(length).map { ["document": $0] }),
    ]
  }

  private func synonyms(
    _ request: HTTPExchangeRequest, _ path: [String]
  ) throws -> HTTPExchangeResponse {
    guard collections[path[1]] != nil else { return missing }
    let known = synonyms[path[1]] ?? [:]
    switch request.method {
    case .get:
      return response(
        200,
        [
          "synonyms": .array(
            known.map { id, synonym in
              .object((synonym.objectValue ?? [:]).merging(["id": .string(id)]) { $1 })
            })
        ])
    case .put:
      let synonym = try JSON(parsing: request.body)
      synonyms[path[1], default: [:]][path[3]] = synonym
      return response(200, synonym)
    default:
      guard synonyms[path[1]]?.removeValue(forKey: path[3]) != nil else { return missing }
      return response(200, [:])
    }
  }

  private func documents(
    _ request: HTTPExchangeRequest, _ path: [String], _ items: [String: String]
  ) throws -> HTTPExchangeResponse {
    let name = path[1]
    guard var documents = collections[name] else { return missing }
    defer { collections[name] = documents }
    func put(_ document: JSON) -> Int {
      let id = document["id"]?.stringValue ?? ""
      if items["action"] == "create", documents[id] != nil { return 409 }
      documents[id] = document
      return 201
    }
    switch (request.method, path.count) {
    case (.post, 3):
      let document = try JSON(parsing: request.body)
      return response(put(document), document)
    case (.post, 4):
      let lines = try request.body.split(separator: 10).map { line -> JSON in
        let status = try put(JSON(parsing: Array(line)))
        return status == 409 ? ["success": false, "code": 409] : ["success": true]
      }
      return HTTPExchangeResponse(
        status: 200, body: Array(lines.map(\.text).joined(separator: "\n").utf8))
    case (.get, 4): return documents[path[3]].map { response(200, $0) } ?? missing
    case (.delete, 4):
      return documents.removeValue(forKey: path[3]).map { response(200, $0) } ?? missing
    case (.delete, 3):
      let old = documents
      documents = old.filter { !ServerFilter.matches(items["filter_by"] ?? "", $0.value) }
      return response(200, ["num_deleted": .int(Int64(old.count - documents.count))])
    default: return missing
    }
  }
}
