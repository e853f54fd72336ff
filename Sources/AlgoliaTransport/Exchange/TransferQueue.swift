/// Which transfers may go on at once, and which wait for another one to the same host to end.
///
/// So the connections to a host are bounded, whatever is asked for and however slow the host is,
/// and a silent host takes none from the others. Those that wait are let in first come, first
/// served; one that is withdrawn before its turn never begins.
package struct TransferQueue: Sendable {
  package typealias ID = UInt64

  private struct Host {
    var activeCount = 0
    /// Those that came and could not begin, withdrawn ones among them, from the head on.
    var waiting: [ID] = []
    var head = 0
    var withdrawnCount = 0

    /// Takes the first out, in constant time on average.
    mutating func popFirst() -> ID? {
      guard head < waiting.count else { return nil }
      defer {
        head += 1
        // Those that have gone are swept out when they are half of all.
        if head > waiting.count / 2 {
          waiting.removeFirst(head)
          head = 0
        }
      }
      return waiting[head]
    }

    /// Drops those that have gone, and all that are not to be kept.
    mutating func keep(_ isKept: (ID) -> Bool) {
      waiting = waiting[head...].filter(isKept)
      head = 0
      withdrawnCount = 0
    }
  }

  private let limit: Int
  private var hosts: [String: Host] = [:]
  private var hostsOfWaiting: [ID: String] = [:]

  /// Creates a queue.
  ///
  /// - Parameter limit: How many transfers to one host may go on at once; at least 1.
  package init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// How many transfers wait.
  package var waitingCount: Int { hostsOfWaiting.count }

  /// How many places there are for those that wait, used or not.
  package var capacity: Int { hosts.values.reduce(0) { $0 + $1.waiting.count } }

  /// Takes a transfer in; `true` when it may begin now, `false` when it waits.
  package mutating func enter(_ id: ID, host: String) -> Bool {
    if hosts[host, default: Host()].activeCount < limit {
      hosts[host, default: Host()].activeCount += 1
      return true
    }
    hosts[host, default: Host()].waiting.append(id)
    hostsOfWaiting[id] = host
    return false
  }

  /// Lets a transfer that went on go; the one that may begin in its place, if any waits.
  package mutating func leave(host: String) -> ID? {
    guard var state = hosts.removeValue(forKey: host) else { return nil }
    while let next = state.popFirst() {
      if hostsOfWaiting.removeValue(forKey: next) != nil {
        hosts[host] = state
        return next
      }
      state.withdrawnCount -= 1
    }
    state.activeCount -= 1
    if state.activeCount > 0 { hosts[host] = state }
    return nil
  }

  /// Takes out a transfer that waits; `false` when it does not.
  package mutating func withdraw(_ id: ID) -> Bool {
    guard let host = hostsOfWaiting.removeValue(forKey: id) else { return false }
    guard var state = hosts.removeValue(forKey: host) else { return true }
    state.withdrawnCount += 1
    // A host that does not answer lets nobody go, so those withdrawn are swept out here, at a cost
    // that as many withdrawals have paid for.
    if state.withdrawnCount > state.waiting.count / 2 {
      state.keep { hostsOfWaiting[$0] != nil }
    }
    hosts[host] = state
    return true
  }
}
