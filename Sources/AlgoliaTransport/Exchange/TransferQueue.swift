/// Which transfers may go on at once, and which wait for another one to the same host to end.
///
/// So the connections to a host are bounded, whatever is asked for and however slow the host is, and
/// a silent host takes none from the others. Those that wait are let in first come, first served; one
/// that is withdrawn before its turn never begins.
struct TransferQueue: Sendable {
  typealias ID = UInt64

  private struct Host {
    var activeCount = 0
    /// Those that came and could not begin, withdrawn ones among them, from the head on.
    var waiting: [ID] = []
    var head = 0
    var withdrawnCount = 0
  }

  private let limit: Int
  private var hosts: [String: Host] = [:]
  private var hostsOfWaiting: [ID: String] = [:]

  /// Creates a queue.
  ///
  /// - Parameter limit: How many transfers to one host may go on at once; at least 1.
  init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// How many transfers wait.
  var waitingCount: Int { hostsOfWaiting.count }

  /// Takes a transfer in; `true` when it may begin now, `false` when it waits.
  mutating func enter(_ id: ID, host: String) -> Bool {
    if hosts[host, default: Host()].activeCount < limit {
      hosts[host, default: Host()].activeCount += 1
      return true
    }
    hosts[host, default: Host()].waiting.append(id)
    hostsOfWaiting[id] = host
    return false
  }

  /// Lets a transfer that went on go; the one that may begin in its place, if any waits.
  mutating func leave(host: String) -> ID? {
    guard var state = hosts.removeValue(forKey: host) else { return nil }
    while state.head < state.waiting.count {
      let next = state.waiting[state.head]
      state.head += 1
      if hostsOfWaiting.removeValue(forKey: next) != nil {
        hosts[host] = state
        return next
      }
      state.withdrawnCount -= 1
    }
    state.waiting = []
    state.head = 0
    state.activeCount -= 1
    if state.activeCount > 0 { hosts[host] = state }
    return nil
  }

  /// Takes out a transfer that waits; `false` when it does not.
  mutating func withdraw(_ id: ID) -> Bool {
    guard let host = hostsOfWaiting.removeValue(forKey: id) else { return false }
    guard var state = hosts.removeValue(forKey: host) else { return true }
    state.withdrawnCount += 1
    // A host that does not answer lets nobody go, so those withdrawn are swept out here, at a cost
    // that as many withdrawals have paid for.
    if state.withdrawnCount > state.waiting.count / 2 {
      state.waiting = state.waiting[state.head...].filter { hostsOfWaiting[$0] != nil }
      state.head = 0
      state.withdrawnCount = 0
    }
    hosts[host] = state
    return true
  }
}
