@testable import InstantSearchAPI
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import InstantSearchJSON

/// A record with the query of its response.
struct Echo: Codable, Sendable, Hashable {
  let objectID: String
  let text: String
}

/// Responds to every search with one record whose text is the query's.
func echo(_ request: TransportRequest) throws -> TransportResponse {
  let document = try JSONDocument(request.body)
  let text = document.root["query"]?.string ?? ""
  return page(of: [text], query: text)
}

/// A page with one record for each text.
func page(of texts: [String], query: String = "") -> TransportResponse {
  var writer = JSONWriter()
  writer.beginObject()
  writer.key("hits")
  writer.beginArray()
  for text in texts {
    writer.beginObject()
    writer.key("objectID")
    writer.string("id-\(text)")
    writer.key("text")
    writer.string(text)
    writer.endObject()
  }
  writer.endArray()
  writer.key("query")
  writer.string(query)
  writer.key("nbHits")
  writer.int(texts.count)
  writer.endObject()
  return TransportResponse(status: 200, body: writer.bytes)
}

/// A transport that the client awaits directly, as it awaits the package's own.
struct DirectTransport: SearchTransport {
  let base: any SearchTransport
  var isPrompt: Bool { true }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await base.send(request)
  }
}

/// Responds when and in the order the test chooses. Ignores cancellation on purpose.
final class GatedTransport: SearchTransport {
  private struct State {
    var waiting: [Int: (TransportRequest, CheckedContinuation<TransportResponse, any Error>)] = [:]
    var count = 0
    var watchers: [(Int, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Lock(State())

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await withCheckedThrowingContinuation { continuation in
      let ready = state.withLock { state in
        state.waiting[state.count] = (request, continuation)
        state.count += 1
        let count = state.count
        defer { state.watchers.removeAll { $0.0 <= count } }
        return state.watchers.filter { $0.0 <= count }.map(\.1)
      }
      for watcher in ready { watcher.resume() }
    }
  }

  /// Returns once `count` calls have arrived.
  func waitForCalls(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  /// Responds to the call with that number, counted from 0, with the text of its own query.
  func answer(_ number: Int) {
    let entry = state.withLock { $0.waiting.removeValue(forKey: number) }
    guard let (request, continuation) = entry else { return }
    continuation.resume(with: Result { try echo(request) })
  }

  /// Fails the call of that number.
  func fail(_ number: Int, with error: any Error) {
    let entry = state.withLock { $0.waiting.removeValue(forKey: number) }
    entry?.1.resume(throwing: error)
  }
}
