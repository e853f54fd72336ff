/// A circuit breaker that calls share, and whose state can be watched.
final class SharedBreaker: Sendable {
  private let clock: ErasedClock
  private let breaker: Lock<CircuitBreaker>
  let circuits: StreamHub<FallbackTransport.Circuit>

  /// The time on the clock by which calls are counted.
  var now: Duration { clock.now() }

  init(_ breaker: CircuitBreaker, clock: ErasedClock) {
    self.clock = clock
    self.breaker = Lock(breaker)
    circuits = StreamHub(initial: breaker.circuit, replaysCurrent: true, areEqual: ==)
  }

  var circuit: FallbackTransport.Circuit { breaker.withLock { $0.circuit } }

  func begin() -> CircuitBreaker.Decision {
    change { breaker, now in breaker.begin(now: now) }
  }

  func end(_ ticket: CircuitBreaker.Ticket, _ ending: CircuitBreaker.Ending) {
    change { breaker, now in breaker.end(ticket, ending, now: now) }
  }

  /// Changes the state and publishes it: in the order of changes under the lock, to the subscribers
  /// after it.
  private func change<Result: Sendable>(
    _ change: (inout CircuitBreaker, _ now: Duration) -> Result
  ) -> Result {
    let now = clock.now()
    let (result, delivery) = breaker.withLock { breaker in
      let result = change(&breaker, now)
      return (result, circuits.stage(breaker.circuit))
    }
    delivery.perform()
    return result
  }
}
