import Synchronization

/// A lock around short synchronous state: `Mutex`, made visible to the thread sanitizer.
///
/// On Linux the sanitizer cannot see into `Mutex`, and reports every contended one as a race. The
/// atomic acquire and release express the same ordering in a form that it recognizes.
struct Lock<State: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<State>
  private let order = Atomic<Bool>(false)

  init(_ initial: consuming sending State) {
    mutex = Mutex(initial)
  }

  /// Calls `body` with exclusive access to the state.
  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { state throws(Failure) in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return try body(&state)
    }
  }
}
