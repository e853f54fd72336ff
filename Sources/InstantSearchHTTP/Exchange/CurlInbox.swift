#if os(Linux)
  import Foundation
  import CInstantSearchCurl

  /// The work that callers submit to the thread that drives the transfers.
  ///
  /// The thread starts with the first request and ends when the inbox is closed.
  final class CurlInbox: Sendable {
    /// A request to send.
    struct Submission: Sendable {
      let id: TransferQueue.ID
      /// The time at which the request times out.
      let end: ContinuousClock.Instant
      let request: HTTPExchangeRequest
      /// The origin, whose requests share connections.
      let origin: String
      let response: PendingResponse
    }

    /// The work that arrived since the thread last took it.
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
      /// Whether new requests are rejected.
      var isRefusing = false
      /// The multi handle of libcurl, which wakes the waiting thread. `nil` once the thread has
      /// ended.
      var multi: libcurl_multi?
    }

    private let state: Lock<State>
    let settings: CurlSettings

    /// Creates an inbox and the handle of libcurl. `nil` without libcurl or memory.
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

    /// The error of rejected requests.
    static var refusal: HTTPExchangeError {
      .network(
        libcurl_is_exiting() ? "the process is ending" : "libcurl has no memory for transfers")
    }

    /// Adds a request. Its caller is resumed with the response, or at once if requests are
    /// rejected.
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

    /// Rejects the pending requests and all later ones.
    func refuse() {
      let submissions = state.withLock { state in
        state.isRefusing = true
        defer { state.pendingWork = PendingWork(isClosed: state.pendingWork.isClosed) }
        return state.pendingWork.submissions
      }
      for submission in submissions { submission.response.end(with: .failure(Self.refusal)) }
    }

    /// Cancels a request that was added. Does nothing for one that has ended.
    func cancel(_ id: TransferQueue.ID) {
      change { $0.pendingWork.cancellations.append(id) }
    }

    /// Adds the addresses of a name that the thread had looked up.
    func note(_ addresses: [String], of host: String) {
      change { $0.pendingWork.addresses.append((host, addresses)) }
    }

    /// Lets the thread end, if it has started.
    func close() {
      let unused = change { state in
        state.pendingWork.isClosed = true
        return state.hasStarted ? nil : state.multi.take()
      }
      if let unused { libcurl_multi_destroy(unused) }
    }

    /// Removes and returns the pending work.
    func take() -> PendingWork {
      state.withLock { state in
        defer { state.pendingWork = PendingWork(isClosed: state.pendingWork.isClosed) }
        return state.pendingWork
      }
    }

    /// The multi handle, for the thread that drives the transfers.
    var multi: libcurl_multi? { state.withLock { $0.multi } }

    /// Forgets the multi handle, so that nothing wakes the thread any longer.
    func forgetMulti() {
      state.withLock { $0.multi = nil }
    }

    /// Changes the state, and wakes the thread if there was no pending work before. Otherwise it is
    /// awake.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
      state.withLock { state in
        let wasEmpty = state.pendingWork.isEmpty
        let result = body(&state)
        // Under the lock, so that the handle is not destroyed. The call writes one byte to a
        // socket.
        if wasEmpty, !state.pendingWork.isEmpty, let multi = state.multi {
          libcurl_multi_wake(multi)
        }
        return result
      }
    }
  }

  /// The settings that the transfers of an exchange share.
  struct CurlSettings: Sendable {
    let configuration: CurlExchange.Configuration
    let proxies: ProxyRules
    let lookups: NameLookups
    /// Whether libcurl asks before it sends a request, which it may do twice. It does since 7.80.
    let asksBeforeSending: Bool
  }
#endif
