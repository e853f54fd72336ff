#if os(Linux)
  import Foundation

  /// Looks up the addresses of hosts: each name once at a time whoever asks, and only so many names
  /// at once, as a lookup takes a thread and a socket and cannot be ended.
  ///
  /// A lookup that nobody waits for any more keeps its place until it is over, and one that has not
  /// begun by then never begins. Addresses are kept. Those older than a minute are still given, and
  /// read again at the same time. Those older than ten minutes are given only while they cannot be
  /// read again, so that a failed name server does not stop a caller who has asked before.
  package final class NameLookups: Sendable {
    package typealias ID = UInt64
    /// Looks one name up, for as long as it takes; its addresses as text, none when there is no
    /// such host, or `nil` when that could not be found out.
    package typealias Lookup = @Sendable (_ host: String) -> [String]?

    /// The lookups of all exchanges of the process.
    static let shared = NameLookups { SystemLookup.addresses(of: $0) }

    /// How many lookups go on at once by default: that many threads, and about as many descriptors.
    package static let limit = 16
    /// How many names are kept.
    private static let maximumNameCount = 1000
    private static let lifetime = Duration.seconds(60)
    /// The age up to which addresses are given while they are read again.
    private static let maximumAge = Duration.seconds(600)

    private struct Name {
      var addresses: [String] = []
      /// When the addresses were read.
      var readAt: ContinuousClock.Instant?
      /// When they were last read or could not be.
      var triedAt: ContinuousClock.Instant?
      /// Whether it is being looked up, or is to be.
      var isWanted = false
      var waiters: [ID: @Sendable ([String]) -> Void] = [:]
    }

    private struct State {
      var names: [String: Name] = [:]
      var queue: [String] = []
      var threadCount = 0
      var nextID: ID = 0
    }

    private let state = Lock(State())
    private let limit: Int
    private let lookup: Lookup
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Creates lookups that are made in this way.
    package init(
      limit: Int = NameLookups.limit,
      now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
      lookup: @escaping Lookup
    ) {
      self.limit = max(1, limit)
      self.lookup = lookup
      self.now = now
    }

    /// How many threads there are.
    package var threadCount: Int { state.withLock { $0.threadCount } }

    /// What an asking comes to.
    package enum Answer: Sendable {
      /// These are known.
      case known([String])
      /// Wait; this is for ``cancel(_:from:)``.
      case pending(ID)
    }

    /// The addresses of a host if they are known; otherwise an action to be run with them, or with
    /// none if there is no such host or no answer.
    package func addresses(
      of host: String, orLater action: @escaping @Sendable ([String]) -> Void
    ) -> Answer {
      let time = now()
      let (answer, starts) = state.withLock { state -> (Answer, Bool) in
        var name = state.names[host] ?? Name()
        let answer: Answer
        // While the last try failed, the old ones are better than another wait.
        let isUsable =
          name.readAt.map { time - $0 < Self.maximumAge || $0 != name.triedAt } ?? false
        if name.addresses.isEmpty || !isUsable {
          answer = .pending(state.nextID)
          name.waiters[state.nextID] = action
          state.nextID += 1
        } else {
          answer = .known(name.addresses)
        }
        var starts = false
        let isFresh = name.triedAt.map { time - $0 < Self.lifetime } ?? false
        if !name.isWanted, !isFresh || name.addresses.isEmpty {
          name.isWanted = true
          state.queue.append(host)
          if state.threadCount < limit {
            state.threadCount += 1
            starts = true
          }
        }
        state.names[host] = name
        return (answer, starts)
      }
      if starts {
        let thread = Thread { self.work() }
        thread.name = "NameLookups"
        thread.stackSize = 1 << 20
        thread.start()
      }
      return answer
    }

    /// Lets somebody go who waits for a host's addresses.
    package func cancel(_ id: ID, from host: String) {
      let action = state.withLock { state in
        guard var name = state.names[host] else { return nil as (@Sendable ([String]) -> Void)? }
        let action = name.waiters.removeValue(forKey: id)
        state.names[host] = name
        // One that is being looked up is not in the queue.
        if name.waiters.isEmpty, name.addresses.isEmpty,
          let index = state.queue.firstIndex(of: host)
        {
          state.queue.remove(at: index)
          state.names[host] = nil
        }
        return action
      }
      withExtendedLifetime(action) {}
    }

    /// The part of a thread: looks names up while there are any.
    private func work() {
      while let host = next() { note(lookup(host), of: host) }
    }

    private func next() -> String? {
      state.withLock { state in
        if state.queue.isEmpty {
          state.threadCount -= 1
          return nil
        }
        return state.queue.removeFirst()
      }
    }

    private func note(_ addresses: [String]?, of host: String) {
      let time = now()
      let (waiters, known) = state.withLock { state in
        var name = state.names.removeValue(forKey: host) ?? Name()
        let waiters = name.waiters
        if let addresses {
          name.addresses = addresses
          name.readAt = time
        }
        name.triedAt = time
        name.isWanted = false
        name.waiters = [:]
        if !name.addresses.isEmpty {
          if state.names.count >= Self.maximumNameCount {
            state.names = state.names.filter { $0.value.isWanted }
          }
          state.names[host] = name
        }
        return (waiters, name.addresses)
      }
      for waiter in waiters.values { waiter(known) }
    }
  }

  /// Lookups by the system.
  private enum SystemLookup {
    static func addresses(of host: String) -> [String]? {
      var hints = unsafe addrinfo()
      unsafe hints.ai_family = AF_UNSPEC
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      unsafe hints.ai_flags = AI_ADDRCONFIG
      var first: UnsafeMutablePointer<addrinfo>? = nil
      let code = unsafe getaddrinfo(host, nil, &hints, &first)
      guard code == 0 else { return code == EAI_NONAME ? [] : nil }
      defer { unsafe freeaddrinfo(first) }
      var addresses: [String] = []
      var next = unsafe first
      while let info = unsafe next {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = unsafe getnameinfo(
          info.pointee.ai_addr, info.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
          NI_NUMERICHOST)
        if code == 0 {
          let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
          addresses.append(String(decoding: bytes, as: UTF8.self))
        }
        unsafe next = info.pointee.ai_next
      }
      return addresses
    }
  }

  /// A request that has its place among those to its host, and the way it is to take.
  struct CurlStart {
    let submission: CurlInbox.Submission
    let route: CurlRoute
    /// Until when there is to be a connection.
    let connectEnd: ContinuousClock.Instant

    init(_ submission: CurlInbox.Submission, _ settings: CurlSettings) {
      self.submission = submission
      route = CurlRoute(to: submission.origin, settings.configuration, settings.proxies)
      connectEnd = .now.advanced(by: Deadline.bounded(submission.request.connectTimeout))
    }

    /// When it has waited too long for an address.
    var end: ContinuousClock.Instant { min(submission.end, connectEnd) }
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
      names[host]?.starts[start.submission.id] = start
      hosts[start.submission.id] = host
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
      return starts.values.sorted { $0.submission.id < $1.submission.id }
    }

    /// Takes one out; the lookup is called off with the last that waits for it.
    mutating func remove(_ id: TransferQueue.ID) -> CurlStart? {
      guard let host = hosts.removeValue(forKey: id), var name = names[host] else { return nil }
      let start = name.starts.removeValue(forKey: id)
      if name.starts.isEmpty {
        names[host] = nil
        lookups.cancel(name.lookup, from: host)
      } else {
        names[host] = name
      }
      return start
    }

    /// Takes out those that have waited too long.
    mutating func removeOverdue(at time: ContinuousClock.Instant) -> [CurlStart] {
      names.values.flatMap(\.starts.values).filter { $0.end <= time }
        .compactMap { remove($0.submission.id) }
    }

    /// Takes all out.
    mutating func removeAll() -> [CurlStart] {
      Array(hosts.keys).compactMap { remove($0) }
    }
  }
#endif
