#if os(Linux)
  import AsyncInstantSearch

  /// A request that has its place among those to its host, and the way it is to take.
  struct CurlStart {
    let order: CurlInbox.Order
    let route: CurlRoute
    /// Until when there is to be a connection.
    let connectEnd: ContinuousClock.Instant

    init(_ order: CurlInbox.Order, _ settings: CurlSettings) {
      self.order = order
      route = CurlRoute(to: order.origin, settings.configuration, settings.proxies)
      connectEnd = .now.advanced(by: Deadline.bounded(order.request.connectTimeout))
    }

    /// When it has waited too long for an address.
    var end: ContinuousClock.Instant { min(order.end, connectEnd) }
  }

  /// The requests that wait for the addresses of their hosts, one lookup for all of a host.
  struct CurlNameWaiters {
    private struct Name {
      let lookup: NameLookups.ID
      var starts: [TransferQueue.ID: CurlStart] = [:]
    }

    private let lookups: NameLookups
    private var names: [String: Name] = [:]
    private var hosts: [TransferQueue.ID: String] = [:]

    init(_ lookups: NameLookups) {
      self.lookups = lookups
    }

    /// The addresses of a host if they are known; otherwise the request waits until they are noted
    /// in the inbox, and `nil`.
    mutating func addresses(
      of host: String, for start: CurlStart, noting inbox: CurlInbox
    ) -> [String]? {
      if names[host] == nil {
        switch lookups.addresses(of: host, orLater: { inbox.note($0, of: host) }) {
        case .known(let addresses): return addresses
        case .pending(let id): names[host] = Name(lookup: id)
        }
      }
      names[host]?.starts[start.order.id] = start
      hosts[start.order.id] = host
      return nil
    }

    /// When the first of them has waited too long.
    var nextEnd: ContinuousClock.Instant? {
      names.values.lazy.flatMap(\.starts.values).map(\.end).min()
    }

    /// Takes out all that wait for a host that has been looked up.
    mutating func removeAll(of host: String) -> [CurlStart] {
      let starts = names.removeValue(forKey: host)?.starts ?? [:]
      for id in starts.keys { hosts[id] = nil }
      return starts.values.sorted { $0.order.id < $1.order.id }
    }

    /// Takes one out; the lookup is called off with the last that waits for it.
    mutating func remove(_ id: TransferQueue.ID) -> CurlStart? {
      guard let host = hosts.removeValue(forKey: id), var name = names[host] else { return nil }
      let start = name.starts.removeValue(forKey: id)
      if name.starts.isEmpty {
        names[host] = nil
        lookups.withdraw(name.lookup, from: host)
      } else {
        names[host] = name
      }
      return start
    }

    /// Takes out those that have waited too long.
    mutating func removeOverdue(at time: ContinuousClock.Instant) -> [CurlStart] {
      names.values.flatMap(\.starts.values).filter { $0.end <= time }
        .compactMap { remove($0.order.id) }
    }

    /// Takes all out.
    mutating func removeAll() -> [CurlStart] {
      Array(hosts.keys).compactMap { remove($0) }
    }
  }
#endif
