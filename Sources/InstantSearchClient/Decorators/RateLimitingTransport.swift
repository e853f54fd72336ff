/// Limits the rate of calls to the limits of a service, and queues callers fairly.
///
/// To send fewer requests, wrap it in a ``BatchingTransport`` or a ``CachingTransport``.
///
/// ```swift
/// let transport = RateLimitingTransport(wrapping: network, requestsPerSecond: 100) { request in
///   request.headers.firstValue(named: "X-Tenant") ?? ""
/// }
/// ```
///
/// ## Behavior
///
/// - Calls within the rate start at once, and so does a burst after a period without calls. Other
///   calls wait. The number of concurrent calls can be limited as well.
/// - Callers wait in lanes. The calls of a lane are served in order of arrival, and the lanes
///   round-robin, so a tenant that floods its lane does not starve others.
/// - The number of waiting callers is limited. When the queue is full, the newest call of the
///   longest lane fails at once with an error of code `rateLimited`. If the lane of the arriving
///   call is as long as any other, that is the arriving call. A tenant that fills the queue
///   therefore leaves slots for others.
/// - A caller that is cancelled or whose deadline passes stops waiting, and its slot is free.
/// - When the service rejects a call with status 429, the calls of its lane pause, and other lanes
///   continue: a service counts the calls of each key. The pause is the time in `Retry-After`,
///   given in seconds or as a date, but not longer than `maximumPause`. Without that header it is 1
///   s, and twice as long each time until a call of the lane gets a response; an error or a
///   cancellation is not a response. The rejected call is retried before all others, up to
///   `maximumRetries` times. Then its caller receives the rejection. A caller whose deadline is
///   before the end of the pause receives it at once, even if the rejection of another call
///   extended the pause.
///
/// No task runs while no call waits. Adding, removing and admitting a call take constant time,
/// regardless of the number of waiting calls. With rejected calls, they take time in proportion to
/// the number of rejected calls, which is at most the number of calls that were in flight at once,
/// and of lanes that pause.
public final class RateLimitingTransport: SearchTransport {
  private let base: any SearchTransport
  /// Whether calls of the wrapped transport end in time.
  public var isPrompt: Bool { base.isPrompt }
  private let lane: @Sendable (TransportRequest) -> String
  private let driver: RateLimitDriver

  /// Creates a transport that limits the rate of calls to another transport.
  ///
  /// - Parameters:
  ///   - base: The transport that answers the calls.
  ///   - requestsPerSecond: The number of calls per second, at least 1.
  ///   - burst: The number of calls that start at once after a period without calls, at least 1.
  ///     Defaults to `requestsPerSecond`.
  ///   - maximumConcurrentCalls: The maximum number of concurrent calls, at least 1. Defaults to no
  ///     limit.
  ///   - maximumWaitingCalls: The maximum number of waiting callers. Defaults to 10,000. With 0, a
  ///     call starts at once or fails.
  ///   - maximumRetries: The maximum number of retries of a rejected call. Defaults to 2.
  ///   - maximumPause: The maximum length of a pause. Defaults to 60 s.
  ///   - clock: The clock that measures the times. Defaults to `ContinuousClock`.
  ///   - executor: The executor that runs the timers. Defaults to the global one.
  ///   - lane: Returns the lane in which a call waits. Defaults to one lane for all calls.
  public init(
    wrapping base: some SearchTransport,
    requestsPerSecond: Int,
    burst: Int? = nil,
    maximumConcurrentCalls: Int? = nil,
    maximumWaitingCalls: Int = 10_000,
    maximumRetries: Int = 2,
    maximumPause: Duration = .seconds(60),
    clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil,
    lane: @escaping @Sendable (TransportRequest) -> String = { _ in "" }
  ) {
    self.base = base
    self.lane = lane
    let rate = max(1, requestsPerSecond)
    let pause = max(.zero, Deadline.bounded(maximumPause))
    driver = RateLimitDriver(
      RateLimitStateMachine(
        RateLimitStateMachine.Limits(
          interval: .seconds(1) / rate, burst: max(1, burst ?? rate),
          concurrentCalls: max(1, maximumConcurrentCalls ?? .max),
          waitingCalls: max(0, maximumWaitingCalls), retries: max(0, maximumRetries),
          firstPause: min(.seconds(1), pause), longestPause: pause)),
      clock: AnyClock(clock), executor: executor)
  }

  /// The number of callers that wait to be admitted for the first time.
  public var waitingCalls: Int { driver.waitingCalls }

  /// Whether a timer is running.
  package var hasTimer: Bool { driver.hasTimer }

  /// Answers a call once it is admitted; see ``RateLimitingTransport``.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, also while waiting. `SearchError` of
  ///   code `timedOut` if the deadline passes, and of code `rateLimited` if the queue is full and
  ///   this call is the newest of the longest lane. Otherwise the error of the wrapped transport.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkNotCancelledOrExpired()
    return try await driver.answer(request, in: lane(request), from: base)
  }
}

extension RateLimitingTransport: CustomStringConvertible, CustomReflectable {
  /// The number of waiting callers.
  public var description: String { "RateLimitingTransport(\(waitingCalls) calls wait)" }

  /// A mirror of the description, without lanes, whose names may be secret.
  public var customMirror: Mirror { Mirror(self, children: ["waitingCalls": waitingCalls]) }
}

/// Owns the lock and the timer of a rate limit. The state machine decides which call is admitted.
final class RateLimitDriver: StateMachineDriver {
  private let clock: AnyClock
  private let executor: (any TaskExecutor)?
  let machine: SharedStateMachine<RateLimitStateMachine>

  init(_ machine: RateLimitStateMachine, clock: AnyClock, executor: (any TaskExecutor)?) {
    self.clock = clock
    self.executor = executor
    self.machine = SharedStateMachine(machine, executor: executor)
  }

  /// The time of an event, which is read before the lock is taken.
  private var now: Duration { clock.now() }

  /// The number of calls that wait to be admitted for the first time.
  var waitingCalls: Int { machine.read { $0.waitingCalls } }

  /// Whether a timer is running.
  var hasTimer: Bool { machine.read { $0.hasTimer } }

  /// Makes a call when it is admitted, and again if it was rejected and may be retried.
  func answer(
    _ request: TransportRequest, in lane: String, from base: any SearchTransport
  ) async throws -> TransportResponse {
    var caller = RateLimitStateMachine.Caller()
    let callID = send { [caller, now] in $0.callArrived(in: lane, caller, now: now) }
    var refusal: TransportResponse?
    while true {
      do {
        let mayBegin = try await caller.value(until: request.deadline, executor: executor)
        if !mayBegin, let refusal { return refusal }
      } catch {
        send { [now] in $0.callerLeft(callID, now: now) }
        throw error
      }
      let response: TransportResponse
      do {
        response = try await base.send(request)
      } catch {
        send { [now] in $0.callEnded(callID, isAnswered: false, now: now) }
        throw error
      }
      guard response.status == 429 else {
        send { [now] in $0.callEnded(callID, isAnswered: true, now: now) }
        return response
      }
      let next = RateLimitStateMachine.Caller()
      let retryAfter = response.retryAfter
      let remaining = request.deadline?.remaining
      let willRetry = send { [now] in
        $0.callRefused(callID, retryAfter: retryAfter, remaining: remaining, next, now: now)
      }
      if !willRetry { return response }
      (caller, refusal) = (next, response)
    }
  }

  func perform(_ action: RateLimitStateMachine.Action) {
    switch action {
    case .resume(let caller, let result): caller.fulfill(with: result)
    case .cancelTimer(let number): machine.tasks.cancel(number)
    case .startTimer(let number, let end): startTimer(number, until: end)
    }
  }

  private func startTimer(_ number: UInt64, until end: Duration) {
    machine.tasks.start(number) {
      guard await self.clock.waitUntil(end) else { return }
      self.send { [now = self.now] in $0.timerFired(number, now: now) }
    }
  }
}
