@testable import InstantSearchAPI
import TestSupport
import Foundation
@testable import LocalSearch

/// An engine with the places of the snippets, and helpers to call it over the REST contract.
struct PlacesFixture {
  let engine: LocalSearch

  /// The records of the snippets, as in their file.
  static func records() throws -> [JSON] {
    let file = SnippetData.file("places.json")
    return try JSON(parsing: [UInt8](Data(contentsOf: file))).arrayValue ?? []
  }

  /// An engine with the records of the snippets and others.
  init(
    adding others: [JSON] = [], settings: IndexSettings = .places,
    configuration: LocalSearch.Configuration = .init()
  ) async throws {
    engine = try await LocalSearch(
      indexName: configuration.placesIndexName, records: Self.records() + others,
      settings: settings, configuration: configuration)
  }

  /// Makes a call and returns the status and the body.
  func call(
    _ method: Endpoint.Method, _ path: String, body: [UInt8] = [],
    queryItems: [QueryItem] = []
  ) async throws -> (status: Int, body: JSON) {
    let response = try await engine.send(
      TransportRequest(
        method: method, pathComponents: ["1", "places", path], queryItems: queryItems, body: body,
        callType: .read))
    return (response.status, try JSON(parsing: response.body))
  }

  /// Searches with parameters given as JSON and returns the response body.
  func search(_ parameters: JSON) async throws -> JSON {
    try await call(.post, "query", body: Array(parameters.text.utf8)).body
  }

  /// Searches and returns the IDs of the places in order.
  func ids(_ parameters: JSON) async throws -> [String] {
    let answer = try await search(parameters)
    guard let hits = answer["hits"]?.arrayValue else { throw Refusal(answer) }
    return hits.compactMap { $0["objectID"]?.stringValue }
  }

  /// The message of a rejected search.
  func refusal(_ parameters: JSON) async throws -> String? {
    let answer = try await call(.post, "query", body: Array(parameters.text.utf8))
    return answer.status == 400 ? answer.body["message"]?.stringValue : nil
  }
}
