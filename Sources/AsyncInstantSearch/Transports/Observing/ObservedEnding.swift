/// How a call ended, as an observer learns of it; nothing in it is secret.
public struct ObservedEnding: Sendable, Hashable {
  /// The status of the answer; `nil` when there was none.
  public let status: Int?
  /// The length of the answer's body; 0 when there was none.
  public let bodyBytes: Int
  /// The answer's `Correlation-ID`, to be quoted to the provider's support.
  public let correlationID: String?
  /// Who answered, where the transport tells.
  public let origin: AnswerOrigin?
  /// Why there was no answer; ``SearchError/Code-swift.struct/transport`` for an error that is no
  /// ``SearchError``.
  public let errorCode: SearchError.Code?
  /// How long the call took, on the transport's clock.
  public let duration: Duration

  init(_ outcome: Result<TransportResponse, any Error>, after duration: Duration) {
    self.duration = duration
    switch outcome {
    case .success(let response):
      status = response.status
      bodyBytes = response.body.count
      correlationID = response.headers.firstValue(named: "Correlation-ID")
      origin = response.origin
      errorCode = nil
    case .failure(let error):
      let searchError = error as? SearchError
      status = searchError?.status
      bodyBytes = 0
      correlationID = searchError?.correlationID
      origin = nil
      errorCode = searchError?.code ?? (error is CancellationError ? .cancelled : .transport)
    }
  }
}
