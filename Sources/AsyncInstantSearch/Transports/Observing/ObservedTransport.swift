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
    public var ended: @Sendable (ObservedCall, ObservedEnding) -> Void

    /// Creates an observer; every part does nothing by default.
    public init(
      headers: @escaping @Sendable (ObservedCall) -> [HTTPHeader] = { _ in [] },
      began: @escaping @Sendable (ObservedCall) -> Void = { _ in },
      ended: @escaping @Sendable (ObservedCall, ObservedEnding) -> Void = { _, _ in }
    ) {
      self.headers = headers
      self.began = began
      self.ended = ended
    }
  }

  private let base: any SearchTransport
  private let observer: Observer
  private let clock: ErasedClock
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
    self.clock = ErasedClock(clock)
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
    observer.ended(call, ObservedEnding(outcome, after: clock.now() - start))
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
