/// Decides which calls may use a transport that may be down: a value without clock, tasks and
/// locks. An event returns a decision instead of actions, because there is nothing to perform.
///
/// Every change of the state begins a new epoch. The outcome of a call counts only in the epoch in
/// which the call began, so a late outcome changes nothing. A probe that succeeds is the
/// exception: it closes the circuit even if it is late, because the transport has answered since
/// the circuit opened. Otherwise a transport that always takes longer than a probe may would never
/// be used again.
package struct CircuitBreaker: Sendable {
  /// Whether a call may use the transport.
  package enum Decision: Sendable, Hashable {
    /// Use the transport and report the outcome.
    case allow(Permit)
    /// Do not use the transport.
    case reject
  }

  /// Permission to use the transport, tagged with the breaker's epoch.
  package struct Permit: Sendable, Hashable {
    fileprivate let epoch: UInt64
    /// For a probe, the opening of the circuit that it may end.
    fileprivate let opening: UInt64?
  }

  /// The outcome of a permitted call.
  package enum Outcome: Sendable, Hashable {
    case succeeded
    case failed
    /// The caller cancelled the call, or a cache answered it. Neither says anything about the
    /// transport.
    case ignored
    /// The caller's deadline was too short to count against the transport. The transport of a probe
    /// that ends this way may hang, so the next probe is delayed.
    case cutShort
  }

  private enum State: Sendable, Hashable {
    /// Every call is permitted.
    case closed(failures: Int)
    /// No call is permitted until the given time.
    case open(until: Duration)
    /// One call probes the transport. The others are rejected until it ends or the given time
    /// passes.
    case halfOpen(until: Duration)
  }

  private let failureThreshold: Int
  private let openDuration: Duration
  private let maximumOpenDuration: Duration
  /// The time that a probe has before another call becomes the next probe. It is at least 1 s,
  /// because without a delay every call would be a probe.
  private let probeTimeout: Duration

  private var state = State.closed(failures: 0)
  private var epoch: UInt64 = 0
  /// The number of times that the circuit has opened from the closed state.
  private var openings: UInt64 = 0
  /// The time that the circuit stays open.
  private var currentOpenDuration: Duration

  /// Creates a breaker in the closed state.
  ///
  /// - Parameters:
  ///   - failureThreshold: The number of consecutive failures that open the circuit, at least 1.
  ///   - openDuration: The time that the circuit stays open before one call may probe, and the time
  ///     after which another call may probe if the first has not ended, then at least 1 s.
  ///   - maximumOpenDuration: The limit of the open duration, which doubles with each failed probe.
  package init(failureThreshold: Int, openDuration: Duration, maximumOpenDuration: Duration) {
    self.failureThreshold = max(1, failureThreshold)
    self.openDuration = max(.zero, Deadline.bounded(openDuration))
    self.maximumOpenDuration = max(self.openDuration, Deadline.bounded(maximumOpenDuration))
    probeTimeout = max(self.openDuration, .seconds(1))
    currentOpenDuration = self.openDuration
  }

  /// The published state.
  package var circuitState: FallbackTransport.CircuitState {
    switch state {
    case .closed: .closed
    case .open: .open
    case .halfOpen: .halfOpen
    }
  }

  /// Returns whether a new call may use the transport.
  package mutating func begin(now: Duration) -> Decision {
    switch state {
    case .closed: return .allow(Permit(epoch: epoch, opening: nil))
    case .open(let end), .halfOpen(let end):
      if now < end { return .reject }
      // A new epoch, so that the failure of an overdue probe is ignored.
      enter(.halfOpen(until: now + probeTimeout))
      return .allow(Permit(epoch: epoch, opening: openings))
    }
  }

  /// Reports the outcome of a permitted call.
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
    // The next call becomes the probe.
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

/// A circuit breaker that calls share and whose state can be observed.
final class SharedCircuitBreaker: Sendable {
  private let clock: AnyClock
  private let breaker: Lock<CircuitBreaker>
  let circuitStates: StreamHub<FallbackTransport.CircuitState>

  /// The current time on the breaker's clock.
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

  /// Changes the state and publishes it: staged in order under the lock, delivered to subscribers
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
