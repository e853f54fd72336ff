#if os(Linux)
  import Foundation
  import CInstantSearchCurl

  /// Drives all transfers of an exchange on one thread.
  ///
  ///     take pending work -> begin, cancel -> perform -> resume callers of ended transfers -> wait
  ///
  /// This thread makes all calls into libcurl except the one that wakes it, so a transfer never
  /// ends while another thread uses it. No step blocks: names are looked up before a transfer
  /// begins, and responses are decompressed after it has ended, both on other threads.
  final class CurlLoop {
    private let inbox: CurlInbox
    private let multi: libcurl_multi
    private let settings: CurlSettings
    private var connections: CurlConnections
    private var queue: TransferQueue
    /// The requests that wait for the queue.
    private var waiting: [TransferQueue.ID: CurlInbox.Submission] = [:]
    private var nameWaiters: CurlNameWaiters
    private var active: [libcurl_easy: CurlTransfer] = [:]
    private var handles: [TransferQueue.ID: libcurl_easy] = [:]
    private let activity = CurlActivity()
    /// The activity at the last turn, the time of that, and the number of turns without any.
    private var lastActivity = 0
    private var turnBegin = ContinuousClock.now
    private var idleTurns = 0
    /// The earliest timeout that this loop enforces, or `nil` for none.
    private var nextEnd: ContinuousClock.Instant?

    init?(inbox: CurlInbox) {
      let silence = inbox.settings.configuration.longestSilence
      guard let multi = inbox.multi, let connections = CurlConnections(longestSilence: silence)
      else { return nil }
      self.inbox = inbox
      self.multi = multi
      self.connections = connections
      settings = inbox.settings
      nameWaiters = CurlNameWaiters(settings.lookups)
      queue = TransferQueue(limit: settings.configuration.maximumConnectionsPerHost)
    }

    /// Runs until the inbox is closed or the process ends.
    func run() {
      libcurl_ignore_broken_pipes_on_this_thread()
      let driver = libcurl_driver_enter(multi)
      // There is no memory, or the process is ending.
      if driver == 0 { return inbox.refuse() }
      while true {
        if libcurl_is_exiting() {
          failAll()
          libcurl_driver_stay_at_exit(driver)
        }
        let pendingWork = inbox.take()
        if pendingWork.isClosed { return end(pendingWork, driver) }
        for submission in pendingWork.submissions { enqueue(submission) }
        for found in pendingWork.addresses { begin(after: found) }
        for id in pendingWork.cancellations { cancel(id) }
        libcurl_multi_perform(multi)
        // Waiting requests begin as others end, and one that cannot begin has ended.
        let hasFinished = finishEnded()
        endTimedOut()
        if !hasFinished { wait() }
        rest(unless: hasFinished || !pendingWork.isEmpty)
      }
    }

    private func wait() {
      var pause = active.isEmpty ? CurlConnections.longestIdleness / 2 : .seconds(1)
      if let nextEnd { pause = min(pause, nextEnd - ContinuousClock.now) }
      if libcurl_multi_wait(multi, Int32(clamping: pause.wholeMilliseconds)) != 0 {
        // Probably out of memory. Without a pause this loop would use all of a core.
        Thread.sleep(forTimeInterval: 0.05)
      }
      connections.closeIdle(at: .now)
    }

    /// Pauses if nothing has happened for many turns of the loop. libcurl requests the next turn at
    /// once for as long as a server lets no stream of a connection begin.
    private func rest(unless hasWorked: Bool) {
      let now = ContinuousClock.now
      if hasWorked || activity.count != lastActivity || now - turnBegin > Self.pause {
        idleTurns = 0
      } else {
        idleTurns += 1
      }
      lastActivity = activity.count
      turnBegin = now
      guard idleTurns > Self.maximumIdleTurns else { return }
      Thread.sleep(forTimeInterval: Self.pause / .seconds(1))
      turnBegin = .now
    }

    /// The length of the pause, and the minimum length of a turn in which the loop has waited.
    private static let pause = Duration.milliseconds(1)
    /// The number of consecutive turns without a wait that may have no activity, as in a handshake.
    private static let maximumIdleTurns = 100

    /// The time that libcurl has to enforce a timeout itself.
    private static let grace = Duration.milliseconds(50)

    /// Ends the requests that timed out while they waited for the queue, for the address of their
    /// host or for the connection of another one. libcurl enforces the timeouts of the others.
    private func endTimedOut() {
      let now = ContinuousClock.now
      guard let end = nextEnd, end <= now else { return }
      nextEnd = nil
      for submission in waiting.values {
        if submission.end > now {
          watch(submission.end)
        } else if queue.cancel(submission.id) {
          waiting[submission.id] = nil
          submission.response.end(with: .failure(HTTPExchangeError.timedOut))
        }
      }
      for start in nameWaiters.removeOverdue(at: now) {
        finish(start.submission, with: .failure(HTTPExchangeError.timedOut))
      }
      if let end = nameWaiters.nextEnd { watch(end) }
      for transfer in Array(active.values) {
        let end = transfer.submission.end.advanced(by: Self.grace)
        if end > now {
          watch(end)
        } else {
          remove(transfer, withoutAnswer: true, hasTimedOut: true)
          finish(transfer.submission, with: .failure(HTTPExchangeError.timedOut))
        }
      }
      // Limits the rate, because each check looks at all waiting requests.
      nextEnd = nextEnd.map { max($0, now.advanced(by: .milliseconds(5))) }
    }

    private func watch(_ end: ContinuousClock.Instant) {
      nextEnd = min(nextEnd ?? end, end)
    }

    private func enqueue(_ submission: CurlInbox.Submission) {
      if queue.enqueue(submission.id, host: submission.origin) {
        begin(submission)
      } else {
        waiting[submission.id] = submission
        watch(submission.end)
      }
    }

    /// Starts the transfer of an admitted request once the address of its host is known.
    private func begin(_ submission: CurlInbox.Submission) {
      let start = CurlStart(submission, settings)
      guard let host = start.route.host else { return begin(start, addresses: []) }
      if let addresses = nameWaiters.addresses(of: host, for: start, noting: inbox) {
        begin(start, addresses: addresses)
      } else {
        watch(start.end)
      }
    }

    /// Starts the requests that waited for the addresses of a host. Without addresses they fail.
    private func begin(after found: (host: String, addresses: [String])) {
      for start in nameWaiters.removeAll(of: found.host) {
        if found.addresses.isEmpty {
          let problem: HTTPExchangeError =
            FileDescriptors.areFree
            ? .network(ConnectionProblem.hostNotFound.rawValue) : .noDescriptor
          finish(start.submission, with: .failure(problem))
        } else {
          begin(start, addresses: found.addresses)
        }
      }
    }

    private func begin(_ start: CurlStart, addresses: [String]) {
      if let problem = add(start, addresses) { finish(start.submission, with: .failure(problem)) }
    }

    /// Adds a transfer to libcurl. Returns the error if that fails.
    private func add(_ start: CurlStart, _ addresses: [String]) -> HTTPExchangeError? {
      let now = ContinuousClock.now
      if start.end <= now { return .timedOut }
      // libcurl does not watch the time of a transfer that waits for the connection of another one.
      watch(start.end.advanced(by: Self.grace))
      guard
        let transfer = CurlTransfer(start, addresses, at: now, activity, settings),
        let pool = connections.adopt(transfer.easy, origin: start.submission.origin, start.route)
      else { return .network("libcurl has no memory, or lacks a required option") }
      transfer.pool = pool
      let easy = transfer.easy
      let code = libcurl_multi_add(multi, easy)
      guard code == 0 else {
        connections.leave(pool, easy)
        return .network("libcurl rejected the request (code \(code))")
      }
      active[easy] = transfer
      handles[start.submission.id] = easy
      return nil
    }

    /// Ends a transfer whose caller was cancelled.
    private func cancel(_ id: TransferQueue.ID) {
      if queue.cancel(id) {
        waiting[id] = nil
      } else if let start = nameWaiters.remove(id) {
        leave(start.submission)
      } else if let easy = handles[id], let transfer = active[easy] {
        remove(transfer, withoutAnswer: true)
        leave(transfer.submission)
      }
    }

    /// Resumes the callers of ended transfers. Returns whether there were any.
    private func finishEnded() -> Bool {
      var hasFinished = false
      var code: Int32 = 0
      while true {
        // Safe: libcurl writes `code` during the call.
        let easy = unsafe libcurl_multi_next_ended(multi, &code)
        if easy == 0 { return hasFinished }
        hasFinished = true
        guard let transfer = active[easy] else {
          libcurl_multi_remove(multi, easy)
          continue
        }
        let hasTimedOut = code == CurlErrorMapping.timeout
        let pool = transfer.pool
        remove(transfer, withoutAnswer: hasTimedOut, hasTimedOut: hasTimedOut)
        if transfer.foundUnaskedInput, code == CurlErrorMapping.refused, let pool {
          // Nothing was sent. The next connection is a new one.
          connections.abandon(pool, origin: transfer.submission.origin)
          begin(transfer.start, addresses: transfer.addresses)
          continue
        }
        finish(transfer.submission, with: transfer.response.result(code: code))
      }
    }

    /// Removes a transfer from libcurl.
    ///
    /// - Parameters:
    ///   - withoutAnswer: Whether the transfer ended without a response, so that its connection
    ///     must be examined.
    ///   - hasTimedOut: Whether the transfer timed out.
    private func remove(
      _ transfer: CurlTransfer, withoutAnswer: Bool, hasTimedOut: Bool = false
    ) {
      let easy = transfer.easy
      let suspicion =
        withoutAnswer
        ? connections.examine(easy, since: transfer.begin, hasTimedOut: hasTimedOut) : nil
      libcurl_multi_remove(multi, easy)
      active[easy] = nil
      handles[transfer.submission.id] = nil
      if hasTimedOut, transfer.hasSentNothing, let host = transfer.start.route.host {
        settings.lookups.moveFirstBack(of: host, triedAs: transfer.addresses)
      }
      transfer.readStatus()
      if let pool = transfer.pool.take() {
        connections.leave(pool, easy, isMultiplexed: transfer.response.isMultiplexed)
        if let suspicion {
          connections.act(on: suspicion, origin: transfer.submission.origin, pool: pool)
        }
      }
    }

    /// Resumes the caller of an admitted request.
    private func finish(
      _ submission: CurlInbox.Submission, with result: Result<HTTPExchangeResponse, any Error>
    ) {
      submission.response.end(with: result)
      leave(submission)
    }

    /// Admits the next request instead of one that ended. Requests that fail at once do not recurse
    /// deeper than one level.
    private func leave(_ submission: CurlInbox.Submission) {
      guard
        let next = queue.finish(host: submission.origin).flatMap({ waiting.removeValue(forKey: $0) }
        )
      else { return }
      begun.append(next)
      if begun.count > 1 { return }
      while let submission = begun.first {
        begin(submission)
        begun.removeFirst()
      }
    }

    /// Requests that are admitted and about to begin.
    private var begun: [CurlInbox.Submission] = []

    /// Fails all current and later requests without a call into libcurl.
    private func failAll() {
      inbox.refuse()
      let active = active.values.map(\.submission)
      let names = nameWaiters.removeAll().map(\.submission)
      for submission in active + names + Array(waiting.values) + begun {
        submission.response.end(with: .failure(CurlInbox.refusal))
      }
    }

    /// Ends everything. No caller is waiting, because callers keep the exchange alive.
    private func end(_ pendingWork: CurlInbox.PendingWork, _ driver: libcurl_driver) {
      inbox.forgetMulti()
      for transfer in active.values {
        libcurl_multi_remove(multi, transfer.easy)
        if let pool = transfer.pool.take() { connections.leave(pool, transfer.easy) }
        transfer.submission.response.cancel()
      }
      let names = nameWaiters.removeAll()
      for submission in pendingWork.submissions + Array(waiting.values) + names.map(\.submission) {
        submission.response.cancel()
      }
      active = [:]
      connections.closeAll()
      libcurl_driver_leave(driver, multi)
      connections.destroy()
    }
  }
#endif
