/// Makes single attempts at hosts, and reports them.
package struct HostAttempts: Sendable {
  private let exchange: HTTPExchange
  private let onAttempt: (@Sendable (AttemptReport) -> Void)?
  private let clock: any Clock<Duration>
  private let time: AnyClock

  /// Creates attempts with the exchange, the clock and the reports of a configuration.
  package init(_ configuration: HostCaller.Configuration) {
    exchange = configuration.exchange
    onAttempt = configuration.onAttempt
    clock = configuration.clock
    time = AnyClock(configuration.clock)
  }

  /// Makes one attempt that ends no later than its timeout and the call's deadline.
  ///
  /// - Returns: The outcome, and the duration of the attempt.
  package func make(
    _ call: PreparedCall, at host: SearchHost, timeout: Duration, connectTimeout: Duration
  ) async -> (outcome: AttemptOutcome, duration: Duration) {
    let start = time.now()
    let timer = Deadline(after: timeout, clock: clock)
    let remaining = max(call.deadline.remaining, .nanoseconds(1))
    let request = call.request(
      to: host, timeout: min(timeout, remaining),
      connectTimeout: min(connectTimeout, timeout, remaining))
    var contenders: [@concurrent @Sendable () async -> AttemptOutcome?] = [
      { [exchange] in await AttemptOutcome(of: exchange, answering: request) },
      { await timer.waitUntilPassed() ? .failed(.timedOut(after: timeout)) : nil },
    ]
    if call.deadlineMayPass(within: timeout) {
      contenders.append { await call.deadline.waitUntilPassed() ? .deadlinePassed : nil }
    }
    var outcome = await Race.first(of: contenders, onCancel: .cancelled)
    // If the task is cancelled or the deadline passes as the attempt ends, that decides.
    if Task.isCancelled {
      outcome = .cancelled
    } else {
      switch outcome {
      case .answered, .failed: if call.deadline.hasPassed { outcome = .deadlinePassed }
      case .refused, .deadlinePassed, .cancelled: break
      }
    }
    return (outcome, time.now() - start)
  }

  /// Reports an attempt.
  package func report(
    _ outcome: AttemptOutcome, of call: PreparedCall, at host: SearchHost, number: Int,
    timeout: Duration, duration: Duration
  ) {
    onAttempt?(
      call.report(outcome, at: host, number: number, timeout: timeout, duration: duration))
  }
}
