import InstantSearchAPI

extension LocalSearch {
  /// Opens an engine that is kept in a file, or creates the file.
  ///
  /// The engine works in memory, and every write is in the file's journal, on the disk, before its
  /// call returns. So a write that was acknowledged survives the end of the process, however it
  /// ends, and a power failure. From time to time the engine rewrites the file, concurrently with
  /// other calls, and begins another journal.
  ///
  /// The journals are named like the file, with `.journal-` and a number. A file named `.lock`
  /// keeps other engines from using it, in this process or another one. Copy or move the files
  /// together while no engine uses them, or copy an engine with ``save(to:)``.
  ///
  /// A write that the disk refuses is an error with code `storage`, and changes nothing. Only if
  /// the disk refuses to take it back too, and the process ends before the next write, the next
  /// opening may find it.
  ///
  /// - Parameters:
  ///   - path: The path of the file, relative to the current directory or absolute. Its folder must
  ///     exist. Its name has at most 227 bytes.
  ///   - configuration: The configuration of the engine.
  /// - Throws: `SearchError` with code `storage` if another engine uses the file, if it cannot be
  ///   read or written, is not the file of an engine, is incomplete or damaged, has journals of
  ///   another state of it, or is of a newer version. `cancelled` if the task is cancelled.
  public convenience init(
    file path: String, configuration: Configuration = Configuration()
  ) async throws(SearchError) {
    do {
      let (storage, contents) = try await configuration.working(.long, until: nil) {
        try EngineStorage.open(path, configuration, $0)
      }
      self.init(configuration: configuration, storage: storage)
      take(contents)
      let needsCheckpoint = try await working(.long, until: nil) { [self] in
        try replay(storage, $0)
      }
      if needsCheckpoint { startCheckpoint(of: storage) }
      merging.start(after: indexNames)
    } catch {
      throw SearchError(opening: path, error)
    }
  }

  /// Writes the contents of the engine to its file, so that the next opening reads no journal.
  ///
  /// The engine does so by itself when the journal becomes larger than an eighth of the file.
  /// Writes go on in the meantime. Without a file, or without writes since the last checkpoint,
  /// nothing happens.
  ///
  /// - Throws: `SearchError` with code `storage` if the disk refuses it. Nothing is lost then.
  ///   `cancelled` if the task is cancelled.
  @concurrent
  public func checkpoint() async throws(SearchError) {
    guard let storage else { return }
    do {
      while try await working(
        .long, until: nil,
        { [self] in
          try !storage.checkpoint($0) { contents }
        })
      {
        let waiter = Waiter<Void>()
        storage.whenCheckpointEnds { waiter.fulfill(with: .success(())) }
        try await waiter.value()
      }
    } catch {
      throw SearchError(saving: storage.path, error)
    }
  }

  /// Ends the use of the file, so that another engine can open it.
  ///
  /// Later writes are errors with code `storage`; searches go on. Without a file, nothing happens.
  ///
  /// If the next opening would take noticeably longer to read the journal, it is folded into the
  /// file first. Copying the file alone is enough then, unless a file named `.journal-` is next to
  /// it.
  ///
  /// Without it, the use of the file ends with the process, or with the engine and a checkpoint in
  /// progress.
  @concurrent
  public func close() async {
    guard let storage else { return }
    let end = Promise<Void>()
    if storage.beginClosing({ end.fulfill(with: ()) }) {
      await makeLastCheckpoint(of: storage)
      // The use ends even if the caller's task is cancelled.
      TaskBag.start(on: configuration.executor) { [self] in
        // This throws only if it is cancelled or late, and it has neither a bag nor a deadline.
        try? await working(.write, until: nil) { _ in storage.close() }
      }
    }
    await end.outcome()
  }

  /// Waits for a checkpoint in progress, and makes another one if the next opening needs it. If the
  /// disk refuses, or the task is cancelled, the journals keep what they have.
  private func makeLastCheckpoint(of storage: EngineStorage) async {
    await withTaskCancellationHandler {
      let ended = Promise<Void>()
      storage.whenCheckpointEnds { ended.fulfill(with: ()) }
      await ended.outcome()
      try? await working(.long, until: nil) { [self] cancellation in
        guard storage.isCheckpointWorthwhile else { return }
        do {
          _ = try storage.checkpoint(cancellation, isLast: true) { contents }
        } catch let error as DiskError {
          configuration.onCheckpointFailure?(SearchError(saving: storage.path, error))
        }
      }
    } onCancel: {
      storage.stop()
    }
  }

  /// The number of calls that wait for the end of a checkpoint.
  package var checkpointWaitingCount: Int { storage?.waitingCount ?? 0 }

  /// Writes the file concurrently with other calls.
  func startCheckpoint(of storage: EngineStorage) {
    TaskBag.start(on: configuration.executor) {
      [state] in
      try? await state.configuration.runInBackground(.checkpoint) {
        do {
          try storage.checkpointByItself(interval: state.configuration.checkInterval) {
            EngineContents(state.indexStore, state.objectIDGenerator)
          }
        } catch {
          state.configuration.onCheckpointFailure?(SearchError(saving: storage.path, error))
        }
      }
    }
  }

  /// Applies the writes of the journals.
  ///
  /// - Returns: Whether a checkpoint is needed before the next opening.
  private func replay(_ storage: EngineStorage, _ cancellation: CancellationCheck) throws -> Bool {
    var pending = PendingReplay(self, cancellation)
    let needsCheckpoint = try storage.replay(cancellation) { try pending.add($0) }
    try pending.apply()
    return needsCheckpoint
  }
}

/// Collects the writes of journals, so that writes to one index are applied together.
private struct PendingReplay {
  /// The writes to the records of one index, and the time of the last one.
  private struct Writes {
    var collected: [WriteOperation] = []
    var time = ""
  }

  private let engine: LocalSearch
  private let cancellation: CancellationCheck
  private var pending: [String: Writes] = [:]
  private var size = 0

  /// The memory of operations that are applied together, in bytes.
  private static let maximumSize = 1 << 26

  init(_ engine: LocalSearch, _ cancellation: CancellationCheck) {
    self.engine = engine
    self.cancellation = cancellation
  }

  mutating func add(_ entry: JournalEntry) throws {
    engine.state.objectIDGenerator.setNumber(atLeast: entry.generatedIDCount)
    engine.indexStore.setLastTask(
      max(entry.lastTaskID, engine.indexStore.current.lastTaskID))
    for change in entry.changes {
      guard case .records(let name, let operations) = change else {
        try apply()
        try apply(change, at: entry.time)
        continue
      }
      pending[name, default: Writes()].collected += operations
      pending[name]?.time = entry.time
      for operation in operations { size += operation.size }
      // The first write sets the time of creation.
      if size > Self.maximumSize || engine.indexStore.snapshots[name] == nil { try apply() }
    }
  }

  /// Applies what was collected.
  mutating func apply() throws {
    for (name, writes) in pending {
      try apply(.records(indexName: name, writes.collected), at: writes.time)
    }
    pending = [:]
    size = 0
  }

  private func apply(_ change: JournalChange, at time: String) throws {
    let permit = engine.writeScheduler.request(nil)
    defer { engine.writeScheduler.release(permit) }
    var transaction = WriteTransaction(
      engine.indexStore, permit, engine.configuration, time: time, isLogged: false, cancellation)
    do {
      try transaction.apply(change)
    } catch let error as APIError {
      throw FileProblem("a write of its journal cannot be applied: \(error.message)")
    }
    engine.indexStore.publish(transaction.changes, transaction.dictionaries)
  }
}
