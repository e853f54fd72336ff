import Synchronization

/// A lock around short synchronous state: `Mutex`, made visible to the thread sanitizer.
///
/// On Linux the sanitizer cannot see into `Mutex`, whose release is in the uninstrumented standard
/// library, and reports every contended `Mutex` as a race. The atomic acquire and release below
/// express the same ordering in a form that it recognizes. On x86-64 they are plain moves, on ARM
/// one barrier each.
///
/// Other modules call the members unspecialized, because they are not public, which takes 60 ns a
/// call instead of 5: code that is called often reads what it needs once.
package struct Lock<State: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<State>
  private let order = Atomic<Bool>(false)

  /// Creates a lock around an initial state.
  package init(_ initial: consuming sending State) {
    mutex = Mutex(initial)
  }

  /// Calls `body` with exclusive access to the state.
  ///
  /// `body` must not call foreign code: no callback, continuation or task.
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { state throws(Failure) in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return try body(&state)
    }
  }
}

/// Numbers events in order, from any thread.
package final class Counter<Number: FixedWidthInteger & Sendable>: Sendable {
  private let upcoming: Lock<Number>

  /// Creates a counter whose first number is `first`.
  package init(from first: Number) {
    upcoming = Lock(first)
  }

  /// Returns the next number.
  package func next() -> Number {
    upcoming.withLock { number in
      defer { number += 1 }
      return number
    }
  }
}
