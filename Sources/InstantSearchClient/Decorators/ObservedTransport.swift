/// Reports every call of another transport to an observer, for logs, metrics and traces.
///
/// ```swift
/// let transport = ObservedTransport(
///   wrapping: network,
///   observer: .init(ended: { call, completion in
///     log.info("\(call.request) \(completion.status ?? 0) \(completion.duration)")
///   }))
/// ```
///
/// ## Behavior
///
/// - The observer's `ended` closure runs exactly once for each call that begins, even if the call
///   fails or is cancelled.
/// - The observer runs in the caller's task, sees its task-local values, and is called without any
///   lock held. The call waits for it.
/// - The observer receives nothing secret: no headers, query items, bodies or error messages.
/// - The transport prints nothing and stores nothing.
public struct ObservedTransport: SearchTransport {
  /// Closures that run at the beginning and at the end of each call. They do nothing by default.
  public struct Observer: Sendable {
    /// Returns headers to add to a call before it begins, such as `traceparent`. Headers that the
    /// call already has are kept.
    public var headers: @Sendable (ObservedCall) -> [HTTPHeader]
    /// Runs when a call begins.
    public var began: @Sendable (ObservedCall) -> Void
    /// Runs when a call has ended.
    public var ended: @Sendable (ObservedCall, ObservedCompletion) -> Void

    /// Creates an observer. Every closure does nothing by default.
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
  /// Whether calls of the wrapped transport end in time.
  public var isPrompt: Bool { base.isPrompt }
  private let observer: Observer
  private let clock: AnyClock
  /// Numbers the calls of the transport and of its copies.
  private let calls = Counter<UInt64>(from: 1)

  /// Creates a transport that reports the calls of another transport.
  ///
  /// - Parameters:
  ///   - base: The transport that answers the calls.
  ///   - observer: The observer of the calls.
  ///   - clock: The clock that measures how long calls take. Defaults to `ContinuousClock`.
  public init(
    wrapping base: some SearchTransport, observer: Observer,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.base = base
    self.observer = observer
    self.clock = AnyClock(clock)
  }

  /// Answers a call with the wrapped transport and reports it to the observer.
  ///
  /// - Throws: The error of the wrapped transport.
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

/// Describes a call that begins.
///
/// It contains nothing secret if the caller follows the contract: the request ID is the only
/// header, and the path is without keys and user tokens. Index names and request IDs are reported
/// as the caller wrote them, so do not put keys or personal data into them.
public struct ObservedCall: Sendable, Hashable, Identifiable {
  /// The number of the call, counted from 1 for each transport.
  public let id: UInt64
  /// The method and the path, as `TransportRequest` describes itself, without keys.
  public let request: String
  /// Whether the call reads or writes.
  public let callType: Endpoint.CallType
  /// The index in the path, as the caller named it; `nil` for a call to several indices or to none.
  public let indexName: String?
  /// The length of the body in bytes.
  public let bodyBytes: Int
  /// The value of the call's `Request-ID` header, if it has one. No other header is reported.
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

/// How a call completed, without anything secret.
public struct ObservedCompletion: Sendable, Hashable {
  /// The status of the response; `nil` without a response.
  public let status: Int?
  /// The length of the response body in bytes; 0 without a response.
  public let bodyBytes: Int
  /// The `Correlation-ID` of the response, to quote to the provider's support.
  public let correlationID: String?
  /// The transport that produced the response, if known.
  public let origin: ResponseOrigin?
  /// The code of the error, if the call threw one. It is `SearchError.Code.transport` for an error
  /// that is not a `SearchError`.
  public let errorCode: SearchError.Code?
  /// The duration of the call, on the transport's clock.
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
