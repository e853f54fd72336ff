public import AsyncInstantSearch

/// A transport that answers what a test tells it to, and remembers what it was asked.
public final class ScriptedTransport: SearchTransport {
  /// Answers the call of that number, counted from 0.
  public typealias Script =
    @concurrent @Sendable (TransportRequest, _ number: Int) async throws -> TransportResponse

  private let script: Script
  private let received = Lock<[TransportRequest]>([])

  /// Creates a transport that answers by `script`.
  public init(_ script: @escaping Script) {
    self.script = script
  }

  /// Creates a transport that answers every call with the same body, with status 200.
  public convenience init(json: String, status: Int = 200) {
    self.init { _, _ in TransportResponse(status: status, body: Array(json.utf8)) }
  }

  /// The calls so far, in the order in which they arrived.
  public var requests: [TransportRequest] { received.withLock { $0 } }

  /// Records the call and answers it by the script.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let number = received.withLock { received in
      received.append(request)
      return received.count - 1
    }
    return try await script(request, number)
  }
}
