/// A growing list that tests can wait on.
public final class AwaitableList<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Lock(State())

  /// Creates an empty list.
  public init() {}

  /// The elements so far.
  public var elements: [Element] { state.withLock { $0.elements } }

  /// Appends an element, and returns its index.
  @discardableResult
  public func append(_ element: Element) -> Int {
    let (index, due) = state.withLock { state in
      state.elements.append(element)
      let count = state.elements.count
      let due = state.waiters.filter { $0.count <= count }
      state.waiters.removeAll { $0.count <= count }
      return (count - 1, due)
    }
    for waiter in due { waiter.continuation.resume() }
    return index
  }

  /// Returns once the list has this many elements.
  public func reach(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.elements.count >= count { return true }
        state.waiters.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }
}
