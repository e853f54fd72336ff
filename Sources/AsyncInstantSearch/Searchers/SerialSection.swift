private import Synchronization

#if canImport(Darwin)
  private import Darwin
#elseif canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Android)
  private import Android
#endif

/// The serial executor of an actor whose state synchronous code can use as well.
///
/// An actor's executor runs its isolated code serially. Here a lock does, and ``enter(_:)`` is the
/// entry, for short synchronous work. So synchronous calls change the actor's state in the order of
/// the calls, and `assumeIsolated` lets the compiler check that no other code does.
///
/// No code awaits an isolated member of the core, so ``enqueue(_:)`` is never called. An executor
/// requires it, and it is correct: a job would run serially under the same lock.
///
/// A thread that is in the section already enters again without waiting.
final class SerialSection: SerialExecutor {
  private let section = Lock(())
  /// The thread that is in the section; 0 if the section is free. Only a thread in the section
  /// writes its own number, so no other thread ever reads that number.
  private let owner = Atomic<UInt>(0)
  private let executor: (any TaskExecutor)?

  /// Creates a section.
  ///
  /// - Parameter executor: Runs the jobs of `await`. Defaults to the global one.
  init(executor: (any TaskExecutor)?) {
    self.executor = executor
  }

  /// Runs `body` while no other thread is in the section.
  ///
  /// It must be short, and must not call foreign code: no callback, no continuation, no task.
  func enter<Value: Sendable>(_ body: () -> Value) -> Value {
    if isEntered { return body() }
    return section.withLock { _ in
      owner.store(Self.thread, ordering: .relaxed)
      defer { owner.store(0, ordering: .relaxed) }
      return body()
    }
  }

  /// Runs a job under the lock, on the task executor.
  func enqueue(_ job: consuming ExecutorJob) {
    let priority = TaskPriority(job.priority)
    let job = UnownedJob(job)
    TaskBag.start(on: executor, priority: priority) {
      self.enter {
        // Safe: the unowned reference is to `self`, which outlives this call. The task runs once,
        // so the job does.
        unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
      }
    }
  }

  /// Stops the program unless the calling thread is in the section.
  func checkIsolated() {
    precondition(isEntered, "The calling thread is not in the section of the actor.")
  }

  private var isEntered: Bool { owner.load(ordering: .relaxed) == Self.thread }

  /// The number of the calling thread, which is not 0.
  private static var thread: UInt {
    #if canImport(Darwin) || canImport(Musl)
      // Safe: the pointer is used as a number and never dereferenced.
      unsafe UInt(bitPattern: pthread_self())
    #else
      UInt(truncatingIfNeeded: pthread_self())
    #endif
  }
}
