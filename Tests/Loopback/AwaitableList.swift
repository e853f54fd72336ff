import InstantSearchAPI

/// A growing list that tests can wait on.
package final class AwaitableList<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Lock(State())

  package init() {}

  package var elements: [Element] { state.withLock { $0.elements } }

  /// Appends an element, and returns its index.
  @discardableResult
  package func append(_ element: Element) -> Int {
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
  package func reach(_ count: Int) async {
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
