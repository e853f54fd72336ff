import InstantSearchJSON

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
  /// - Parameter kind: The kind of the work that prepares the write. Defaults to `write`.
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
  /// A write without changes is in the journal too, so that its task ID is not reused.
  private func publish(
    _ transaction: WriteTransaction, at time: String, taskCount: Int,
    _ cancellation: CancellationCheck
  ) throws {
    guard let storage else {
      return indexStore.publish(transaction.changes, transaction.dictionaries)
    }
    let needsCheckpoint = try storage.commit(
      JournalEntry(time: time, changes: transaction.log), taskCount: taskCount, cancellation,
      contents: { contents },
      publish: { indexStore.publish(transaction.changes, transaction.dictionaries) })
    if needsCheckpoint { startCheckpoint(of: storage) }
  }
}

extension LocalSearch {
  /// Performs a call that writes.
  func answerWrite(_ request: TransportRequest) async throws -> TransportResponse {
    try await perform(until: request.deadline) { [self] cancellation in
      try state.preparedWrite(request, cancellation)
    }
  }

  /// Performs a public call that writes, and converts its errors to `SearchError`.
  ///
  /// - Parameter prepare: Reads and checks the write.
  func writing<Result: Sendable>(
    _ indexName: String, _ deadline: Deadline?, _ kind: EngineThreads.Kind = .write,
    _ prepare: @escaping @Sendable (CancellationCheck) throws -> PreparedWrite<Result>
  ) async throws(SearchError) -> Result {
    do {
      return try await perform(kind, until: deadline, prepare)
    } catch {
      throw SearchError(engine: error, indexName: indexName)
    }
  }

  /// Encodes records.
  func nodes<Record: Encodable>(
    _ records: [Record], _ encoding: RecordEncoding, _ cancellation: CancellationCheck
  ) throws -> [JSONNode] {
    let encoder = JSONValueEncoder(options: encoding.options)
    var nodes: [JSONNode] = []
    nodes.reserveCapacity(records.count)
    for (index, record) in records.enumerated() {
      try cancellation.count()
      do {
        let bytes = try encoder.encode(record) {
          try cancellation.count(CancellationCheck.stepsOfCheck)
        }
        nodes.append(try cancellation.document(bytes[...]).root)
      } catch {
        // The error may come from the check that ended the work.
        try cancellation.check()
        var failure = SearchError(encodingFailure: error)
        failure.message = "record \(index): " + failure.message
        throw failure
      }
    }
    return nodes
  }
}
