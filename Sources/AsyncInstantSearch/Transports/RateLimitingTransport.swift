/// Makes no more calls than a service allows, and lets its callers wait in a fair order.
///
/// ```swift
/// let transport = RateLimitingTransport(wrapping: network, requestsPerSecond: 100) { request in
///   request.headers.firstValue(named: "X-Tenant") ?? ""
/// }
/// ```
///
/// ## Behavior
///
/// - Calls that do not come faster than the rate are made at once, and so is a burst after a rest.
///   Others wait. There may be a limit on calls at the same time as well.
/// - Callers wait in lanes: within one they have their turns in the order in which they came, and
///   the lanes have theirs one after the other. So a tenant who floods his lane does not starve
///   others.
/// - Only so many callers may wait. When the next one would have to, the newest of the longest lane
///   has an error of code `rateLimited` at once: the one that comes if his lane is as long as any.
///   So a tenant who fills the room leaves others their places in it.
/// - A caller who is cancelled, or whose deadline passes, waits no longer, and his place is free.
/// - When the service refuses a call with status 429, all calls pause: for as long as `Retry-After`
///   says, in seconds or as a date, but not beyond `maximumPause`; without it for a second, and for
///   twice as long each time until a call is answered; an error or a cancellation is no answer. The
///   refused call is tried again before all others, up to `maximumRetries` times; then its caller
///   receives the refusal. A caller whose deadline comes before the end of the pause receives it at
///   once, also when it was another call's refusal that made the pause so long.
///
/// No task runs while nobody waits. Coming, leaving and having a turn take constant time, whatever
/// the number of those who wait; only with refused calls, of which there are no more than were
/// under way at once, they take time in proportion to their number.
public final class RateLimitingTransport: SearchTransport {
  private let base: any SearchTransport
  private let lane: @Sendable (TransportRequest) -> String
  private let driver: RateLimitDriver

  /// Wraps `base`.
  ///
  /// - Parameters:
  ///   - base: Answers the calls.
  ///   - requestsPerSecond: How many calls are made in a second, at least 1.
  ///   - burst: How many calls are made at once after a rest, at least 1; by default those of a
  ///     second.
  ///   - maximumConcurrentCalls: How many calls are under way at the same time, at least 1; as many
  ///     as there are by default.
  ///   - maximumWaitingCalls: How many callers may wait; 10,000 by default. With 0 none does: a
  ///     call is made at once or not at all.
  ///   - maximumRetries: How often a refused call is tried again; 2 by default.
  ///   - maximumPause: How long a pause may be; a minute by default.
  ///   - clock: Measures the times; a continuous clock by default.
  ///   - executor: Runs the timers; the global one by default.
  ///   - lane: In which lane a call waits; all in the same by default.
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

  /// How many callers wait for their first turn now.
  public var waitingCalls: Int { driver.waitingCalls }

  /// Whether a timer runs.
  package var hasTimer: Bool { driver.hasTimer }

  /// Answers a call when it has its turn; see ``RateLimitingTransport``.
  ///
  /// - Throws: `CancellationError`, also while waiting, when the task is cancelled; `SearchError`
  ///   of code `timedOut` when the deadline passes, and of code `rateLimited` when too many wait,
  ///   of whom this call is the newest in the longest lane; what the wrapped transport throws.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkNotCancelledOrExpired()
    return try await driver.answer(request, in: lane(request), from: base)
  }
}

extension RateLimitingTransport: CustomStringConvertible, CustomReflectable {
  /// How many callers wait.
  public var description: String { "RateLimitingTransport(\(waitingCalls) calls wait)" }

  /// A mirror of what the description shows; lanes may be named by secrets.
  public var customMirror: Mirror { Mirror(self, children: ["waitingCalls": waitingCalls]) }
}

/// Owns the lock and the timer of a rate limit; who has a turn is decided by its machine.
final class RateLimitDriver: Sendable {
  private let clock: AnyClock
  private let executor: (any TaskExecutor)?
  private let machine: Lock<RateLimitStateMachine>
  private let timers: TaskBag<UInt64>

  init(_ machine: RateLimitStateMachine, clock: AnyClock, executor: (any TaskExecutor)?) {
    self.clock = clock
    self.executor = executor
    self.machine = Lock(machine)
    timers = TaskBag(executor: executor)
  }

  /// How many calls wait for their first effects.
  var waitingCalls: Int { machine.withLock { $0.waitingCalls } }

  /// Whether a timer runs.
  var hasTimer: Bool { machine.withLock { $0.hasTimer } }

  /// Makes a call when it has its turn, and again when it was refused and may try again.
  func answer(
    _ request: TransportRequest, in lane: String, from base: any SearchTransport
  ) async throws -> TransportResponse {
    var caller = RateLimitStateMachine.Caller()
    let callID = change { [caller] machine, now in machine.enqueue(in: lane, caller, now: now) }
    var refusal: TransportResponse?
    while true {
      do {
        let mayBegin = try await caller.value(until: request.deadline, executor: executor)
        if !mayBegin, let refusal { return refusal }
      } catch {
        change { machine, now in ((), machine.leave(callID, now: now)) }
        throw error
      }
      let response: TransportResponse
      do {
        response = try await base.send(request)
      } catch {
        change { machine, now in ((), machine.end(callID, isAnswered: false, now: now)) }
        throw error
      }
      guard response.status == 429 else {
        change { machine, now in ((), machine.end(callID, isAnswered: true, now: now)) }
        return response
      }
      let next = RateLimitStateMachine.Caller()
      let retryAfter = response.retryAfter
      let remaining = request.deadline?.remaining
      let willRetry = change { machine, now in
        machine.rateLimited(callID, retryAfter: retryAfter, remaining: remaining, next, now: now)
      }
      if !willRetry { return response }
      (caller, refusal) = (next, response)
    }
  }

  /// Changes the machine, and does what is to be done after the lock.
  @discardableResult
  private func change<Result: Sendable>(
    _ change: (inout RateLimitStateMachine, _ now: Duration) -> (
      Result, RateLimitStateMachine.Effects
    )
  ) -> Result {
    let now = clock.now()
    let (result, effects) = machine.withLock { machine in
      let (result, effects) = change(&machine, now)
      if let (number, _) = effects.timer { timers.reserve(number) }
      return (result, effects)
    }
    for (caller, result) in effects.results { caller.fulfill(with: result) }
    if let number = effects.cancelled { timers.cancel(number) }
    if let (number, end) = effects.timer { startTimer(number, until: end) }
    return result
  }

  private func startTimer(_ number: UInt64, until end: Duration) {
    timers.start(number) {
      do {
        try await self.clock.sleepUntil(end)
      } catch {
        return
      }
      self.change { machine, now in ((), machine.timerFired(number, now: now)) }
    }
  }
}
