#if os(Linux)
  import Foundation

  /// Looks up the addresses of hosts, each name once at a time, and a limited number of names
  /// concurrently, because a lookup takes a thread and a socket and cannot be cancelled.
  ///
  /// A running lookup that no caller waits for keeps its thread until it ends, but does not count
  /// for the limit: names that no server answers do not block others. While there are such lookups,
  /// the next ones start after a few milliseconds, so that calls that are cancelled at once start
  /// none. A larger limit holds for all threads. A queued lookup that no caller waits for is
  /// removed.
  ///
  /// Addresses are cached. Addresses older than a minute are returned and refreshed at the same
  /// time. Addresses older than ten minutes are returned only while refreshing fails, so a failed
  /// name server does not affect hosts that were looked up before.
  package final class NameLookups: Sendable {
    package typealias ID = UInt64
    /// Looks up one name, blocking. Returns its addresses as text, none if the host does not exist,
    /// or `nil` if the lookup failed.
    package typealias Lookup = @Sendable (_ host: String) -> [String]?

    /// The lookups of all exchanges of the process.
    static let shared = NameLookups { SystemLookup.addresses(of: $0) }

    /// The default number of concurrent lookups that callers wait for.
    package static let limit = 16
    /// The default number of threads, each with about one descriptor.
    package static let maximumThreadCount = 128
    /// The delay of a lookup for each of as many abandoned lookups as the limit permits.
    private static let delay = 0.005
    /// The maximum number of cached names.
    private static let maximumNameCount = 1000
    private static let lifetime = Duration.seconds(60)
    /// The maximum age of addresses that are returned while they are refreshed.
    private static let maximumAge = Duration.seconds(600)

    private struct Name {
      var addresses: [String] = []
      /// Whether the order of the addresses differs from the lookup.
      var isReordered = false
      /// The time at which the addresses were read.
      var readAt: ContinuousClock.Instant?
      /// The time of the last lookup, failed or not.
      var triedAt: ContinuousClock.Instant?
      /// Whether a lookup is queued or running.
      var isWanted = false
      var waiters: [ID: @Sendable ([String]) -> Void] = [:]
    }

    private struct State {
      var names: [String: Name] = [:]
      /// The names whose lookups have not begun.
      var queue: [String] = []
      /// The names whose lookups run, each on a thread.
      var running: Set<String> = []
      /// The number of threads that have not taken a name yet.
      var startingCount = 0
      var nextID: ID = 0

      var threadCount: Int { running.count + startingCount }

      /// The number of running lookups that callers wait for.
      var awaitedCount: Int { running.count { names[$0]?.waiters.isEmpty == false } }

      /// The number of running lookups that no caller waits for, and that refresh no addresses.
      var abandonedCount: Int {
        running.count { host in
          names[host].map { $0.waiters.isEmpty && $0.addresses.isEmpty } ?? true
        }
      }
    }

    private let state = Lock(State())
    private let limit: Int
    private let maximumThreadCount: Int
    private let lookup: Lookup
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Creates lookups with a custom lookup function.
    package init(
      limit: Int = NameLookups.limit, maximumThreadCount: Int = NameLookups.maximumThreadCount,
      now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
      lookup: @escaping Lookup
    ) {
      self.limit = max(1, limit)
      self.maximumThreadCount = max(1, maximumThreadCount)
      self.lookup = lookup
      self.now = now
    }

    /// The number of threads.
    package var threadCount: Int { state.withLock { $0.threadCount } }

    /// The result of a request for addresses.
    package enum Answer: Sendable {
      /// The addresses are known.
      case known([String])
      /// The caller has to wait. The ID is for ``cancel(_:from:)``.
      case pending(ID)
    }

    /// Returns the addresses of a host if they are known. Otherwise runs an action with them, or
    /// with none if the host does not exist or the lookup failed.
    package func addresses(
      of host: String, orLater action: @escaping @Sendable ([String]) -> Void
    ) -> Answer {
      let time = now()
      let (answer, delay) = state.withLock { state -> (Answer, TimeInterval?) in
        var name = state.names[host] ?? Name()
        let answer: Answer
        // If the last lookup failed, the old addresses are better than another wait.
        let isUsable =
          name.readAt.map { time - $0 < Self.maximumAge || $0 != name.triedAt } ?? false
        if name.addresses.isEmpty || !isUsable {
          answer = .pending(state.nextID)
          name.waiters[state.nextID] = action
          state.nextID += 1
        } else {
          answer = .known(name.addresses)
        }
        let isFresh = name.triedAt.map { time - $0 < Self.lifetime } ?? false
        if !name.isWanted, !isFresh || name.addresses.isEmpty {
          name.isWanted = true
          state.queue.append(host)
        }
        state.names[host] = name
        return (answer, delayOfNewThread(&state))
      }
      startThread(after: delay)
      return answer
    }

    /// Moves the first address of a host behind the others, because no connection to it was made
    /// within the time of a request. So the next request tries another one first.
    ///
    /// - Parameter addresses: The addresses as they were tried. Other requests may have moved it.
    package func moveFirstBack(of host: String, triedAs addresses: [String]) {
      state.withLock { state in
        guard addresses.count > 1, state.names[host]?.addresses == addresses else { return }
        state.names[host]?.addresses = Array(addresses.dropFirst()) + addresses.prefix(1)
        state.names[host]?.isReordered = true
      }
    }

    /// Removes a caller that waits for a host's addresses.
    package func cancel(_ id: ID, from host: String) {
      typealias Action = @Sendable ([String]) -> Void
      let (action, delay) = state.withLock { state -> (Action?, TimeInterval?) in
        guard var name = state.names[host] else { return (nil, nil) }
        let action = name.waiters.removeValue(forKey: id)
        state.names[host] = name
        // A name whose lookup is running is not in the queue.
        if name.waiters.isEmpty, name.addresses.isEmpty,
          let index = state.queue.firstIndex(of: host)
        {
          state.queue.remove(at: index)
          state.names[host] = nil
        }
        return (action, delayOfNewThread(&state))
      }
      withExtendedLifetime(action) {}
      startThread(after: delay)
    }
  }

  // MARK: - Threads

  extension NameLookups {
    /// Counts a new thread if a queued name needs one, and returns the delay after which it takes
    /// the name.
    private func delayOfNewThread(_ state: inout State) -> TimeInterval? {
      guard state.startingCount < state.queue.count, state.threadCount < maximumThreadCount,
        state.awaitedCount + state.startingCount < limit
      else { return nil }
      state.startingCount += 1
      return Self.delay * Double((state.abandonedCount + limit - 1) / limit)
    }

    private func startThread(after delay: TimeInterval?) {
      guard let delay else { return }
      let thread = Thread {
        if delay > 0 { Thread.sleep(forTimeInterval: delay) }
        var host = self.next(isStarting: true)
        while let current = host {
          self.note(self.lookup(current), of: current)
          host = self.next(isStarting: false)
        }
      }
      thread.name = "NameLookups"
      thread.stackSize = 1 << 20
      thread.start()
    }

    /// Takes the next name from the queue. `nil` ends the thread.
    private func next(isStarting: Bool) -> String? {
      let (host, delay) = state.withLock { state -> (String?, TimeInterval?) in
        if isStarting { state.startingCount -= 1 }
        guard !state.queue.isEmpty, state.awaitedCount < limit else { return (nil, nil) }
        let host = state.queue.removeFirst()
        state.running.insert(host)
        // No caller may wait for this name.
        return (host, delayOfNewThread(&state))
      }
      startThread(after: delay)
      return host
    }

    private func note(_ addresses: [String]?, of host: String) {
      let time = now()
      let (waiters, known) = state.withLock { state in
        var name = state.names.removeValue(forKey: host) ?? Name()
        let waiters = name.waiters
        if let addresses {
          let areSame = name.isReordered && Set(name.addresses) == Set(addresses)
          if !areSame { (name.addresses, name.isReordered) = (addresses, false) }
          name.readAt = time
        }
        name.triedAt = time
        name.isWanted = false
        name.waiters = [:]
        state.running.remove(host)
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

  /// Lookups with the system resolver.
  private enum SystemLookup {
    static func addresses(of host: String) -> [String]? {
      // Safe: `getaddrinfo` reads the name and the hints during the call, and sets `first` to a
      // list that it allocates. The list is freed once, after the last use. Its members have valid
      // addresses of the lengths that they state. `getnameinfo` writes at most `text.count` bytes.
      var hints = unsafe addrinfo()
      unsafe hints.ai_family = AF_UNSPEC
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      unsafe hints.ai_flags = AI_ADDRCONFIG
      var first: UnsafeMutablePointer<addrinfo>? = nil
      let code = unsafe getaddrinfo(host, nil, &hints, &first)
      guard code == 0 else { return code == EAI_NONAME && FileDescriptors.areFree ? [] : nil }
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

  enum FileDescriptors {
    /// Whether the process can open a file. If not, the resolver reads no file and asks no server,
    /// and reports that the name does not exist.
    static var areFree: Bool {
      // Safe: the path is a constant, and the descriptor is closed once.
      let descriptor = unsafe open("/dev/null", O_RDONLY)
      return descriptor >= 0 && close(descriptor) == 0
    }
  }

  /// An admitted request and its route.
  struct CurlStart {
    let submission: CurlInbox.Submission
    let route: CurlRoute
    /// The time by which the connection must be made.
    let connectEnd: ContinuousClock.Instant

    init(_ submission: CurlInbox.Submission, _ settings: CurlSettings) {
      self.submission = submission
      route = CurlRoute(to: submission.origin, settings.configuration, settings.proxies)
      connectEnd = .now.advanced(by: Deadline.bounded(submission.request.connectTimeout))
    }

    /// The time until which it can wait for an address.
    var end: ContinuousClock.Instant { min(submission.end, connectEnd) }
  }

  /// The requests that wait for the addresses of their hosts, with one lookup for each host.
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

    /// Returns the addresses of a host if they are known. Otherwise returns `nil`, and the request
    /// waits until the inbox receives them.
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

    /// The earliest time at which a request has waited too long.
    var nextEnd: ContinuousClock.Instant? {
      names.values.lazy.flatMap(\.starts.values).map(\.end).min()
    }

    /// Removes all requests that wait for a host that was looked up.
    mutating func removeAll(of host: String) -> [CurlStart] {
      let starts = names.removeValue(forKey: host)?.starts ?? [:]
      for id in starts.keys { hosts[id] = nil }
      return starts.values.sorted { $0.submission.id < $1.submission.id }
    }

    /// Removes a request. The lookup is cancelled with the last request that waits for it.
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

    /// Removes the requests that have waited too long.
    mutating func removeOverdue(at time: ContinuousClock.Instant) -> [CurlStart] {
      names.values.flatMap(\.starts.values).filter { $0.end <= time }
        .compactMap { remove($0.submission.id) }
    }

    /// Removes all requests.
    mutating func removeAll() -> [CurlStart] {
      Array(hosts.keys).compactMap { remove($0) }
    }
  }
#endif
