import AsyncInstantSearch

/// What a transport has learnt about its hosts; the time is told to it.
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
  }

  private struct State {
    var isUp = true
    /// How many timeouts there were one after the other, each with more time than the one before.
    var timeoutCount = 0
    /// When the last timeout or failure was noted.
    var changed: Duration?

    func isAsAtFirst(at now: Duration, timeToLive: Duration) -> Bool {
      guard let changed else { return true }
      return now - changed >= timeToLive
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
    for index in taking where states[index].isAsAtFirst(at: now, timeToLive: timeToLive) {
      states[index] = State()
    }
    var asked = taking.filter { states[$0].isUp }
    if asked.isEmpty {
      for index in taking { states[index] = State() }
      asked = taking
    }
    // The position as well, as sorting may change the order of equals.
    asked.sort { (states[$0].timeoutCount, $0) < (states[$1].timeoutCount, $1) }
    return asked.map { index in
      Candidate(
        host: list.hosts[index],
        patience: min(states[index].timeoutCount + 1, Self.greatestPatience), index: index)
    }
  }

  /// Notes how a host did.
  mutating func note(_ report: Report, of candidate: Candidate, at now: Duration) {
    switch report {
    case .answered:
      states[candidate.index] = State()
    case .timedOut:
      // Calls that were given the same time at the same moment find out one thing, not many.
      let count = max(states[candidate.index].timeoutCount, candidate.patience)
      states[candidate.index].timeoutCount = count
      states[candidate.index].changed = now
    case .failed:
      states[candidate.index].isUp = false
      states[candidate.index].changed = now
    }
  }
}
