import Dispatch

/// A checked write that waits to be applied.
struct PreparedWrite<Result: Sendable>: Sendable {
  /// The written indices.
  let indexNames: [String]
  /// Other indices that become their replicas.
  let replicaNames: [String]
  /// The approximate number of changes, which take long to release if they are many.
  let partCount: Int
  /// Applies the changes.
  ///
  /// It runs a second time if the indices have other replicas than when the write started to wait.
  /// Then no other write is in progress.
  let changes: @Sendable (inout WriteTransaction) throws -> Void
  /// Returns the result, after the changes are published, for the time of the write.
  let result: @Sendable (_ time: String) -> Result

  /// Creates a write.
  init(
    to indexNames: [String], replicaNames: [String] = [], partCount: Int = 0,
    changes: @escaping @Sendable (inout WriteTransaction) throws -> Void,
    result: @escaping @Sendable (_ time: String) -> Result
  ) {
    self.indexNames = indexNames
    self.replicaNames = replicaNames
    self.partCount = partCount
    self.changes = changes
    self.result = result
  }
}

extension PreparedWrite {
  /// Creates a write that changes records of one index.
  init(
    _ changes: [RecordChange], to indexName: String, createsIndex: Bool,
    result: @escaping @Sendable (_ time: String) -> Result
  ) {
    self.init(
      to: [indexName], partCount: changes.count,
      changes: { try $0.apply(changes, to: indexName, createsIndex: createsIndex) },
      result: result)
  }

  /// Returns the indices that the write may need, with their current replicas.
  fileprivate func indexNames(in store: IndexStore) -> Set<String> {
    let snapshots = store.snapshots
    var names = Set(indexNames)
    for name in indexNames { names.formUnion(snapshots[name]?.settings.replicaNames ?? []) }
    names.formUnion(replicaNames)
    return names
  }
}

extension LocalSearch {
  /// The progress of a write.
  private enum Progress<Result: Sendable> {
    case waiting(WaitingWrite<Result>, WriteScheduler.Permit)
    case done(Result)
  }

  /// Performs a write and publishes its changes. When it returns, the next search sees them.
  ///
  /// The write waits for its permit without a thread. Until it is published, cancellation and its
  /// deadline end it without changes. After that it has succeeded.
  ///
  /// - Parameter kind: The kind of the work that prepares the write. Defaults to that of a write.
  /// - Throws: An `APIError` if the write is not possible. `CancellationError` if the task was
  ///   cancelled before the write was published. `SearchError` with code `timedOut` if the deadline
  ///   passed before. Nothing is written in these cases.
  func perform<Result: Sendable>(
    _ kind: EngineThreads.Kind = .write, until deadline: Deadline?,
    _ prepare: @escaping @Sendable (CancellationCheck) throws -> PreparedWrite<Result>
  ) async throws -> Result {
    var progress = try await working(kind, until: deadline) { [self] cancellation in
      let write = try prepare(cancellation)
      // The closure of the configuration must not delay other writes.
      let time = configuration.timestamp()
      try cancellation.check()
      let permit = writeScheduler.request(write.indexNames(in: indexStore))
      return try permit.isPending
        ? .waiting(WaitingWrite(write, time), permit)
        : publish(write, at: time, in: permit, cancellation)
    }
    while true {
      switch progress {
      case .done(let result): return result
      case .waiting(let waiting, let permit):
        do {
          try await writeScheduler.wait(
            for: permit, until: deadline, executor: configuration.executor)
          progress = try await working(.write, until: deadline) { [self] cancellation in
            // No other code takes the write.
            guard let write = waiting.take() else { throw CancellationError() }
            return try publish(write, at: waiting.time, in: permit, cancellation)
          }
        } catch {
          writeScheduler.release(permit)
          throw error
        }
      }
    }
  }

  /// Applies and publishes a write, and releases its permit.
  private func publish<Result>(
    _ write: PreparedWrite<Result>, at time: String, in permit: WriteScheduler.Permit,
    _ cancellation: CancellationCheck
  ) throws -> Progress<Result> {
    cancellation.releaseLater(write, partCount: write.partCount)
    do {
      try apply(write, at: time, in: permit, cancellation)
      return .done(write.result(time))
    } catch is WriteTransaction.NotPermitted {
      let permit = writeScheduler.request(nil)
      return try permit.isPending
        ? .waiting(WaitingWrite(write, time), permit)
        : publish(write, at: time, in: permit, cancellation)
    }
  }

  private func apply<Result>(
    _ write: PreparedWrite<Result>, at time: String, in permit: WriteScheduler.Permit,
    _ cancellation: CancellationCheck
  ) throws {
    defer { writeScheduler.release(permit) }
    var transaction = WriteTransaction(
      indexStore, permit, configuration, time: time, isLogged: storage != nil, cancellation)
    try write.changes(&transaction)
    try cancellation.check()
    try publish(transaction, at: time, taskCount: max(1, write.indexNames.count), cancellation)
    merging.start(after: transaction.changes.keys)
  }
}

extension LocalSearch {
  /// Publishes the changes of a write, after they are in the journal if there is one.
  ///
  /// A write without changes is there too: the number of its task is not given again.
  private func publish(
    _ transaction: WriteTransaction, at time: String, taskCount: Int,
    _ cancellation: CancellationCheck
  ) throws {
    guard let storage else {
      return indexStore.publish(transaction.changes)
    }
    let needsCheckpoint = try storage.commit(
      JournalEntry(time: time, changes: transaction.log), taskCount: taskCount, cancellation,
      contents: { contents }, publish: { indexStore.publish(transaction.changes) })
    if needsCheckpoint { startCheckpoint(of: storage) }
  }
}

/// A write that waits for its permit. If it ends without one, its caller does not release its
/// records.
private final class WaitingWrite<Result: Sendable>: Sendable {
  private let write: Lock<PreparedWrite<Result>?>
  /// The time of the write.
  let time: String

  init(_ write: PreparedWrite<Result>, _ time: String) {
    self.write = Lock(write)
    self.time = time
  }

  deinit {
    guard let write = take(), write.partCount > CancellationCheck.maximumPartCount else { return }
    DispatchQueue.global(qos: .utility).async { withExtendedLifetime(write) {} }
  }

  /// Takes the write, once.
  func take() -> PreparedWrite<Result>? {
    write.withLock { write in
      defer { write = nil }
      return write
    }
  }
}
