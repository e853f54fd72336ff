import Dispatch

/// A write that was read and checked, and has yet to be applied in its turn.
struct PreparedWrite<Result: Sendable>: Sendable {
  /// The indices that are written.
  let indexNames: [String]
  /// Further ones that will be replicas of theirs.
  let replicaNames: [String]
  /// Of how many changes it consists, about; many of them take long to release.
  let partCount: Int
  /// Makes the changes.
  ///
  /// It is run again, once, when the indices turned out to have other replicas than when the write
  /// began to wait; then no other write is under way.
  let changes: @Sendable (inout WriteTransaction) throws -> Void
  /// Makes the result, after the changes are published.
  let result: @Sendable () -> Result

  /// Creates a write.
  init(
    to indexNames: [String], replicaNames: [String] = [], partCount: Int = 0,
    changes: @escaping @Sendable (inout WriteTransaction) throws -> Void,
    result: @escaping @Sendable () -> Result
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
    result: @escaping @Sendable () -> Result
  ) {
    self.init(
      to: [indexName], partCount: changes.count,
      changes: { try $0.apply(changes, to: indexName, createsIndex: createsIndex) },
      result: result)
  }

  /// The indices that it may need, with their current replicas.
  fileprivate func indexNames(in store: IndexStore) -> Set<String> {
    let snapshots = store.snapshots
    var names = Set(indexNames)
    for name in indexNames { names.formUnion(snapshots[name]?.settings.replicaNames ?? []) }
    names.formUnion(replicaNames)
    return names
  }
}

extension LocalSearch {
  /// How far a write has come.
  private enum Progress<Result: Sendable> {
    case waiting(WaitingWrite<Result>, WriteTurns.Turn)
    case done(Result)
  }

  /// Runs a write and publishes what it made; when it returns, the next search sees it.
  ///
  /// The write waits until it is its turn, without a thread. Until it is published it can be
  /// cancelled, and its deadline can pass, and then nothing of it is left; afterwards it has
  /// succeeded.
  ///
  /// - Throws: An `APIError` when the write is not possible, with nothing written;
  ///   `CancellationError` when the task was cancelled before the write was published,
  ///   `SearchError` of code `timedOut` when the deadline passed before.
  func perform<Result: Sendable>(
    until deadline: Deadline?,
    _ prepare: @escaping @Sendable (Checkpoint) throws -> PreparedWrite<Result>
  ) async throws -> Result {
    var progress = try await working(.write, until: deadline) { [self] checkpoint in
      let write = try prepare(checkpoint)
      try checkpoint.check()
      let turn = turns.join(write.indexNames(in: indexStore))
      return try turn.waits
        ? .waiting(WaitingWrite(write), turn) : publish(write, in: turn, checkpoint)
    }
    while true {
      switch progress {
      case .done(let result): return result
      case .waiting(let waiting, let turn):
        do {
          try await turns.wait(for: turn, until: deadline, executor: configuration.executor)
          progress = try await working(.write, until: deadline) { [self] checkpoint in
            // Nobody else takes it.
            guard let write = waiting.take() else { throw CancellationError() }
            return try publish(write, in: turn, checkpoint)
          }
        } catch {
          turns.end(turn)
          throw error
        }
      }
    }
  }

  /// Applies and publishes a write in its turn, and gives the turn back.
  private func publish<Result>(
    _ write: PreparedWrite<Result>, in turn: WriteTurns.Turn, _ checkpoint: Checkpoint
  ) throws -> Progress<Result> {
    checkpoint.releaseLater(write, partCount: write.partCount)
    do {
      try apply(write, in: turn, checkpoint)
      // The result may call closures of the user, which must not hold up other writes.
      return .done(write.result())
    } catch is WriteTransaction.OutOfTurn {
      let turn = turns.join(nil)
      return try turn.waits
        ? .waiting(WaitingWrite(write), turn) : publish(write, in: turn, checkpoint)
    }
  }

  private func apply<Result>(
    _ write: PreparedWrite<Result>, in turn: WriteTurns.Turn, _ checkpoint: Checkpoint
  ) throws {
    defer { turns.end(turn) }
    var transaction = WriteTransaction(indexStore, turn, configuration, checkpoint)
    try write.changes(&transaction)
    try checkpoint.check()
    indexStore.publish(transaction.changes)
  }
}

/// A write that waits for its turn. When it ends without, its caller does not release its records.
private final class WaitingWrite<Result: Sendable>: Sendable {
  private let write: Lock<PreparedWrite<Result>?>

  init(_ write: PreparedWrite<Result>) { self.write = Lock(write) }

  deinit {
    guard let write = take(), write.partCount > Checkpoint.maximumPartCount else { return }
    DispatchQueue.global(qos: .utility).async { withExtendedLifetime(write) {} }
  }

  /// Takes the write; once.
  func take() -> PreparedWrite<Result>? {
    write.withLock { write in
      defer { write = nil }
      return write
    }
  }
}
