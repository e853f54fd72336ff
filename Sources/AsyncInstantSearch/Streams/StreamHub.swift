/// Gives every value to every subscriber, each through an `AsyncStream` of its own.
///
/// - A subscriber receives the current value first, if the hub replays, then each newer one.
/// - Values are kept per subscriber by its ``StreamBuffering``; a slow subscriber disturbs no
///   other.
/// - No subscriber receives a value equal to the one before it, if the hub was made with an
///   equality.
/// - A subscriber that leaves (break, cancellation, dropping the stream) is forgotten at once.
///
/// An owner with a lock of its own calls ``stage(_:)`` under it, which fixes the order, and
/// ``Delivery/perform()`` after it: under a lock no continuation is resumed and no value released.
package final class StreamHub<Element: Sendable>: Sendable {
  private struct State {
    var current: Element?
    var isFinished = false
    var nextID: UInt64 = 0
    var mailboxes: [UInt64: StreamMailbox<Element>] = [:]
  }

  /// The resumptions that a change of the hub has made due, and the values it does not need any
  /// more.
  package struct Delivery: Sendable {
    fileprivate var resumptions: [StreamMailbox<Element>.Resumption] = []
    fileprivate var discarded: [Element] = []
    fileprivate var mailbox: StreamMailbox<Element>?

    /// Resumes the waiting subscribers and releases the values. Call it without holding a lock.
    package consuming func perform() {
      for resumption in resumptions { resumption.continuation.resume(returning: resumption.value) }
    }
  }

  private let state = Lock(State())
  private let replaysCurrent: Bool
  private let areEqual: (@Sendable (Element, Element) -> Bool)?

  /// Creates a hub.
  ///
  /// - Parameters:
  ///   - initial: the current value, if there is one already.
  ///   - replaysCurrent: whether a new subscriber receives the current value first: true for
  ///     states, false for events.
  ///   - areEqual: tells values apart, so that equal ones are not repeated; `nil` sends all.
  package init(
    initial: Element? = nil,
    replaysCurrent: Bool,
    areEqual: (@Sendable (Element, Element) -> Bool)? = nil
  ) {
    self.replaysCurrent = replaysCurrent
    self.areEqual = areEqual
    state.withLock { $0.current = initial }
  }

  /// The newest value.
  package var current: Element? { state.withLock { $0.current } }

  /// The number of subscribers that have not left.
  package var subscriberCount: Int { state.withLock { $0.mailboxes.count } }

  /// Makes `value` the current one and puts it into every mailbox; resumes nobody yet.
  package func stage(_ value: Element) -> Delivery {
    state.withLock { state in
      var delivery = Delivery()
      if state.isFinished { return delivery }
      if let areEqual, let current = state.current, areEqual(current, value) { return delivery }
      if let current = state.current { delivery.discarded.append(current) }
      state.current = value
      for id in state.mailboxes.keys {
        if let resumption = state.mailboxes[id]?.put(value, discarded: &delivery.discarded) {
          delivery.resumptions.append(resumption)
        }
      }
      return delivery
    }
  }

  /// Makes `value` the current one and gives it to every subscriber.
  package func send(_ value: Element) {
    stage(value).perform()
  }

  /// Ends every stream, after the values already kept for it; later values are ignored.
  package func finish() {
    let delivery = state.withLock { state in
      var delivery = Delivery()
      state.isFinished = true
      for id in state.mailboxes.keys {
        delivery.resumptions += state.mailboxes[id]?.finish() ?? []
      }
      return delivery
    }
    delivery.perform()
  }

  /// A new subscription, registered now, as a stream.
  package func stream(buffering: StreamBuffering = .newest(1)) -> AsyncStream<Element> {
    stream(buffering: buffering) { $0 }
  }

  /// A new subscription whose values pass through `transform` on the consumer's side; a value for
  /// which it returns `nil` is left out.
  package func stream<Output>(
    buffering: StreamBuffering = .newest(1),
    transform: @escaping @concurrent @Sendable (Element) async -> Output?
  ) -> AsyncStream<Output> {
    let subscription = StreamSubscription(hub: self, id: subscribe(buffering))
    return AsyncStream {
      while let value = await subscription.next() {
        if let output = await transform(value) { return output }
      }
      return nil
    } onCancel: {
      subscription.cancel()
    }
  }

  private func subscribe(_ buffering: StreamBuffering) -> UInt64 {
    state.withLock { state in
      let id = state.nextID
      state.nextID += 1
      var mailbox = StreamMailbox<Element>(limit: buffering.limit, areEqual: areEqual)
      // Nobody waits in a new mailbox and nothing is in it: there is nothing to resume or discard.
      var discarded: [Element] = []
      if replaysCurrent, let current = state.current {
        _ = mailbox.put(current, discarded: &discarded)
      }
      if state.isFinished { _ = mailbox.finish() }
      state.mailboxes[id] = mailbox
      return id
    }
  }

  fileprivate func next(_ id: UInt64) async -> Element? {
    await withCheckedContinuation { continuation in
      let (outcome, discarded) = state.withLock { state in
        var discarded: [Element] = []
        let outcome = state.mailboxes[id]?.take(continuation, discarded: &discarded)
        return (outcome ?? .ended, discarded)
      }
      switch outcome {
      case .value(let value): continuation.resume(returning: value)
      case .ended: continuation.resume(returning: nil)
      case .waiting: break
      }
      withExtendedLifetime(discarded) {}
    }
  }

  fileprivate func unsubscribe(_ id: UInt64) {
    let delivery = state.withLock { state in
      var mailbox = state.mailboxes.removeValue(forKey: id)
      return Delivery(resumptions: mailbox?.finish() ?? [], mailbox: mailbox)
    }
    delivery.perform()
  }
}

/// One subscriber's hold on a hub; the hub forgets the subscriber when this is released.
private final class StreamSubscription<Element: Sendable>: Sendable {
  private let hub: StreamHub<Element>
  private let id: UInt64

  init(hub: StreamHub<Element>, id: UInt64) {
    self.hub = hub
    self.id = id
  }

  deinit {
    hub.unsubscribe(id)
  }

  func next() async -> Element? {
    await hub.next(id)
  }

  func cancel() {
    hub.unsubscribe(id)
  }
}
