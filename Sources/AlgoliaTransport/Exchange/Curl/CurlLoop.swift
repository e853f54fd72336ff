#if os(Linux)
  import AsyncInstantSearch
  import Foundation
  import CInstantSearchCurl

  /// Drives all transfers of an exchange, on one thread that nobody else enters.
  ///
  ///     take what came in -> begin, withdraw -> perform -> resume those that ended -> wait
  ///
  /// Every call into libcurl but the one that wakes this thread is made here, so that a transfer is
  /// never ended in one place while it goes on in another.
  final class CurlLoop {
    /// Handles kept for later transfers, as making one costs more than resetting it.
    private static let spareCount = 64

    /// How long the lookup of a name may take, with some name servers that do not answer.
    private static let lookupTime = Duration.seconds(30)

    private let inbox: CurlInbox
    private let multi: libcurl_multi
    private let limits: CurlInbox.Limits
    private var queue: TransferQueue
    private var waiting: [TransferQueue.ID: CurlInbox.Order] = [:]
    private var active: [libcurl_easy: CurlTransfer] = [:]
    private var handles: [TransferQueue.ID: libcurl_easy] = [:]
    private var spares: [libcurl_easy] = []
    /// When the first of those ends whose time this loop counts; `nil` when there is none.
    private var nextEnd: ContinuousClock.Instant?

    init?(inbox: CurlInbox) {
      guard let multi = inbox.multi else { return nil }
      self.inbox = inbox
      self.multi = multi
      limits = inbox.limits
      queue = TransferQueue(limit: limits.configuration.maximumConnectionsPerHost)
    }

    /// Runs until the inbox is closed.
    func run() {
      libcurl_ignore_broken_pipes_on_this_thread()
      let driver = libcurl_driver_enter(multi)
      while true {
        libcurl_driver_stay_at_exit(driver)
        let contents = inbox.take()
        if contents.isClosed { return end(contents, driver) }
        for order in contents.orders { admit(order) }
        for id in contents.withdrawals { withdraw(id) }
        libcurl_multi_perform(multi)
        // Those that wait begin as others end, and one that cannot begin has ended.
        let hasFinished = finishEnded()
        endOverdue()
        if !hasFinished { wait() }
      }
    }

    private func wait() {
      var pause = Duration.seconds(active.isEmpty ? 60 : 1)
      if let nextEnd { pause = min(pause, nextEnd - ContinuousClock.now) }
      if libcurl_multi_wait(multi, Int32(clamping: pause.wholeMilliseconds)) != 0 {
        // Out of memory, most likely; without a pause this would keep a core busy.
        Thread.sleep(forTimeInterval: 0.05)
      }
    }

    /// Ends those that have waited for their turn for all of their time; and of those under way the ones
    /// that libcurl is not to end by itself.
    private func endOverdue() {
      let now = ContinuousClock.now
      guard let end = nextEnd, end <= now else { return }
      nextEnd = nil
      for order in waiting.values {
        if order.end > now {
          watch(order.end)
        } else if queue.withdraw(order.id) {
          waiting[order.id] = nil
          order.answer.end(with: .failure(HTTPExchangeError.timedOut))
        }
      }
      if !limits.endsDuringLookup { endUnwanted(at: now) }
      // Not too often, as every look is at all of them.
      nextEnd = nextEnd.map { max($0, now.advanced(by: .milliseconds(5))) }
    }

    /// Resumes the callers of the transfers whose time is up, and ends these and those whose callers have
    /// gone, once no lookup would hold that up.
    private func endUnwanted(at now: ContinuousClock.Instant) {
      for transfer in active.values {
        if transfer.end > now, !transfer.order.answer.hasEnded {
          watch(transfer.end)
          continue
        }
        transfer.order.answer.end(with: .failure(HTTPExchangeError.timedOut))
        if !end(transfer) { watch(now.advanced(by: .milliseconds(200))) }
      }
    }

    /// Ends a transfer and gives its place to the next; `false` when its name is still looked up, for
    /// which libcurl would wait.
    private func end(_ transfer: CurlTransfer) -> Bool {
      guard limits.endsDuringLookup || transfer.hasAddress else { return false }
      if let ended = remove(transfer.easy) { release(ended) }
      return true
    }

    private func watch(_ end: ContinuousClock.Instant) {
      nextEnd = min(nextEnd ?? end, end)
    }

    private func admit(_ order: CurlInbox.Order) {
      if queue.enter(order.id, host: order.host) {
        begin(order)
      } else {
        waiting[order.id] = order
        watch(order.end)
      }
    }

    private func begin(_ order: CurlInbox.Order) {
      var order = order
      while true {
        guard let problem = start(order) else { return }
        order.answer.end(with: .failure(problem))
        guard let next = nextOrder(afterOneTo: order.host) else { return }
        order = next
      }
    }

    /// Starts a transfer, or says why it cannot be.
    private func start(_ order: CurlInbox.Order) -> HTTPExchangeError? {
      let timeLeft = order.end - ContinuousClock.now
      if timeLeft <= .zero { return .timedOut }
      let easy = spares.popLast() ?? libcurl_easy_make()
      guard easy != 0 else { return .network("libcurl has no memory") }
      guard
        let transfer = CurlTransfer(
          order, on: easy, timeLeft: timeLeft, configuration: limits.configuration,
          grace: limits.endsDuringLookup ? .zero : Self.lookupTime)
      else {
        libcurl_easy_destroy(easy)
        return .network("libcurl has no memory")
      }
      let code = libcurl_multi_add(multi, easy)
      guard code == 0 else {
        libcurl_easy_destroy(easy)
        return .network("libcurl could not begin (code \(code))")
      }
      active[easy] = transfer
      handles[order.id] = easy
      if !limits.endsDuringLookup { watch(transfer.end) }
      return nil
    }

    /// Ends a transfer whose caller has gone, now or when the lookup of its name is over.
    private func withdraw(_ id: TransferQueue.ID) {
      if queue.withdraw(id) {
        waiting[id] = nil
      } else if let easy = handles[id], let transfer = active[easy], !end(transfer) {
        watch(ContinuousClock.now)
      }
    }

    /// Resumes the callers of the transfers that have ended; whether there were any.
    private func finishEnded() -> Bool {
      var hasFinished = false
      var code: Int32 = 0
      while true {
        let easy = unsafe libcurl_multi_next_ended(multi, &code)
        if easy == 0 { return hasFinished }
        hasFinished = true
        guard let transfer = remove(easy) else { continue }
        transfer.order.answer.end(with: transfer.result(code: code))
        release(transfer)
      }
    }

    /// Takes a transfer from libcurl.
    private func remove(_ easy: libcurl_easy) -> CurlTransfer? {
      libcurl_multi_remove(multi, easy)
      guard let transfer = active.removeValue(forKey: easy) else { return nil }
      handles[transfer.order.id] = nil
      transfer.readStatus()
      if spares.count < Self.spareCount {
        libcurl_easy_reset(easy)
        spares.append(easy)
      } else {
        libcurl_easy_destroy(easy)
      }
      return transfer
    }

    /// Gives the place of a transfer to the next.
    private func release(_ transfer: CurlTransfer) {
      if let next = nextOrder(afterOneTo: transfer.order.host) { begin(next) }
    }

    private func nextOrder(afterOneTo host: String) -> CurlInbox.Order? {
      queue.leave(host: host).flatMap { waiting.removeValue(forKey: $0) }
    }

    /// Ends everything. An exchange lives for as long as anybody waits for it, so nobody does.
    private func end(_ contents: CurlInbox.Contents, _ driver: libcurl_driver) {
      inbox.forgetMulti()
      for transfer in active.values {
        libcurl_multi_remove(multi, transfer.easy)
        libcurl_easy_destroy(transfer.easy)
        transfer.order.answer.abandon()
      }
      for order in contents.orders + Array(waiting.values) { order.answer.abandon() }
      for easy in spares { libcurl_easy_destroy(easy) }
      libcurl_driver_leave(driver, multi)
    }
  }
#endif
