import Synchronization

/// Short synchronous state behind a lock: `Mutex`, made visible to the thread sanitizer.
///
/// On Linux the sanitizer cannot see into `Mutex`, whose release lies in the uninstrumented
/// standard library, and reports every contended one as a race. The pair of acquire and release
/// below says the same thing in words it knows; on x86-64 they are plain moves, on ARM one barrier
/// each.
package struct Lock<State: ~Copyable>: ~Copyable, Sendable {
  private let mutex: Mutex<State>
  private let order = Atomic<Bool>(false)

  /// Creates a lock around a first state.
  package init(_ initial: consuming sending State) {
    mutex = Mutex(initial)
  }

  /// Calls `body` with the state while no other thread has it.
  ///
  /// It must not call code of others: no callback, no continuation, no task.
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
