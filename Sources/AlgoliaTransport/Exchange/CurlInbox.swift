#if os(Linux)
  import Foundation
  import CInstantSearchCurl

  /// What callers want of the thread that drives the transfers.
  ///
  /// The thread starts with the first request and ends when the inbox is closed.
  final class CurlInbox: Sendable {
    /// A request to be sent.
    struct Submission: Sendable {
      let id: TransferQueue.ID
      /// When its time is up.
      let end: ContinuousClock.Instant
      let request: HTTPExchangeRequest
      /// With whom the request shares its connections.
      let origin: String
      let response: PendingResponse
    }

    /// What came in since the thread last looked.
    struct PendingWork: Sendable {
      var submissions: [Submission] = []
      var cancellations: [TransferQueue.ID] = []
      /// The addresses of names that were looked up.
      var addresses: [(host: String, addresses: [String])] = []
      var isClosed = false

      var isEmpty: Bool {
        submissions.isEmpty && cancellations.isEmpty && addresses.isEmpty && !isClosed
      }
    }

    private struct State {
      var pendingWork = PendingWork()
      var nextID: TransferQueue.ID = 0
      var hasStarted = false
      /// Whether no request can be sent any more.
      var isRefusing = false
      /// The transfers of libcurl, to wake the thread that waits for them; `nil` once it has ended.
      var multi: libcurl_multi?
    }

    private let state: Lock<State>
    let settings: CurlSettings

    /// Creates an inbox and what libcurl needs; `nil` when there is no libcurl, or no memory.
    init?(_ settings: CurlSettings) {
      guard libcurl_is_available(), !libcurl_is_exiting() else { return nil }
      let multi = libcurl_multi_make()
      if multi == 0 { return nil }
      libcurl_multi_set_number(
        multi, CurlOption.cachedConnections,
        max(64, settings.configuration.maximumConnectionsPerHost))
      state = Lock(State(multi: multi))
      self.settings = settings
    }

    /// Why a request cannot be sent any more.
    static var refusal: HTTPExchangeError {
      .network(
        libcurl_is_exiting() ? "the process is ending" : "libcurl has no memory for transfers")
    }

    /// Adds a request; its answer is resumed when there is one, or at once when none can be sent.
    func add(_ request: HTTPExchangeRequest, response: PendingResponse) -> TransferQueue.ID {
      let end = ContinuousClock.now.advanced(by: Deadline.bounded(request.timeout))
      let origin = request.origin
      let (id, starts, isRefused) = change { state in
        let id = state.nextID
        state.nextID += 1
        if state.isRefusing || libcurl_is_exiting() { return (id, false, true) }
        state.pendingWork.submissions.append(
          Submission(id: id, end: end, request: request, origin: origin, response: response))
        defer { state.hasStarted = true }
        return (id, !state.hasStarted, false)
      }
      if isRefused { response.end(with: .failure(Self.refusal)) }
      if starts {
        let thread = Thread {
          guard let loop = CurlLoop(inbox: self) else { return self.refuse() }
          loop.run()
        }
        thread.name = "CurlExchange"
        thread.start()
      }
      return id
    }

    /// Ends the wait of those that came in with an error, and of those to come.
    func refuse() {
      let submissions = state.withLock { state in
        state.isRefusing = true
        defer { state.pendingWork = PendingWork(isClosed: state.pendingWork.isClosed) }
        return state.pendingWork.submissions
      }
      for submission in submissions { submission.response.end(with: .failure(Self.refusal)) }
    }

    /// Ends a request that was added; nothing happens to one that has ended.
    func cancel(_ id: TransferQueue.ID) {
      change { $0.pendingWork.cancellations.append(id) }
    }

    /// Notes the addresses of a name that the thread had looked up.
    func note(_ addresses: [String], of host: String) {
      change { $0.pendingWork.addresses.append((host, addresses)) }
    }

    /// Lets the thread end, when there is one.
    func close() {
      let unused = change { state in
        state.pendingWork.isClosed = true
        return state.hasStarted ? nil : state.multi.take()
      }
      if let unused { libcurl_multi_destroy(unused) }
    }

    /// What came in, which is then gone from here.
    func take() -> PendingWork {
      state.withLock { state in
        defer { state.pendingWork = PendingWork(isClosed: state.pendingWork.isClosed) }
        return state.pendingWork
      }
    }

    /// The transfers, for the thread that drives them.
    var multi: libcurl_multi? { state.withLock { $0.multi } }

    /// Takes the transfers away from those who would wake the thread.
    func forgetMulti() {
      state.withLock { $0.multi = nil }
    }

    /// Changes the pendingWork, and wakes the thread if they were empty, as it otherwise knows.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
      state.withLock { state in
        let wasEmpty = state.pendingWork.isEmpty
        let result = body(&state)
        // Under the lock, so that it is not destroyed meanwhile; it writes one byte to a socket.
        if wasEmpty, !state.pendingWork.isEmpty, let multi = state.multi {
          libcurl_multi_wake(multi)
        }
        return result
      }
    }
  }

  /// What the transfers of an exchange have in common.
  struct CurlSettings: Sendable {
    let configuration: CurlExchange.Configuration
    let proxies: ProxyRules
    let lookups: NameLookups
    /// Whether libcurl asks before it sends a request, which it may do again by itself; since 7.80.
    let asksBeforeSending: Bool
  }
#endif
