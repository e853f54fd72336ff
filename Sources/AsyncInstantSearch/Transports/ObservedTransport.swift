/// Tells an observer of every call of another transport: for logs, metrics and traces.
///
/// ```swift
/// let transport = ObservedTransport(
///   wrapping: network,
///   observer: .init(ended: { call, ending in
///     log.info("\(call.request) \(ending.status ?? 0) \(ending.duration)")
///   }))
/// ```
///
/// ## Behavior
///
/// - Each call that begins ends exactly once for the observer, also when it is cancelled or fails.
/// - The observer is called in the task of the caller, whose task-local values it sees, and without
///   any lock. The call waits for it.
/// - It learns nothing secret: no headers, no query items, no bodies, no message of an error.
/// - Nothing is printed and nothing is kept.
public struct ObservedTransport: SearchTransport {
  /// What is to happen at the beginning and at the end of a call; nothing by default.
  public struct Observer: Sendable {
    /// Headers to add to a call before it begins, such as `traceparent`; those that it has stay.
    public var headers: @Sendable (ObservedCall) -> [HTTPHeader]
    /// A call begins.
    public var began: @Sendable (ObservedCall) -> Void
    /// A call has ended.
    public var ended: @Sendable (ObservedCall, ObservedCompletion) -> Void

    /// Creates an observer; every part does nothing by default.
    public init(
      headers: @escaping @Sendable (ObservedCall) -> [HTTPHeader] = { _ in [] },
      began: @escaping @Sendable (ObservedCall) -> Void = { _ in },
      ended: @escaping @Sendable (ObservedCall, ObservedCompletion) -> Void = { _, _ in }
    ) {
      self.headers = headers
      self.began = began
      self.ended = ended
    }
  }

  private let base: any SearchTransport
  private let observer: Observer
  private let clock: AnyClock
  private let calls = CallCounter()

  /// Wraps `base`.
  ///
  /// - Parameters:
  ///   - base: Answers the calls.
  ///   - observer: Is told of them.
  ///   - clock: Measures how long they take; a continuous clock by default.
  public init(
    wrapping base: some SearchTransport, observer: Observer,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.base = base
    self.observer = observer
    self.clock = AnyClock(clock)
  }

  /// Answers a call, and tells the observer of it.
  ///
  /// - Throws: What the wrapped transport throws.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let call = ObservedCall(request, id: calls.next())
    var request = request
    for header in observer.headers(call)
    where request.headers.firstValue(named: header.name) == nil {
      request.headers.append(header)
    }
    observer.began(call)
    let start = clock.now()
    let outcome: Result<TransportResponse, any Error>
    do {
      outcome = .success(try await base.send(request))
    } catch {
      outcome = .failure(error)
    }
    observer.ended(call, ObservedCompletion(outcome, after: clock.now() - start))
    return try outcome.get()
  }
}

/// Numbers the calls of a transport, of which there may be copies.
private final class CallCounter: Sendable {
  private let count = Lock<UInt64>(0)

  func next() -> UInt64 {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

/// What an observer learns of a call that begins.
///
/// Nothing in it is secret, as far as the caller keeps to the contract: of all headers only the ID
/// of the request is told, and of the path all but keys and user tokens. What a caller writes into
/// an index name or a request ID is told as it is, so neither is a place for a key or for personal
/// data.
public struct ObservedCall: Sendable, Hashable, Identifiable {
  /// The number of the call, counted from 1 in each transport.
  public let id: UInt64
  /// The method and the path, as `TransportRequest` describes itself: keys in it are not shown.
  public let request: String
  /// Read or write.
  public let callType: TransportRequest.CallType
  /// The index in the path, as the caller named it; `nil` for a call to several indices or to none.
  public let indexName: String?
  /// The length of the body.
  public let bodyBytes: Int
  /// The value of the call's `Request-ID` header, if the caller gave it one; no other header is
  /// told.
  public let requestID: String?

  package init(_ request: TransportRequest, id: UInt64) {
    self.id = id
    self.request = request.description
    callType = request.callType
    indexName = request.endpoint.indexName
    bodyBytes = request.body.count
    requestID = request.headers.firstValue(named: "Request-ID")
  }
}

/// How a call ended, as an observer learns of it; nothing in it is secret.
public struct ObservedCompletion: Sendable, Hashable {
  /// The status of the answer; `nil` when there was none.
  public let status: Int?
  /// The length of the answer's body; 0 when there was none.
  public let bodyBytes: Int
  /// The answer's `Correlation-ID`, to be quoted to the provider's support.
  public let correlationID: String?
  /// Who answered, where the transport tells.
  public let origin: ResponseOrigin?
  /// Why there was no answer; `SearchError.Code.transport` for an error that is no
  /// `SearchError`.
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
