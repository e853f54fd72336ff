/// Delivers every value to every subscriber, each through a separate `AsyncStream`.
///
/// - A subscriber receives the current value first, if the hub replays it, then each newer one.
/// - Values are buffered per subscriber according to its ``StreamBuffering``. A slow subscriber
///   does not affect the others.
/// - No subscriber receives a value equal to the one before it, if the hub was created with an
///   equality.
/// - A subscriber that leaves (break, cancellation, dropping the stream) is removed at once.
///
/// An owner with its own lock calls ``stage(_:)`` under that lock, which fixes the order, and
/// ``Delivery/perform()`` after it. No continuation is resumed and no value is released under a
/// lock.
package final class StreamHub<Element: Sendable>: Sendable {
  private struct State {
    var current: Element?
    var isFinished = false
    var nextID: UInt64 = 0
    var mailboxes: [UInt64: StreamMailbox<Element>] = [:]
  }

  /// The continuations to resume after a change of the hub, and the values to release.
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
  ///   - initial: The current value. Defaults to none.
  ///   - replaysCurrent: Whether a new subscriber receives the current value first: true for
  ///     states, false for events.
  ///   - areEqual: Returns whether two values are equal, so that equal ones are not repeated.
  ///     Defaults to `nil`, which sends every value.
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

  /// The number of current subscribers.
  package var subscriberCount: Int { state.withLock { $0.mailboxes.count } }

  /// Makes `value` the current one and puts it into every mailbox, without resuming subscribers.
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

  /// Makes `value` the current one and delivers it to every subscriber.
  package func send(_ value: Element) {
    stage(value).perform()
  }

  /// Ends every stream after its buffered values. Later values are ignored.
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

  /// Returns a stream for a new subscription, which is registered before the method returns.
  package func stream(buffering: StreamBuffering = .newest(1)) -> AsyncStream<Element> {
    stream(buffering: buffering) { $0 }
  }

  /// Returns a stream for a new subscription whose values pass through `transform` on the
  /// consumer's side. A value for which it returns `nil` is skipped.
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
      // A new mailbox is empty and has no waiting subscriber: nothing is resumed or discarded.
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

/// One subscriber's reference to a hub. The hub removes the subscriber when this is deallocated.
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

/// The buffered values of one subscriber, and its continuations while it waits: a pure value.
struct StreamMailbox<Element: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Element?, Never>

  /// A waiting subscriber and the value it receives; `nil` ends its stream.
  struct Resumption: Sendable {
    let continuation: Continuation
    let value: Element?
  }

  /// The result of a subscriber's request for a value.
  enum TakeResult: Sendable {
    case value(Element)
    case ended
    case waiting
  }

  private let limit: Int
  private let areEqual: (@Sendable (Element, Element) -> Bool)?
  private var kept = Queue<Element>()
  /// The last received value, if equal values are not repeated.
  private var received: Element?
  private var waiting: [Continuation] = []
  private var isFinished = false

  init(limit: Int, areEqual: (@Sendable (Element, Element) -> Bool)?) {
    self.limit = limit
    self.areEqual = areEqual
  }

  /// Hands `value` to the longest-waiting subscriber, or buffers it. A value that is dropped from
  /// the buffer goes to `discarded`, because releasing a value can run its owner's code.
  mutating func put(_ value: Element, discarded: inout [Element]) -> Resumption? {
    if isFinished { return nil }
    if !waiting.isEmpty {
      note(value, discarded: &discarded)
      return Resumption(continuation: waiting.removeFirst(), value: value)
    }
    kept.append(value)
    if kept.count > limit, let oldest = kept.popFirst() {
      discarded.append(oldest)
      // The oldest remaining value may equal the one that the subscriber received last.
      if let areEqual, let received, let next = kept.first, areEqual(received, next),
        let repeated = kept.popFirst()
      {
        discarded.append(repeated)
      }
    }
    return nil
  }

  /// Removes the oldest buffered value, or stores the continuation until there is one.
  mutating func take(_ continuation: Continuation, discarded: inout [Element]) -> TakeResult {
    if let value = kept.popFirst() {
      note(value, discarded: &discarded)
      return .value(value)
    }
    if isFinished { return .ended }
    waiting.append(continuation)
    return .waiting
  }

  /// Ends the stream after the buffered values, and ends it for every waiting subscriber.
  mutating func finish() -> [Resumption] {
    isFinished = true
    defer { waiting = [] }
    return waiting.map { Resumption(continuation: $0, value: nil) }
  }

  private mutating func note(_ value: Element, discarded: inout [Element]) {
    guard areEqual != nil else { return }
    if let received { discarded.append(received) }
    received = value
  }
}

/// The number of values that a stream buffers while its consumer is busy.
public struct StreamBuffering: Sendable, Hashable {
  /// The maximum number of buffered values; `Int.max` for no limit.
  let limit: Int

  /// Buffers the newest `count` values, at least one, and drops older ones. State streams buffer
  /// one.
  public static func newest(_ count: Int) -> StreamBuffering {
    StreamBuffering(limit: max(1, count))
  }

  /// Buffers every value. The buffer grows without limit if the consumer stops reading.
  public static let unbounded = StreamBuffering(limit: .max)
}

/// A first-in, first-out queue with constant-time operations that releases removed values.
package struct Queue<Element> {
  private var slots: [Element?] = []
  private var head = 0

  package init() {}

  package var count: Int { slots.count - head }

  package var first: Element? { head < slots.count ? slots[head] : nil }

  package mutating func append(_ value: Element) {
    slots.append(value)
  }

  package mutating func popFirst() -> Element? {
    guard head < slots.count, let value = slots[head] else { return nil }
    slots[head] = nil
    head += 1
    // Removed slots are freed once they are half of all: constant time on average.
    if head * 2 >= slots.count {
      slots.removeFirst(head)
      head = 0
    }
    return value
  }
}

extension Queue: Sendable where Element: Sendable {}

extension AsyncStream where Element: Sendable {
  /// Calls a closure with each value, in a task that retains only the stream.
  ///
  /// ```swift
  /// searcher.pages(of: Hit<Film>.self).subscribe { @MainActor page in screen.draw(page) }
  /// ```
  ///
  /// A loop in your own task retains the objects that its closure captures:
  /// `Task { for await page in searcher.pages(of: Film.self) { … } }` retains the searcher, whose
  /// stream then never ends. This method creates the stream first. The searcher is therefore
  /// deallocated with its last reference, which ends the stream and the task, unless `receive`
  /// retains the searcher too.
  ///
  /// The subscription is registered before the method returns. The next value is read when the
  /// closure has returned.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task. Defaults to the current task's priority.
  ///   - receive: Runs for each value, on the actor to which it belongs.
  /// - Returns: The subscription. It stays active if it is dropped; `disconnect()` ends it and its
  ///   task.
  @discardableResult
  public func subscribe(
    priority: TaskPriority? = nil,
    _ receive: @escaping @isolated(any) @Sendable (Element) async -> Void
  ) -> Connection {
    let values = self
    let tasks = TaskBag<Int>(priority: priority)
    tasks.replace(0) {
      for await value in values {
        if Task.isCancelled { break }
        await receive(value)
      }
      // The task retains the bag, because the subscription stays active without the connection.
      withExtendedLifetime(tasks) {}
    }
    return Connection { tasks.cancelAll() }
  }
}
