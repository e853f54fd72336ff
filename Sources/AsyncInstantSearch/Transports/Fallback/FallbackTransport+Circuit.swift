extension FallbackTransport {
  /// Whether the primary transport is asked.
  public enum Circuit: Sendable, Hashable {
    /// Every call asks it.
    case closed
    /// It failed too often and is left alone for a while; the fallback answers.
    case open
    /// One call tries whether it is back; the fallback answers the others.
    case halfOpen
  }

  /// The present state.
  public var circuit: Circuit { breaker.circuit }

  /// The state and each later one, as a stream: the present state first, and no state twice in a
  /// row.
  ///
  /// A screen that is to say "offline" says it for every state but ``Circuit/closed``. Leaving the
  /// loop ends the subscription; the stream ends with the transport.
  public func circuits(buffering: StreamBuffering = .newest(1)) -> AsyncStream<Circuit> {
    breaker.circuits.stream(buffering: buffering)
  }

  /// The state and each later one, as a stream: the present state first, and no state twice in a
  /// row.
  public var circuits: AsyncStream<Circuit> { circuits() }

  /// Whether an outcome of the primary transport is a failure, if nothing else is said: an answer
  /// of status 429 or 5xx, and every error but those of a wrong request, of a cancellation and of
  /// storage.
  ///
  /// An error of code `decoding` is one: a transport that reads answers, such as
  /// ``BatchingTransport``, has been given something else than the service's, the page of a proxy
  /// for example.
  @Sendable
  public static func isFailure(_ outcome: Result<TransportResponse, any Error>) -> Bool {
    switch outcome {
    case .success(let response): return response.status == 429 || response.status >= 500
    case .failure(let error):
      guard let code = (error as? SearchError)?.code else { return !(error is CancellationError) }
      return [.unreachable, .timedOut, .transport, .server, .rateLimited, .decoding]
        .contains(code)
    }
  }
}
