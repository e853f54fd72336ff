/// Decides which calls go to a transport that may be down: a value without time, tasks and locks.
///
/// Every change of the state begins a new epoch. A call's end counts only in the epoch in which it
/// began, so what a late call says of an earlier time changes nothing. But a try that succeeds
/// closes the circuit however late: the transport has answered since the circuit opened, and one
/// that always takes longer than a try may would never be asked again.
package struct CircuitBreaker: Sendable {
  /// What a call may do.
  package enum Decision: Sendable, Hashable {
    /// Ask the transport, and tell how that ended.
    case allow(Permit)
    /// Do not ask it.
    case reject
  }

  /// The permission to ask, which tells when it was given.
  package struct Permit: Sendable, Hashable {
    fileprivate let epoch: UInt64
    /// For a try, which opening of the circuit it may end.
    fileprivate let opening: UInt64?
  }

  /// How a call that was allowed to ask has ended.
  package enum Outcome: Sendable, Hashable {
    case succeeded
    case failed
    /// The caller gave it up, or a cache answered, which says nothing of the transport.
    case ignored
    /// The caller had too little time for the transport to be blamed. A try that ends so may have
    /// met a transport that hangs, so the next is not made at once.
    case cutShort
  }

  private enum State: Sendable, Hashable {
    /// Every call may ask.
    case closed(failures: Int)
    /// None may until then.
    case open(until: Duration)
    /// One does, and the others avoid it until that one has ended, or has had its time.
    case halfOpen(until: Duration)
  }

  private let failureThreshold: Int
  private let openDuration: Duration
  private let maximumOpenDuration: Duration
  /// How long a try may take before another call makes the next; at least a second, for without a
  /// pause every call would be a try.
  private let probeTimeout: Duration

  private var state = State.closed(failures: 0)
  private var epoch: UInt64 = 0
  /// How often the circuit has been opened after it was closed.
  private var openings: UInt64 = 0
  /// How long the circuit is open the next time.
  private var currentOpenDuration: Duration

  /// Creates a breaker that lets every call through.
  ///
  /// - Parameters:
  ///   - failureThreshold: How many failures in a row open the circuit; at least 1.
  ///   - openDuration: How long it is open before one call may try; also after how long another one
  ///     may if the first has not ended, then at least a second.
  ///   - maximumOpenDuration: To what that time grows, doubled at each try that fails.
  package init(failureThreshold: Int, openDuration: Duration, maximumOpenDuration: Duration) {
    self.failureThreshold = max(1, failureThreshold)
    self.openDuration = max(.zero, Deadline.bounded(openDuration))
    self.maximumOpenDuration = max(self.openDuration, Deadline.bounded(maximumOpenDuration))
    probeTimeout = max(self.openDuration, .seconds(1))
    currentOpenDuration = self.openDuration
  }

  /// The state as it is shown.
  package var circuitState: FallbackTransport.CircuitState {
    switch state {
    case .closed: .closed
    case .open: .open
    case .halfOpen: .halfOpen
    }
  }

  /// A call begins.
  package mutating func begin(now: Duration) -> Decision {
    switch state {
    case .closed: return .allow(Permit(epoch: epoch, opening: nil))
    case .open(let end), .halfOpen(let end):
      if now < end { return .reject }
      // In a new epoch, so that the failure of a try that took too long counts no more.
      enter(.halfOpen(until: now + probeTimeout))
      return .allow(Permit(epoch: epoch, opening: openings))
    }
  }

  /// A call that was allowed to ask has ended.
  package mutating func end(_ permit: Permit, _ outcome: Outcome, now: Duration) {
    if outcome == .succeeded, permit.opening == openings, circuitState != .closed {
      return enter(.closed(failures: 0))
    }
    guard permit.epoch == epoch else { return }
    switch (state, outcome) {
    case (.closed(let failures), .failed) where failures + 1 >= failureThreshold:
      currentOpenDuration = openDuration
      openings += 1
      enter(.open(until: now + currentOpenDuration))
    case (.closed(let failures), .failed): state = .closed(failures: failures + 1)
    case (.closed, .succeeded): state = .closed(failures: 0)
    case (.halfOpen, .failed):
      currentOpenDuration = min(currentOpenDuration * 2, maximumOpenDuration)
      enter(.open(until: now + currentOpenDuration))
    // The try is still to be made, by the next call.
    case (.halfOpen, .ignored): enter(.open(until: now))
    case (.halfOpen, .cutShort): enter(.open(until: now + currentOpenDuration))
    case (.closed, .ignored), (.closed, .cutShort), (.halfOpen, .succeeded), (.open, _): break
    }
  }

  private mutating func enter(_ state: State) {
    self.state = state
    epoch += 1
  }
}

/// A circuit breaker that calls share, and whose state can be watched.
final class SharedCircuitBreaker: Sendable {
  private let clock: AnyClock
  private let breaker: Lock<CircuitBreaker>
  let circuitStates: StreamHub<FallbackTransport.CircuitState>

  /// The time on the clock by which calls are counted.
  var now: Duration { clock.now() }

  init(_ breaker: CircuitBreaker, clock: AnyClock) {
    self.clock = clock
    self.breaker = Lock(breaker)
    circuitStates = StreamHub(initial: breaker.circuitState, replaysCurrent: true, areEqual: ==)
  }

  var circuitState: FallbackTransport.CircuitState { breaker.withLock { $0.circuitState } }

  func begin() -> CircuitBreaker.Decision {
    change { breaker, now in breaker.begin(now: now) }
  }

  func end(_ permit: CircuitBreaker.Permit, _ outcome: CircuitBreaker.Outcome) {
    change { breaker, now in breaker.end(permit, outcome, now: now) }
  }

  /// Changes the state and publishes it: in the order of changes under the lock, to the subscribers
  /// after it.
  private func change<Result: Sendable>(
    _ change: (inout CircuitBreaker, _ now: Duration) -> Result
  ) -> Result {
    let now = clock.now()
    let (result, delivery) = breaker.withLock { breaker in
      let result = change(&breaker, now)
      return (result, circuitStates.stage(breaker.circuitState))
    }
    delivery.perform()
    return result
  }
}
