@testable import InstantSearchAPI
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport

extension TransportRequest {
  /// A search of one index.
  static func search(
    _ text: String, in indexName: String = "index", headers: [HTTPHeader] = [],
    deadline: Deadline? = nil
  ) -> TransportRequest {
    TransportRequest(
      method: .post, pathComponents: ["1", "indexes", indexName, "query"], headers: headers,
      body: Array((["query": .string(text)] as JSON).text.utf8), callType: .read,
      deadline: deadline)
  }

  /// Several searches in one call.
  static func searches(_ texts: [String], in indexName: String = "index") -> TransportRequest {
    let requests = texts.map { ["indexName": .string(indexName), "query": .string($0)] as JSON }
    return TransportRequest(
      method: .post, pathComponents: ["1", "indexes", "*", "queries"],
      body: Array((["requests": .array(requests)] as JSON).text.utf8), callType: .read)
  }

  /// A record that is written.
  static func write(in indexName: String = "index") -> TransportRequest {
    TransportRequest(
      method: .post, pathComponents: ["1", "indexes", indexName], body: Array("{}".utf8),
      callType: .write)
  }

  func with(_ change: (inout TransportRequest) -> Void) -> TransportRequest {
    var request = self
    change(&request)
    return request
  }
}

extension TransportResponse {
  /// The text of a page made by ``rows(_:of:hitsPerPage:)``.
  var queryText: String? { (try? JSON(parsing: body))?["query"]?.stringValue }
}

extension ScriptedTransport {
  /// Responds to every search, and every query of a multi-query, with rows of its text.
  static func rows() -> ScriptedTransport {
    ScriptedTransport { request, _ in try rowsOfEach(request) }
  }

  /// Responds when the gate is open. Ignores cancellation and deadline until then.
  static func rows(at gate: CallGate) -> ScriptedTransport {
    ScriptedTransport { request, _ in
      await gate.pass()
      return try rowsOfEach(request)
    }
  }
}

/// The outcome of a call in a word.
func outcome(_ result: Result<TransportResponse, any Error>) -> String {
  switch result {
  case .success(let response): return response.queryText ?? "status \(response.status)"
  case .failure(let error as SearchError): return "\(error.code)"
  case .failure(let error): return error is CancellationError ? "cancelled" : "\(error)"
  }
}

/// The engine with some words, as a back end for wrapping transports.
func wordsEngine() async throws -> LocalSearch {
  let engine = LocalSearch()
  try await engine.save((0..<50).map { ["text": "word \($0)"] as JSON }, in: "my words")
  return engine
}

/// An engine behind a gate, for the conformance suite.
func gated(_ engine: LocalSearch, _ gate: CallGate) -> ScriptedTransport {
  ScriptedTransport { request, _ in
    await gate.pass()
    return try await engine.send(request)
  }
}

/// A value shared by the tasks of a test.
final class Shared<Value: Sendable>: Sendable {
  private let state: Lock<Value>

  init(_ value: Value) { state = Lock(value) }

  var value: Value { state.withLock { $0 } }

  func change(_ change: (inout Value) -> Void) {
    state.withLock { change(&$0) }
  }
}
