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
    /// The size of the file, in bytes.
    var fileSize: Int
    /// At least the number of the latest write.
    var lastTaskID: Int64 = 0
    var isCheckpointing = false
    /// Keeps other engines from using the file.
    var lock: (any DiskFile)?
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
    let contents: EngineContents
    if let file {
      contents = try EngineContents(from: file, cancellation)
    } else {
      contents = EngineContents(journalNumber: configuration.makeJournalNumber())
      _ = try EngineFile.replace(path, on: disk, with: contents, cancellation)
    }
    let storage = EngineStorage(
      path: path, configuration,
      State(
        number: contents.journalNumber, oldest: contents.journalNumber,
        fileSize: try file?.size() ?? 0, lastTaskID: contents.lastTaskID, lock: lock))
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
    while let file = try disk.openIfPresent(journal(number), .updating) {
      let opened = try Journal.open(file, number: number, cancellation) { reader in
        let entry = try JournalEntry(from: &reader)
        lastTaskID = max(lastTaskID, entry.lastTaskID)
        try apply(entry)
      }
      if let opened {
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
    let knownTaskID = lastTaskID
    state.withLock { state in
      state.journal = last.journal
      state.number = last.number
      state.lastTaskID = max(state.lastTaskID, knownTaskID)
    }
    // What an interrupted checkpoint left.
    if first > 0 { removeJournals(from: 0, before: first) }
    try? disk.remove(path + ".new")
  }

  /// Writes an entry to the journal, and then publishes its changes.
  ///
  /// - Parameters:
  ///   - entry: The entry, whose last task is set here.
  ///   - taskCount: The number of tasks of the write.
  ///   - contents: Returns what the engine has without the write.
  ///   - publish: Publishes the changes. It runs before the next write is in the journal.
  /// - Throws: `SearchError` with code `storage`, without changes.
  func commit(
    _ entry: JournalEntry, taskCount: Int, _ cancellation: CancellationCheck,
    contents: () -> EngineContents, publish: () -> Void
  ) throws {
    let buffer = FileBuffer(cancellation)
    do {
      try entry.writeChanges(to: buffer)
      try locked { state in
        guard var journal = state.journal else { throw FileProblem("it was closed") }
        if journal.isBroken { journal = try replaced(&state, contents(), cancellation) }
        state.lastTaskID = max(state.lastTaskID, entry.lastTaskID) + Int64(taskCount)
        defer { state.journal = journal }
        try journal.append([entry.counters(lastTaskID: state.lastTaskID), buffer.bytes])
        publish()
      }
    } catch let error where !(error is CancellationError || error is SearchError) {
      throw SearchError(saving: path, error)
    }
  }

  /// Whether the journal is large enough for a checkpoint.
  var needsCheckpoint: Bool {
    state.withLock { state in
      guard let journal = state.journal, !state.isCheckpointing else { return false }
      return journal.length > max(minimumJournalSize, state.fileSize)
    }
  }

  /// Writes the file with all that the engine has, so that the journal is empty.
  ///
  /// - Parameter contents: Returns what the engine has.
  /// - Throws: What the disk throws. The file and the journals stay complete.
  func checkpoint(
    _ cancellation: CancellationCheck, contents: () -> EngineContents
  ) throws {
    let begun = try locked { state -> (contents: EngineContents, number: UInt64)? in
      guard state.journal != nil else { throw FileProblem("it was closed") }
      guard !state.isCheckpointing else { return nil }
      let number = state.number + 1
      state.journal = try Journal.create(journal(number), number: number, on: disk)
      state.number = number
      state.isCheckpointing = true
      var contents = contents()
      contents.journalNumber = number
      contents.lastTaskID = max(contents.lastTaskID, state.lastTaskID)
      return (contents, number)
    }
    guard let (contents, number) = begun else { return }
    defer { state.withLock { $0.isCheckpointing = false } }
    let size = try EngineFile.replace(path, on: disk, with: contents, cancellation)
    let oldest = state.withLock { state in
      state.fileSize = size
      defer { state.oldest = number }
      return state.oldest
    }
    removeJournals(from: oldest, before: number)
  }

  /// A check that ends the work of a checkpoint when the engine ends.
  func cancellation(interval: Int) -> CancellationCheck {
    CancellationCheck(flag: flag, interval: interval)
  }

  /// Ends a checkpoint in progress.
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
    let number = state.number + 1
    let new = try Journal.create(journal(number), number: number, on: disk)
    var contents = contents
    contents.journalNumber = number
    contents.lastTaskID = max(contents.lastTaskID, state.lastTaskID)
    state.fileSize = try EngineFile.replace(path, on: disk, with: contents, cancellation)
    removeJournals(from: state.oldest, before: number)
    state.number = number
    state.oldest = number
    return new
  }

  private func locked<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    try state.withLock { try body(&$0) }
  }

  private func journal(_ number: UInt64) -> String { Self.journal(number, of: path) }

  private static func journal(_ number: UInt64, of path: String) -> String {
    "\(path).journal-\(number)"
  }

  /// Removes journals whose writes are in the file. What cannot be removed is removed later.
  private func removeJournals(from first: UInt64, before end: UInt64) {
    var number = end
    while number > first {
      number -= 1
      do {
        try disk.remove(journal(number))
      } catch {
        if (error as? DiskError)?.reason == .notFound { return }
      }
    }
  }
}
