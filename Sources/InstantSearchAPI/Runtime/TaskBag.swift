/// The tasks of one owner, each under a key.
///
/// This is the only type in the libraries that creates tasks, except in the test kit.
///
/// The owner decides under its lock and acts after it. Starting a task therefore has two steps:
/// the owner reserves the key under the lock, and starts the task after it. A key that is
/// cancelled between the two steps never starts, and a task that is cancelled before it is stored
/// is not lost. A state machine needs no task in its state: its actions name the key.
///
/// A task leaves the bag when it ends. Deallocating the bag cancels its tasks, so a task must not
/// retain its owner unless it ends by itself.
package final class TaskBag<Key: Hashable & Sendable>: Sendable {
  /// A reserved key; `task` is `nil` until it is started.
  private struct Slot: Sendable {
    let number: UInt64
    var task: Task<Void, Never>?
  }

  private struct State: Sendable {
    var slots: [Key: Slot] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Lock(State())
  private let executor: (any TaskExecutor)?
  private let priority: TaskPriority?

  /// Creates an empty bag.
  ///
  /// - Parameters:
  ///   - executor: Runs the tasks. Defaults to the global executor.
  ///   - priority: The priority of the tasks. Defaults to the priority of the task that starts
  ///     them.
  package init(executor: (any TaskExecutor)? = nil, priority: TaskPriority? = nil) {
    self.executor = executor
    self.priority = priority
  }

  deinit {
    cancelAll()
  }

  /// Whether no key is reserved and no task is running.
  package var isEmpty: Bool { state.withLock { $0.slots.isEmpty } }

  /// Reserves a key for ``start(_:_:)``. It may be called under the owner's lock.
  ///
  /// A key is reserved again only after its task has ended or was cancelled.
  package func reserve(_ key: Key) {
    state.withLock { state in
      state.lastNumber += 1
      state.slots[key] = Slot(number: state.lastNumber)
    }
  }

  /// Starts the task of a reserved key, unless the key was cancelled. No lock may be held.
  package func start(_ key: Key, _ operation: @escaping @concurrent @Sendable () async -> Void) {
    let number = state.withLock { state -> UInt64? in
      guard let slot = state.slots[key], slot.task == nil else { return nil }
      return slot.number
    }
    guard let number else { return }
    let task = Task(executorPreference: executor, priority: priority) { [weak self] in
      await operation()
      self?.remove(key, number)
    }
    let isKept = state.withLock { state in
      guard state.slots[key]?.number == number else { return false }
      state.slots[key]?.task = task
      return true
    }
    // The key was cancelled in the meantime, or the task has already ended.
    if !isKept { task.cancel() }
  }

  /// Starts a task and cancels the previous task of the key. No lock may be held.
  package func replace(_ key: Key, _ operation: @escaping @concurrent @Sendable () async -> Void) {
    cancel(key)
    reserve(key)
    start(key, operation)
  }

  /// Cancels the task of a key, or its reservation. An unknown key is ignored. No lock may be held.
  package func cancel(_ key: Key) {
    state.withLock { $0.slots.removeValue(forKey: key) }?.task?.cancel()
  }

  /// Cancels all tasks and reservations. No lock may be held.
  package func cancelAll() {
    let slots = state.withLock { state in
      defer { state.slots = [:] }
      return state.slots
    }
    for slot in slots.values { slot.task?.cancel() }
  }

  private func remove(_ key: Key, _ number: UInt64) {
    state.withLock { state in
      if state.slots[key]?.number == number { state.slots[key] = nil }
    }
  }
}

extension TaskBag where Key == Never {
  /// Starts a task that belongs to no bag and is never cancelled, for work that must be done.
  ///
  /// - Parameter executor: Runs the task. Defaults to the global executor.
  package static func start(
    on executor: (any TaskExecutor)? = nil, priority: TaskPriority? = nil,
    _ operation: @escaping @concurrent @Sendable () async -> Void
  ) {
    Task(executorPreference: executor, priority: priority) { await operation() }
  }
}

/// Runs an operation, and calls a handler as soon as a deadline passes during it.
///
/// The operation is not cancelled: the handler makes it end, for example with an error.
///
/// - Parameters:
///   - deadline: The deadline. Without one, no task is started.
///   - executor: The executor of the task that waits for the deadline. Defaults to the global one.
///   - operation: The operation.
///   - handler: Called at most once, from another task. It can still run when the operation has
///     just ended.
package func withDeadlineHandler<Value>(
  _ deadline: Deadline?, executor: (any TaskExecutor)? = nil,
  operation: () async throws -> Value, onPassed handler: @escaping @Sendable () -> Void
) async rethrows -> Value {
  guard let deadline else { return try await operation() }
  let timer = TaskBag<Int>(executor: executor)
  timer.replace(0) {
    if await deadline.waitUntilPassed() { handler() }
  }
  defer { timer.cancelAll() }
  return try await operation()
}
