@testable import InstantSearchAPI
@testable import LocalSearch
@testable import InstantSearchJSON

/// An engine, and helpers to call it over the REST contract.
struct EngineFixture {
  /// The index of the calls.
  static let index = "items"

  let engine: LocalSearch

  /// An engine that exists.
  init(engine: LocalSearch) { self.engine = engine }

  /// An engine with one index.
  init(
    _ records: [JSON] = [], settings: IndexSettings = IndexSettings(),
    configuration: LocalSearch.Configuration = .init()
  ) async throws {
    engine = try await LocalSearch(
      indexName: Self.index, records: records, settings: settings, configuration: configuration)
  }

  /// Makes a call and returns the status and the body.
  func call(
    _ method: Endpoint.Method, _ path: [String], _ body: JSON? = nil,
    queryItems: [QueryItem] = []
  ) async throws -> (status: Int, body: JSON) {
    let response = try await engine.send(
      TransportRequest(
        method: method, pathComponents: ["1", "indexes"] + path, queryItems: queryItems,
        body: body.map { Array($0.text.utf8) } ?? [], callType: .read))
    return (response.status, try JSON(parsing: response.body))
  }

  /// Searches with parameters given as JSON and returns the response body.
  func search(_ parameters: JSON = [:]) async throws -> JSON {
    try await call(.post, [Self.index, "query"], parameters).body
  }

  /// Searches and returns the page of hits.
  func page<Record>(
    _ query: SearchQuery = SearchQuery(), of type: Record.Type
  ) async throws -> HitsPage<Record> {
    try await engine.page(Self.index, query, of: type)
  }

  /// Searches and returns the object IDs of the hits in order.
  func ids(_ parameters: JSON = [:]) async throws -> [String] {
    var parameters = parameters
    if parameters["hitsPerPage"] == nil { parameters["hitsPerPage"] = 1000 }
    for name in ["attributesToHighlight", "attributesToRetrieve"] { parameters[name] = [] }
    let answer = try await search(parameters)
    guard let hits = answer["hits"]?.arrayValue else { throw Refusal(answer) }
    return hits.compactMap { $0["objectID"]?.stringValue }
  }

  /// The IDs that match a filter, sorted.
  func ids(filters: String) async throws -> [String] {
    try await ids(["filters": .string(filters)]).sorted()
  }

  /// The message of a rejected search.
  func refusal(_ parameters: JSON) async throws -> String? {
    let answer = try await call(.post, [Self.index, "query"], parameters)
    return answer.status == 400 ? answer.body["message"]?.stringValue : nil
  }
}

/// A response that was not expected to be an error.
struct Refusal: Error, CustomStringConvertible {
  let description: String
  init(_ answer: JSON) { description = answer.text }
}

extension LocalSearch {
  /// Searches an index and returns the page of hits.
  func page<Record>(
    _ indexName: String, _ query: SearchQuery = SearchQuery(), of type: Record.Type
  ) async throws -> HitsPage<Record> {
    let response = try await send(
      TransportRequest(
        .search(index: indexName), body: Array(try JSON(encoding: query).text.utf8)))
    return try JSON(parsing: response.body).decode(HitsPage<Record>.self)
  }
}
