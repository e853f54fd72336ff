/// The values kept for one subscriber, and the subscriber when it waits for one: a pure value.
struct StreamMailbox<Element: Sendable> {
  typealias Continuation = CheckedContinuation<Element?, Never>

  /// A waiting subscriber and what it is to receive; `nil` ends its stream.
  struct Resumption: Sendable {
    let continuation: Continuation
    let value: Element?
  }

  /// What a subscriber that asks for a value gets.
  enum Taking {
    case value(Element)
    case ended
    case waiting
  }

  private let limit: Int
  private var kept: ArraySlice<Element> = []
  private var waiting: [Continuation] = []
  private var isFinished = false

  init(limit: Int) {
    self.limit = limit
  }

  /// Hands `value` to the longest-waiting subscriber, or keeps it.
  mutating func put(_ value: Element) -> Resumption? {
    if isFinished { return nil }
    if !waiting.isEmpty {
      return Resumption(continuation: waiting.removeFirst(), value: value)
    }
    kept.append(value)
    if kept.count > limit { kept.removeFirst() }
    return nil
  }

  /// Takes the oldest kept value, or remembers the continuation until there is one.
  mutating func take(_ continuation: Continuation) -> Taking {
    if let value = kept.popFirst() { return .value(value) }
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
}
