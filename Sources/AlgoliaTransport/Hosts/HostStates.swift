import AsyncInstantSearch

/// What a transport has learnt about its hosts; its callers pass the time.
///
///     up --network error, 5xx--> down          up --timeout--> up, later and with more time
///     either --2xx, or the time to live after the last change--> up, as at first
///
/// A host that is down is not asked. One that timed out is asked after those that did not, and is
/// given more time with each timeout, as on a slow network all of them time out.
struct HostStates: Sendable {
  /// How a host did, where that says something about it.
  enum Report: Sendable {
    /// A status of 2xx.
    case answered
    /// No answer in time.
    case timedOut
    /// No connection, a lost one, or a status that another host may not give.
    case failed
  }

  /// A host that one call may ask.
  struct Candidate: Sendable {
    let host: AlgoliaHost
    /// By what the timeouts are multiplied.
    let patience: Int
    fileprivate let index: Int
    fileprivate let resetCount: Int
  }

  private struct State {
    var isUp = true
    /// How many timeouts there were one after the other, each with more time than the one before.
    var timeoutCount = 0
    /// When the last timeout or failure was noted; `nil` when all is as at first.
    var changed: Duration?
    /// How often all became as at first.
    var resetCount = 0

    mutating func reset() {
      if changed != nil { self = State(resetCount: resetCount + 1) }
    }
  }

  /// By how much timeouts may grow.
  static let greatestPatience = 6

  private let list: HostList
  private let timeToLive: Duration
  private var states: [State]

  /// Begins with all hosts up.
  init(_ list: HostList, timeToLive: Duration) {
    self.list = list
    self.timeToLive = timeToLive
    states = Array(repeating: State(), count: list.hosts.count)
  }

  /// The hosts that a call is to ask, first to last; all that take it when none of those is up.
  mutating func candidates(
    for callType: TransportRequest.CallType, at now: Duration
  ) -> [Candidate] {
    let taking = list.hosts.indices.filter { list.hosts[$0].callTypes.contains(callType) }
    for index in taking {
      if let changed = states[index].changed, now - changed >= timeToLive { states[index].reset() }
    }
    var asked = taking.filter { states[$0].isUp }
    if asked.isEmpty {
      for index in taking { states[index].reset() }
      asked = taking
    }
    // The position as well, as sorting may change the order of equals.
    asked.sort { (states[$0].timeoutCount, $0) < (states[$1].timeoutCount, $1) }
    return asked.map { index in
      Candidate(
        host: list.hosts[index],
        patience: min(states[index].timeoutCount + 1, Self.greatestPatience), index: index,
        resetCount: states[index].resetCount)
    }
  }

  /// Notes how a host did.
  mutating func note(_ report: Report, of candidate: Candidate, at now: Duration) {
    switch report {
    case .answered:
      states[candidate.index].reset()
    case .timedOut:
      // Calls that were given the same time at the same moment learn the same thing, once; and
      // one that began before a reset is the first to find it out after that.
      let isOfBefore = candidate.resetCount != states[candidate.index].resetCount
      states[candidate.index].timeoutCount = max(
        states[candidate.index].timeoutCount, isOfBefore ? 1 : candidate.patience)
      states[candidate.index].changed = now
    case .failed:
      states[candidate.index].isUp = false
      states[candidate.index].changed = now
    }
  }
}
