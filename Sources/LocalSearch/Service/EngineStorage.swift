import InstantSearchAPI

/// The file of an engine, and the journal of the writes since the file was written.
///
/// The file names the first journal with writes that it does not have. A checkpoint begins the next
/// journal, writes the file with everything before it, and removes the older journals. Wherever it
/// ends, the file and the journals from the one it names on are complete.
final class EngineStorage: Sendable {
  private struct State {
    /// The journal of the next write; `nil` before the journals are read, and after the end.
    var journal: Journal?
    /// Its number, and that of the oldest journal on the disk.
    var number: UInt64
    var oldest: UInt64
    /// The size of the file, and of the journals before the newest one, in bytes.
    var fileSize: Int
    var olderLength = 0
    /// At least the number of the latest write.
    var lastTaskID: Int64 = 0
    var isCheckpointing = false
    /// Whether the engine was told to make a checkpoint, which has not begun.
    var isRequested = false
    /// Those who wait for the end of the checkpoint in progress.
    var waiters: [Promise<Void>] = []
    /// Keeps other engines from using the file.
    var lock: (any DiskFile)?

    /// Records that the file was written, and returns the numbers of the journals that it replaces.
    mutating func setFile(size: Int, journalNumber: UInt64) -> Range<UInt64> {
      defer { oldest = journalNumber }
      fileSize = size
      olderLength = 0
      return oldest..<journalNumber
    }
  }

  /// The path of the file.
  let path: String
  private let disk: any Disk
  private let state: Lock<State>
  /// Ends a checkpoint in progress.
  private let flag = CancellationFlag()

  /// The size of a journal below which there is no checkpoint, in bytes.
  private let minimumJournalSize: Int

  private init(path: String, _ configuration: LocalSearch.Configuration, _ state: State) {
    self.path = path
    disk = configuration.disk
    minimumJournalSize = configuration.minimumJournalSize
    self.state = Lock(state)
  }

  /// Opens the file of an engine, or creates it.
  ///
  /// - Returns: The storage, and what the file has. Read the journals next.
  static func open(
    _ path: String, _ configuration: LocalSearch.Configuration, _ cancellation: CancellationCheck
  ) throws -> (EngineStorage, EngineContents) {
    let disk = configuration.disk
    let lock = try disk.open(path + ".lock", .locking)
    guard try lock.lock() else { throw FileProblem("another engine uses it") }
    let file = try disk.openIfPresent(path, .reading)
    let (contents, fileSize): (EngineContents, Int)
    if let file {
      (contents, fileSize) = (try EngineContents(from: file, cancellation), try file.size())
    } else {
      contents = EngineContents(journalNumber: configuration.makeJournalNumber())
      fileSize = try EngineFile.replace(path, on: disk, with: contents, cancellation)
    }
    // What an interrupted checkpoint left. Only the holder of the lock writes such a file.
    try? disk.remove(path + ".new")
    let storage = EngineStorage(
      path: path, configuration,
      State(
        number: contents.journalNumber, oldest: contents.journalNumber,
        fileSize: fileSize, lastTaskID: contents.lastTaskID, lock: lock))
    return (storage, contents)
  }

  /// Reads the writes since the file was written, and prepares for the next one.
  ///
  /// - Parameter apply: Applies some writes, in their order.
  func replay(
    _ cancellation: CancellationCheck, _ apply: (JournalEntry) throws -> Void
  ) throws {
    let first = state.withLock { $0.number }
    var current: (journal: Journal, number: UInt64)?
    var lastTaskID: Int64 = 0
    var number = first
    var length = 0
    while let file = try disk.openIfPresent(journal(number), .updating) {
      let opened = try Journal.open(file, number: number, cancellation) { reader in
        let entry = try JournalEntry(from: &reader)
        lastTaskID = max(lastTaskID, entry.lastTaskID)
        try apply(entry)
      }
      if let opened {
        length += current?.journal.length ?? 0
        current = (opened, number)
        number += 1
      } else {
        // Its creation was interrupted, so nothing was written after it.
        current = (try Journal.create(journal(number), number: number, on: disk), number)
        break
      }
    }
    // The program that gave the files their names may have ended before they were on the disk.
    try disk.synchronizeFolder(of: path)
    let last = try current ?? (Journal.create(journal(first), number: first, on: disk), first)
    let (knownTaskID, olderLength) = (lastTaskID, length)
    state.withLock { state in
      state.olderLength = olderLength
      state.journal = last.journal
      state.number = last.number
      state.lastTaskID = max(state.lastTaskID, knownTaskID)
    }
    removeOlderJournals(before: first)
  }

  /// Writes an entry to the journal, and then publishes its changes.
  ///
  /// - Parameters:
  ///   - entry: The entry, whose counters are set here.
  ///   - taskCount: The number of tasks of the write.
  ///   - contents: Returns what the engine has without the write.
  ///   - publish: Publishes the changes. It runs before the next write is in the journal.
  /// - Returns: Whether the journals are large enough for a checkpoint, once until it begins.
  /// - Throws: `SearchError` with code `storage`, without changes.
  func commit(
    _ entry: JournalEntry, taskCount: Int, _ cancellation: CancellationCheck,
    contents: () -> EngineContents, publish: () -> Void
  ) throws -> Bool {
    let buffer = FileBuffer(cancellation)
    do {
      try entry.writeChanges(to: buffer)
      return try locked { state in
        guard var journal = state.journal else { throw FileProblem("it was closed") }
        let contents = contents()
        if journal.isBroken { journal = try replaced(&state, contents, cancellation) }
        state.lastTaskID = max(state.lastTaskID, contents.lastTaskID) + Int64(taskCount)
        defer { state.journal = journal }
        try journal.append(
          [JournalEntry.counters(state.lastTaskID, contents.generatedIDCount)] + buffer.pieces)
        publish()
        guard !state.isRequested, !state.isCheckpointing,
          state.olderLength + journal.length > max(minimumJournalSize, state.fileSize)
        else { return false }
        state.isRequested = true
        return true
      }
    } catch let error where !(error is CancellationError || error is SearchError) {
      throw SearchError(saving: path, error)
    }
  }

  /// Writes the file with all that the engine has, so that the journal is empty.
  ///
  /// - Parameter contents: Returns what the engine has.
  /// - Returns: `false`, and nothing is written, if another checkpoint is in progress.
  /// - Throws: What the disk throws. The file and the journals stay complete.
  func checkpoint(
    _ cancellation: CancellationCheck, contents: () -> EngineContents
  ) throws -> Bool {
    enum Beginning {
      case busy, done
      case begun(EngineContents, lock: (any DiskFile)?)
    }
    let beginning = try locked { state -> Beginning in
      state.isRequested = false
      guard let journal = state.journal else { throw FileProblem("it was closed") }
      guard !state.isCheckpointing else { return .busy }
      if journal.isBroken {
        // Its last write was an error, so the file must be written before the next one.
        state.journal = try replaced(&state, contents(), cancellation)
        return .done
      }
      let number = state.number + 1
      state.journal = try Journal.create(self.journal(number), number: number, on: disk)
      state.number = number
      state.olderLength += journal.length
      state.isCheckpointing = true
      return .begun(complete(contents(), state, number), lock: state.lock)
    }
    guard case .begun(let contents, let lock) = beginning else {
      if case .done = beginning { return true }
      return false
    }
    defer { endCheckpoint() }
    // The lock is kept until the file is complete, also if the engine is closed in the meantime.
    try withExtendedLifetime(lock) {
      let size = try EngineFile.replace(path, on: disk, with: contents, cancellation)
      removeJournals(
        state.withLock { $0.setFile(size: size, journalNumber: contents.journalNumber) })
    }
    return true
  }

  /// Returns contents for a file whose first journal has a number.
  private func complete(
    _ contents: EngineContents, _ state: State, _ number: UInt64
  ) -> EngineContents {
    var contents = contents
    contents.journalNumber = number
    contents.lastTaskID = max(contents.lastTaskID, state.lastTaskID)
    return contents
  }

  private func endCheckpoint() {
    let waiters = state.withLock { state in
      state.isCheckpointing = false
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.fulfill(with: ()) }
  }

  /// Returns when no checkpoint is in progress.
  func checkpointEnded() async {
    let promise = Promise<Void>()
    let waits = state.withLock { state in
      if state.isCheckpointing { state.waiters.append(promise) }
      return state.isCheckpointing
    }
    if waits { await promise.outcome() }
  }

  /// A check that ends the work of a checkpoint when the engine ends.
  func cancellation(interval: Int) -> CancellationCheck {
    CancellationCheck(flag: flag, interval: interval)
  }

  /// Ends a checkpoint that no call waits for.
  func stop() { flag.set() }

  /// Ends the use of the file. Later writes are errors.
  func close() {
    state.withLock { state in
      state.journal = nil
      state.lock = nil
    }
  }

  /// Replaces a broken journal by an empty one, and the file by one without need of the broken one.
  private func replaced(
    _ state: inout State, _ contents: EngineContents, _ cancellation: CancellationCheck
  ) throws -> Journal {
    guard !state.isCheckpointing else {
      throw FileProblem("its journal failed while the file is being written; try again")
    }
    let number = state.number + 1
    let new = try Journal.create(journal(number), number: number, on: disk)
    let size = try EngineFile.replace(
      path, on: disk, with: complete(contents, state, number), cancellation)
    state.number = number
    removeJournals(state.setFile(size: size, journalNumber: number))
    return new
  }

  private func locked<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    try state.withLock { try body(&$0) }
  }

  /// Whether a journal has writes.
  static func hasJournal(_ number: UInt64, of path: String, on disk: any Disk) throws -> Bool {
    let journal = try disk.openIfPresent(journal(number, of: path), .reading)
    return try (journal?.size() ?? 0) > Journal.headerLength
  }

  private func journal(_ number: UInt64) -> String { Self.journal(number, of: path) }

  private static func journal(_ number: UInt64, of path: String) -> String {
    "\(path).journal-\(number)"
  }

  /// Removes journals whose writes are in the file. What cannot be removed is removed at the next
  /// opening, because the newest ones are removed last.
  private func removeJournals(_ numbers: Range<UInt64>) {
    for number in numbers {
      do { try disk.remove(journal(number)) } catch { return }
    }
  }

  /// Removes the journals directly before a number, which an interrupted checkpoint left.
  private func removeOlderJournals(before end: UInt64) {
    var number = end
    while number > 0 {
      number -= 1
      do { try disk.remove(journal(number)) } catch { return }
    }
  }
}
