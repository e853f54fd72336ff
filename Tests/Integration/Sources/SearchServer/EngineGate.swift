import AsyncInstantSearch
import LocalSearch
import Synchronization

/// The engine of the server as soon as its records are loaded.
final class EngineGate: SearchTransport {
  private let state = Mutex<LocalSearch?>(nil)
  /// Opens when the port is bound.
  let isBound = Latch()

  /// The engine; `nil` until it is ready.
  var engine: LocalSearch? { state.withLock { $0 } }

  func open(_ engine: LocalSearch) { state.withLock { $0 = engine } }

  /// The engine ends its calls in time.
  var isPrompt: Bool { true }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard let engine else { throw SearchError(.unreachable, "The server is loading its records.") }
    return try await engine.send(request)
  }
}

/// Lets tasks wait for one event.
final class Latch: Sendable {
  private let (stream, continuation) = AsyncStream<Void>.makeStream()

  func open() { continuation.finish() }
  func wait() async { for await _ in stream {} }
}
