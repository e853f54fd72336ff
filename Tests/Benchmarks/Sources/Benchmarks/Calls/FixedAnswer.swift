import AsyncInstantSearch
import AsyncInstantSearchTesting

/// Returns the same response to every call.
struct FixedAnswer: SearchTransport {
  let body: [UInt8]

  /// The answer to one search, without hits.
  static let withoutHits = Array(#"{"hits":[]}"#.utf8)

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(status: 200, body: body)
  }
}

extension SearchClient {
  /// A client that always gets the same response, and runs on an executor.
  init(answer: [UInt8], on executor: CallingThreadExecutor) {
    self.init(transport: FixedAnswer(body: answer), executor: executor)
  }
}

extension TransportRequest {
  /// The call of a search, as a client sends it.
  static func sent<Record>(for request: SearchRequest<Record>) async throws -> TransportRequest {
    try await sent(json: #"{"hits":[]}"#) { _ = try await $0.search(request) }
  }

  /// The call that a client sends in a closure.
  ///
  /// - Parameter json: The response to it.
  static func sent(
    json: String, by call: (SearchClient) async throws -> Void
  ) async throws -> TransportRequest {
    let transport = ScriptedTransport(json: json)
    try await call(SearchClient(transport: transport))
    guard let request = transport.requests.first else {
      throw Mismatch(description: "the client sent nothing")
    }
    return request
  }
}
