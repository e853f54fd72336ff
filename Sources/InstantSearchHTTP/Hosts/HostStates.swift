/// The state of the hosts of a transport. Callers pass the time.
///
///     up --network error, 5xx--> down          up --timeout--> up, later and with more time
///     up --no answer before the deadline of the call--> up, later
///     either --2xx, or the time to live after the last change--> up, as initially
///
/// A host that is down is skipped. A host that timed out is tried after the hosts that did not,
/// with a longer timeout each time, because on a slow network all of them time out.
struct HostStates: Sendable {
  /// The outcome of an attempt, as it concerns the host.
  enum Observation: Sendable {
    /// A response with a status of 2xx.
    case answered
    /// No response before the timeout.
    case timedOut
    /// No response before the deadline of the call, which was shorter.
    case cutShort
    /// No connection, a lost one, or a status that another host may not return.
    case failed
  }

  /// A host that a call can try.
  struct Candidate: Sendable {
    let host: SearchHost
    /// The factor for the timeouts.
    let timeoutMultiplier: Int
    /// The number of consecutive attempts without an answer in time.
    fileprivate let slowCount: Int
    fileprivate let index: Int
    fileprivate let resetCount: Int
  }

  private struct State {
    var isUp = true
    /// The number of consecutive timeouts, each with a longer timeout than the one before.
    var timeoutCount = 0
    /// The number of consecutive timeouts, and of deadlines that passed without a response.
    var slowCount = 0
    /// The time of the last timeout or failure, or `nil` in the initial state.
    var changed: Duration?
    /// The number of resets to the initial state.
    var resetCount = 0

    mutating func reset() {
      if changed != nil { self = State(resetCount: resetCount + 1) }
    }
  }

  /// The largest factor for the timeouts.
  static let maximumTimeoutMultiplier = 6

  private let hosts: [SearchHost]
  private let timeToLive: Duration
  private var states: [State]

  /// Creates the state in which all hosts are up.
  init(_ hosts: [SearchHost], timeToLive: Duration) {
    self.hosts = hosts
    self.timeToLive = timeToLive
    states = Array(repeating: State(), count: hosts.count)
  }

  /// The hosts that a call tries, in order. If no host that accepts the call is up, all hosts that
  /// accept it.
  mutating func candidates(
    for callType: Endpoint.CallType, at now: Duration
  ) -> [Candidate] {
    let taking = hosts.indices.filter { hosts[$0].callTypes.contains(callType) }
    for index in taking {
      if let changed = states[index].changed, now - changed >= timeToLive { states[index].reset() }
    }
    var asked = taking.filter { states[$0].isUp }
    if asked.isEmpty {
      for index in taking { states[index].reset() }
      asked = taking
    }
    // The index as well, because sorting may reorder equal elements.
    asked.sort { (states[$0].slowCount, $0) < (states[$1].slowCount, $1) }
    return asked.map { index in
      Candidate(
        host: hosts[index],
        timeoutMultiplier: min(states[index].timeoutCount + 1, Self.maximumTimeoutMultiplier),
        slowCount: states[index].slowCount,
        index: index,
        resetCount: states[index].resetCount)
    }
  }

  /// Records the outcome of an attempt.
  mutating func record(_ observation: Observation, for candidate: Candidate, at now: Duration) {
    switch observation {
    case .answered:
      states[candidate.index].reset()
    case .timedOut:
      // Concurrent calls with the same timeout count as one timeout. A call that began before a
      // reset counts as the first timeout after it.
      let isOfBefore = candidate.resetCount != states[candidate.index].resetCount
      states[candidate.index].timeoutCount = max(
        states[candidate.index].timeoutCount, isOfBefore ? 1 : candidate.timeoutMultiplier)
      recordSlowness(of: candidate, at: now)
    case .cutShort:
      // It had less time than a timeout, so the next timeout is not longer.
      recordSlowness(of: candidate, at: now)
    case .failed:
      states[candidate.index].isUp = false
      states[candidate.index].changed = now
    }
  }

  /// Puts a host behind the others. Concurrent calls count once, and one that began before a reset
  /// as the first.
  private mutating func recordSlowness(of candidate: Candidate, at now: Duration) {
    let isOfBefore = candidate.resetCount != states[candidate.index].resetCount
    states[candidate.index].slowCount = max(
      states[candidate.index].slowCount, isOfBefore ? 1 : candidate.slowCount + 1)
    states[candidate.index].changed = now
  }
}

extension HostStates.Candidate {
  /// Whether the host did not answer in time recently.
  var isSlow: Bool { slowCount > 0 }
}
