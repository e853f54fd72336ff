/// Owns the lock and the timer of a rate limit; who has a turn is decided by its machine.
final class RateStorage: Sendable {
  private let clock: ErasedClock
  private let executor: (any TaskExecutor)?
  private let machine: Lock<RateMachine>

  init(_ machine: RateMachine, clock: ErasedClock, executor: (any TaskExecutor)?) {
    self.clock = clock
    self.executor = executor
    self.machine = Lock(machine)
  }

  /// How many calls wait for their first turn.
  var waitingCalls: Int { machine.withLock { $0.waitingCalls } }

  /// Whether a timer runs.
  var hasTimer: Bool { machine.withLock { $0.hasTimer } }

  /// Makes a call when it has its turn, and again when it was refused and may try again.
  func answer(
    _ request: TransportRequest, in lane: String, from base: any SearchTransport
  ) async throws -> TransportResponse {
    var caller = RateMachine.Caller()
    let ticket = change { [caller] machine, now in machine.arrive(in: lane, caller, now: now) }
    var refusal: TransportResponse?
    while true {
      do {
        let mayBegin = try await caller.value(until: request.deadline, executor: executor)
        if !mayBegin, let refusal { return refusal }
      } catch {
        change { machine, now in ((), machine.leave(ticket, now: now)) }
        throw error
      }
      let response: TransportResponse
      do {
        response = try await base.send(request)
      } catch {
        change { machine, now in ((), machine.end(ticket, isAnswered: false, now: now)) }
        throw error
      }
      guard response.status == 429 else {
        change { machine, now in ((), machine.end(ticket, isAnswered: true, now: now)) }
        return response
      }
      let next = RateMachine.Caller()
      let retryAfter = response.retryAfter
      let remaining = request.deadline?.remaining
      let triesAgain = change { machine, now in
        machine.refuse(ticket, retryAfter: retryAfter, remaining: remaining, next, now: now)
      }
      if !triesAgain { return response }
      (caller, refusal) = (next, response)
    }
  }

  /// Changes the machine, and does what is to be done after the lock.
  @discardableResult
  private func change<Result: Sendable>(
    _ change: (inout RateMachine, _ now: Duration) -> (Result, RateMachine.Turn)
  ) -> Result {
    let now = clock.now()
    let (result, turn) = machine.withLock { change(&$0, now) }
    for (caller, word) in turn.told { caller.settle(word) }
    turn.cancelled?.cancel()
    if let (number, end) = turn.timer { startTimer(number, until: end) }
    return result
  }

  private func startTimer(_ number: UInt64, until end: Duration) {
    let timer = Task(executorPreference: executor) {
      do {
        try await self.clock.sleepUntil(end)
      } catch {
        return
      }
      self.change { machine, now in ((), machine.wake(number, now: now)) }
    }
    let isNeeded = machine.withLock { $0.attach(timer, toTimer: number) }
    if !isNeeded { timer.cancel() }
  }
}
