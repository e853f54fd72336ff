/// The values kept for one subscriber, and the subscriber when it waits for one: a pure value.
struct StreamMailbox<Element: Sendable>: Sendable {
  typealias Continuation = CheckedContinuation<Element?, Never>

  /// A waiting subscriber and what it is to receive; `nil` ends its stream.
  struct Resumption: Sendable {
    let continuation: Continuation
    let value: Element?
  }

  /// What a subscriber that asks for a value gets.
  enum Taking: Sendable {
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
  mutating func take(_ continuation: Continuation, discarded: inout [Element]) -> Taking {
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
