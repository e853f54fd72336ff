public import AsyncInstantSearch

/// A transport that answers what a test tells it to, and remembers what it was asked.
///
/// A script may forward a call to another transport. When the answer has a snapshot, further pages are
/// asked of that: such calls are remembered, and not answered by the script. A script that is to
/// answer them takes the snapshot out of its answer.
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

  /// The calls so far, in the order in which they arrived; those to snapshots included.
  public var requests: [TransportRequest] { received.withLock { $0 } }

  /// Records the call and answers it by the script.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    recording(try await script(request, record(request)))
  }

  /// Remembers a call and numbers it.
  private func record(_ request: TransportRequest) -> Int {
    received.withLock { received in
      received.append(request)
      return received.count - 1
    }
  }

  /// The answer, with a snapshot that remembers its calls here.
  private func recording(_ response: TransportResponse) -> TransportResponse {
    var response = response
    response.snapshot = response.snapshot.map { RecordedSnapshot(base: $0, owner: self) }
    return response
  }

  private struct RecordedSnapshot: SearchTransport {
    let base: any SearchTransport
    let owner: ScriptedTransport

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      _ = owner.record(request)
      return owner.recording(try await base.send(request))
    }
  }
}
