import InstantSearchAPI

/// The file of an engine, and the journals of the writes since the file was written.
///
/// The file names the first journal with writes that it does not have. A checkpoint begins the next
/// journal, writes the file with everything before it, and removes the older journals. Wherever it
/// ends, the file and the journals from the one it names on are complete.
final class EngineStorage: Sendable {
  /// The state that a thread needs to write to the disk.
  private struct Files {
    /// The journals; `nil` before they are read, and after the end.
    var journals: JournalSeries?
    /// The size of the file, in bytes.
    var size: Int
    /// At least the number of the latest write.
    var lastTaskID: Int64
    /// The cost of reading the journals at the last failed checkpoint.
    var failedCost = 0
    /// Keeps other engines from using the file; `nil` after the end.
    var lock: EngineLock?

    /// Returns contents for a file with the writes before a journal.
    func complete(
      _ contents: EngineContents, before journals: JournalSeries.Start
    ) -> EngineContents {
      var contents = contents
      contents.journals = journals
      contents.lastTaskID = max(contents.lastTaskID, lastTaskID)
      return contents
    }
  }

  /// The state that is available without waiting for the disk.
  private struct Status {
    var isCheckpointing = false
    /// Whether a checkpoint is requested and has not begun.
    var isRequested = false
    /// The closures to call when the checkpoint in progress ends.
    var afterCheckpoint: [@Sendable () -> Void] = []
    /// Whether the use of the file is ending, and the closures to call when it has ended.
    var isClosing = false
    var isClosed = false
    var afterClosing: [@Sendable () -> Void] = []
  }

  /// The absolute path of the file.
  let path: String
  private let disk: any Disk
  /// The first journal with writes that the file does not have, at the beginning.
  private let start: JournalSeries.Start
  /// Held during calls of the disk, so only threads of engines take it.
  private let files: Lock<Files>
  private let status = Lock(Status())
  /// Ends a checkpoint that no call waits for.
  private let flag = CancellationFlag()
  /// The size of the journals below which no checkpoint begins by itself, in bytes.
  private let minimumJournalSize: Int
  /// The size of a file that is written in a few milliseconds, in bytes.
  private static let smallSize = 1 << 20

  private init(
    path: String, _ configuration: EngineConfiguration, _ start: JournalSeries.Start,
    _ files: Files
  ) {
    self.path = path
    disk = configuration.disk
    minimumJournalSize = configuration.minimumJournalSize
    self.start = start
    self.files = Lock(files)
  }

  /// Opens the file of an engine, or creates it.
  ///
  /// - Returns: The storage, and the contents of the file. Read the journals next.
  static func open(
    _ path: String, _ configuration: EngineConfiguration, _ cancellation: CancellationCheck
  ) throws -> (EngineStorage, EngineContents) {
    let disk = configuration.disk
    let path = try EngineFile.path(path, on: disk)
    guard let lock = try EngineLock(path, on: disk) else {
      throw FileProblem("another engine uses it")
    }
    let file = try disk.openIfPresent(path, .reading)
    let (contents, size): (EngineContents, Int)
    // An empty file is a new one, as from `mktemp`.
    if let file, try file.size() > 0 {
      (contents, size) = (
        try EngineContents(from: file, segmenter: configuration.segmenter, cancellation),
        try file.size()
      )
    } else {
      if let journal = try JournalSeries.orphan(of: path, on: disk) {
        throw FileProblem(
          "it is \(file == nil ? "missing" : "empty"), and its journal \(journal) is there; put the"
            + " file back, or move its journals away")
      }
      let start = JournalSeries.start(number: configuration.makeJournalNumber())
      contents = EngineContents(journals: start)
      size = try EngineFile.replace(path, lockedBy: lock, on: disk, with: contents, cancellation)
    }
    // Left by an interrupted checkpoint. Only the holder of the lock writes such a file.
    try? disk.remove(EngineFile.newPath(path))
    let storage = EngineStorage(
      path: path, configuration, contents.journals,
      Files(size: size, lastTaskID: contents.lastTaskID, lock: lock))
    return (storage, contents)
  }

  /// Reads the writes since the file was written, and prepares for the next one.
  ///
  /// - Parameter apply: Applies some writes, in order.
  /// - Returns: Whether a checkpoint is needed before the next opening.
  func replay(
    _ cancellation: CancellationCheck, _ apply: (JournalEntry) throws -> Void
  ) throws -> Bool {
    var lastTaskID: Int64 = 0
    let journals = try JournalSeries(of: path, from: start, on: disk, cancellation) {
      let entry = try JournalEntry(from: &$0)
      lastTaskID = max(lastTaskID, entry.lastTaskID)
      try apply(entry)
      return entry.indexesAgain
    }
    let knownTaskID = lastTaskID
    return files.withLock { files in
      files.journals = journals
      files.lastTaskID = max(files.lastTaskID, knownTaskID)
      return journals.cost(files.size) > journalLimit(files.size) && request()
    }
  }

  /// Writes an entry to the journal, and then publishes its changes.
  ///
  /// - Parameters:
  ///   - entry: The entry, whose counters are set here.
  ///   - taskCount: The number of tasks of the write.
  ///   - contents: Returns the contents of the engine without the write.
  ///   - publish: Publishes the changes. It runs before the next write is in the journal.
  /// - Returns: Whether the journals are large enough for a checkpoint, once until it begins.
  /// - Throws: `SearchError` with code `storage`, without changes of the engine.
  func commit(
    _ entry: JournalEntry, taskCount: Int, _ cancellation: CancellationCheck,
    contents: () -> EngineContents, publish: () -> Void
  ) throws -> Bool {
    let buffer = FileBuffer(cancellation)
    do {
      try entry.writeChanges(to: buffer)
      return try withFiles { files, journals, lock in
        let contents = contents()
        try lock.check()
        if journals.isBroken {
          guard !status.withLock({ $0.isCheckpointing }) else {
            throw FileProblem("its journal failed while the file is being written; try again")
          }
          try replace(&journals, &files, lock, contents, cancellation)
        }
        files.lastTaskID = max(files.lastTaskID, contents.lastTaskID) + Int64(taskCount)
        try journals.append(
          [JournalEntry.counters(files.lastTaskID, contents.generatedIDCount)[...]] + buffer.pieces,
          indexesAgain: entry.indexesAgain, checkLock: { try lock.check() })
        publish()
        // Under the lock, so that no failed checkpoint ends between the two.
        return journals.cost(files.size) - files.failedCost > journalLimit(files.size) && request()
      }
    } catch let error where !(error is CancellationError || error is SearchError) {
      throw SearchError(saving: path, error)
    }
  }

  /// Runs work with the journals. Their changes are kept even if it throws.
  private func withFiles<Result>(
    _ body: (inout Files, inout JournalSeries, EngineLock) throws -> Result
  ) throws -> Result {
    try files.withLock { files in
      guard var journals = files.journals, let lock = files.lock else {
        throw FileProblem("it was closed")
      }
      defer { if files.journals != nil { files.journals = journals } }
      return try body(&files, &journals, lock)
    }
  }

  /// Requests a checkpoint. Returns `false` if one is already requested or in progress.
  private func request() -> Bool {
    status.withLock { status in
      guard !status.isRequested, !status.isCheckpointing else { return false }
      status.isRequested = true
      return true
    }
  }
}

extension EngineStorage {
  /// Writes the file with the contents of the engine, so that the journals are empty.
  ///
  /// - Parameters:
  ///   - isLast: Whether it is the last checkpoint before the file is closed, when any other one is
  ///     an error. Defaults to `false`.
  ///   - isByItself: Whether no call waits for it. If the disk refuses it, the next one is made
  ///     when the journals have grown by as much again. Defaults to `false`.
  ///   - contents: Returns the contents of the engine.
  /// - Returns: `false`, and nothing is written, if another checkpoint is in progress.
  /// - Throws: The error of the disk. The file and the journals stay complete.
  func checkpoint(
    _ cancellation: CancellationCheck, isLast: Bool = false, isByItself: Bool = false,
    contents: () -> EngineContents
  ) throws -> Bool {
    try cancellation.check()
    guard try beginCheckpoint(isLast: isLast) else { return false }
    defer { endCheckpoint() }
    do {
      try writeFile(cancellation, contents)
    } catch let error as DiskError where isByItself {
      // Before the checkpoint ends, because a write in between would request the next one.
      _ = try? withFiles { files, journals, _ in files.failedCost = journals.cost(files.size) }
      throw error
    }
    return true
  }

  private func writeFile(
    _ cancellation: CancellationCheck, _ contents: () -> EngineContents
  ) throws {
    let beginning = try withFiles { files, journals, lock -> (EngineContents, EngineLock)? in
      // A file that was removed is written again.
      if journals.isEmpty, try disk.openIfPresent(path, .reading) != nil { return nil }
      try lock.check()
      if journals.isBroken {
        // Its last write was an error, so the file must be written before the next one.
        try replace(&journals, &files, lock, contents(), cancellation)
        return nil
      }
      if !journals.isNewestEmpty { journals.advance(to: try journals.makeNext()) }
      return (files.complete(contents(), before: journals.newestStart), lock)
    }
    guard let (contents, lock) = beginning else { return }
    let size = try EngineFile.replace(
      path, lockedBy: lock, on: disk, with: contents, cancellation)
    try withFiles { files, journals, lock in
      setFile(size, &files, &journals, lock, contents.journals.number)
    }
  }

  /// Makes a checkpoint that no call waits for.
  func checkpointByItself(interval: Int, contents: () -> EngineContents) throws(DiskError) {
    do {
      _ = try checkpoint(
        CancellationCheck(flag: flag, interval: interval), isByItself: true, contents: contents)
    } catch let error as DiskError {
      throw error
    } catch {
      // The use of the file ends, its journal is broken and the next write replaces it, or its lock
      // is lost and the next write is an error.
    }
  }

  /// The size of the journals at which a checkpoint begins, in bytes, for a file of a size.
  ///
  /// Reading the journals takes as long as indexing their records, so they are much smaller than
  /// the file. The file is written once for each such part of it.
  private func journalLimit(_ size: Int) -> Int { max(minimumJournalSize, size / 8) }

  /// Replaces a broken journal with an empty one, and the file with one that includes the journal's
  /// writes.
  private func replace(
    _ journals: inout JournalSeries, _ files: inout Files, _ lock: EngineLock,
    _ contents: EngineContents, _ cancellation: CancellationCheck
  ) throws {
    var next = journals
    next.advance(to: try journals.makeNext())
    let size = try EngineFile.replace(
      path, lockedBy: lock, on: disk, with: files.complete(contents, before: next.newestStart),
      cancellation)
    journals = next
    setFile(size, &files, &journals, lock, next.newestStart.number)
  }

  /// Takes note that the file was written, and removes the journals that it replaces.
  private func setFile(
    _ size: Int, _ files: inout Files, _ journals: inout JournalSeries, _ lock: EngineLock,
    _ number: UInt64
  ) {
    files.size = size
    files.failedCost = 0
    // Without the lock, they can be those of another engine.
    if lock.isHeld { journals.remove(before: number) }
  }

  /// Returns whether a checkpoint can begin, which is in progress then.
  private func beginCheckpoint(isLast: Bool) throws -> Bool {
    try status.withLock { status in
      guard !status.isClosing || isLast else { throw FileProblem("it was closed") }
      status.isRequested = false
      defer { status.isCheckpointing = true }
      return !status.isCheckpointing
    }
  }

  private func endCheckpoint() {
    let next = status.withLock { status in
      status.isCheckpointing = false
      defer { status.afterCheckpoint = [] }
      return status.afterCheckpoint
    }
    for body in next { body() }
  }

  /// Calls a closure when no checkpoint is in progress, which may be at once.
  func whenCheckpointEnds(_ body: @escaping @Sendable () -> Void) {
    let waits = status.withLock { status in
      if status.isCheckpointing { status.afterCheckpoint.append(body) }
      return status.isCheckpointing
    }
    if !waits { body() }
  }

  /// The number of calls that wait for the end of a checkpoint.
  var waitingCount: Int { status.withLock { $0.afterCheckpoint.count } }

  /// Ends a checkpoint that no call waits for.
  func stop() { flag.set() }

  /// Whether the next opening would take noticeably less time after a checkpoint.
  var isCheckpointWorthwhile: Bool {
    files.withLock { files in
      guard let journals = files.journals, !journals.isEmpty else { return false }
      // A broken journal can have a write that was an error.
      return journals.isBroken || files.size <= Self.smallSize
        || journals.cost(files.size) > files.size / 32
    }
  }

  /// Allows only the last checkpoint to begin.
  ///
  /// - Parameter body: Called when the use of the file has ended.
  /// - Returns: Whether the caller ends the use; otherwise another one does.
  func beginClosing(_ body: @escaping @Sendable () -> Void) -> Bool {
    let (isFirst, isClosed) = status.withLock { status in
      defer { status.isClosing = true }
      if !status.isClosed { status.afterClosing.append(body) }
      return (!status.isClosing, status.isClosed)
    }
    if isClosed { body() }
    return isFirst
  }

  /// Ends the use of the file. Later writes are errors. No checkpoint is in progress.
  func close() {
    files.withLock { files in
      // Another engine may use them otherwise.
      if let lock = files.lock, lock.isHeld { files.journals?.removeEmpty() }
      files.journals = nil
      files.lock = nil
    }
    let next = status.withLock { status in
      status.isClosed = true
      defer { status.afterClosing = [] }
      return status.afterClosing
    }
    for body in next { body() }
  }
}
