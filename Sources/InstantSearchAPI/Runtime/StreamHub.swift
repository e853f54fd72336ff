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

/// The values kept for one subscriber, and the subscriber when it waits for one: a pure value.
struct StreamMailbox<Element: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Element?, Never>

  /// A waiting subscriber and what it is to receive; `nil` ends its stream.
  struct Resumption: Sendable {
    let continuation: Continuation
    let value: Element?
  }

  /// What a subscriber that asks for a value gets.
  enum TakeResult: Sendable {
    case value(Element)
    case ended
    case waiting
  }

  private let limit: Int
  private let areEqual: (@Sendable (Element, Element) -> Bool)?
  private var kept = Queue<Element>()
  /// The value received last, where equal ones are not to be repeated.
  private var received: Element?
  private var waiting: [Continuation] = []
  private var isFinished = false

  init(limit: Int, areEqual: (@Sendable (Element, Element) -> Bool)?) {
    self.limit = limit
    self.areEqual = areEqual
  }

  /// Hands `value` to the longest-waiting subscriber, or keeps it. What has to make room for it
  /// goes to `discarded`, because releasing a value may run its owner's code.
  mutating func put(_ value: Element, discarded: inout [Element]) -> Resumption? {
    if isFinished { return nil }
    if !waiting.isEmpty {
      note(value, discarded: &discarded)
      return Resumption(continuation: waiting.removeFirst(), value: value)
    }
    kept.append(value)
    if kept.count > limit, let oldest = kept.popFirst() {
      discarded.append(oldest)
      // The oldest one left may be what the subscriber has already.
      if let areEqual, let received, let next = kept.first, areEqual(received, next),
        let repeated = kept.popFirst()
      {
        discarded.append(repeated)
      }
    }
    return nil
  }

  /// Takes the oldest kept value, or remembers the continuation until there is one.
  mutating func take(_ continuation: Continuation, discarded: inout [Element]) -> TakeResult {
    if let value = kept.popFirst() {
      note(value, discarded: &discarded)
      return .value(value)
    }
    if isFinished { return .ended }
    waiting.append(continuation)
    return .waiting
  }

  /// Ends the stream once the kept values are taken; every waiting subscriber receives the end.
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

/// How many values a stream keeps for a consumer that is not waiting for one.
public struct StreamBuffering: Sendable, Hashable {
  /// The number of values that are kept; `Int.max` keeps all of them.
  let limit: Int

  /// Keeps the newest `count` values, at least one, and drops older ones. State streams keep one.
  public static func newest(_ count: Int) -> StreamBuffering {
    StreamBuffering(limit: max(1, count))
  }

  /// Keeps every value. A consumer that stops reading lets the buffer grow without limit.
  public static let unbounded = StreamBuffering(limit: .max)
}

/// First in, first out, in constant time; a value that was taken is not kept.
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
    // Taken places are given back when they are half of all: constant time on average.
    if head * 2 >= slots.count {
      slots.removeFirst(head)
      head = 0
    }
    return value
  }
}

extension Queue: Sendable where Element: Sendable {}

extension AsyncStream where Element: Sendable {
  /// Calls a closure with each value, in a task that holds the stream only.
  ///
  /// ```swift
  /// searcher.pages(of: Hit<Film>.self).subscribe { @MainActor page in screen.draw(page) }
  /// ```
  ///
  /// A loop in a task of your own holds what its closure mentions:
  /// `Task { for await page in searcher.pages(of: Film.self) { … } }` keeps the searcher, whose
  /// stream then never ends. Here the stream is made first, so the searcher goes with its last
  /// reference, the stream ends, and so does the task; as long as `receive` does not hold the
  /// searcher either.
  ///
  /// The subscription begins with the call, before it returns. The next value is taken when the
  /// closure has returned.
  ///
  /// - Parameters:
  ///   - priority: The task's priority; that of the current task by default.
  ///   - receive: Called with each value, on the actor it belongs to.
  /// - Returns: The subscription. It stays when it is dropped; `disconnect()` ends it, and with it
  ///   the task.
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
      // The task holds the bag, because the subscription stays when the connection is dropped.
      withExtendedLifetime(tasks) {}
    }
    return Connection { tasks.cancelAll() }
  }
}
