import AsyncInstantSearch

/// A write that was read and checked, and has yet to be applied in its turn.
struct PreparedWrite<Result: Sendable>: Sendable {
  /// The indices that are written.
  let indexNames: [String]
  /// Further ones that will be replicas of theirs.
  let replicaNames: [String]
  /// Makes the changes.
  ///
  /// It is run again, once, when the indices turned out to have other replicas than when the write
  /// began to wait; then no other write is under way.
  let changes: @Sendable (inout WriteTransaction) throws -> Void
  /// Makes the result, after the changes are published.
  let result: @Sendable () -> Result

  /// Creates a write.
  init(
    to indexNames: [String], replicaNames: [String] = [],
    changes: @escaping @Sendable (inout WriteTransaction) throws -> Void,
    result: @escaping @Sendable () -> Result
  ) {
    self.indexNames = indexNames
    self.replicaNames = replicaNames
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
      to: [indexName],
      changes: { try $0.apply(changes, to: indexName, createsIndex: createsIndex) },
      result: result)
  }

  /// The indices that it may need, with their replicas of now.
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
    case waiting(PreparedWrite<Result>, WriteTurns.Turn)
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
      let turn = turns.join(write.indexNames(in: store))
      return try turn.waits ? .waiting(write, turn) : publish(write, in: turn, checkpoint)
    }
    while true {
      switch progress {
      case .done(let result): return result
      case .waiting(let write, let turn):
        do {
          try await turns.wait(for: turn, until: deadline, executor: configuration.executor)
          progress = try await working(.write, until: deadline) { [self] checkpoint in
            try publish(write, in: turn, checkpoint)
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
    do {
      defer { turns.end(turn) }
      var transaction = WriteTransaction(store, turn, configuration, checkpoint)
      try write.changes(&transaction)
      try checkpoint.check()
      store.publish(transaction.changes)
      return .done(write.result())
    } catch is WriteTransaction.OutOfTurn {
      let turn = turns.join(nil)
      return try turn.waits ? .waiting(write, turn) : publish(write, in: turn, checkpoint)
    }
  }
}
