import Foundation

/// Stores events in a file, so that they survive the process.
///
/// ```swift
/// let client = try InsightsClient(
///   transport: transport, userToken: token, storage: InsightsJournal(path: "events.journal"))
/// ```
///
/// ## Guarantees
///
/// - An event is in the file when `track(_:)` returns. It survives the end of the
///   process, however it ends. With ``Synchronization/everyWrite`` it survives a power failure too,
///   if the disk reports writes correctly.
/// - An acknowledged event is not sent again. If the process ends between the response of the
///   service and the acknowledgment, the next client sends the event a second time.
/// - An interrupted write is truncated when the file is opened. Corruption elsewhere affects only
///   the records it touches; see ``lastRecovery``. If it touches an acknowledgment, the events are
///   sent again.
/// - A full disk does not prevent the acknowledgment of sent events: without space for a record,
///   the event is marked in place, and its space is used again. `track(_:)` throws until there is
///   space. When no event waits, the file has no records.
/// - A file of another version or kind is rejected and not changed.
/// - One client at a time uses a journal. Another one, in this process or elsewhere, is rejected
///   with an error, for any path to the file. The lock covers the journal and a file beside it,
///   `….lock`, and ends with the process.
///
/// When most records are acknowledged, the journal writes a smaller file, `….replacement`, and
/// replaces the old file with it atomically. It does not do so while the file has other names (hard
/// links), under which the old file would remain. The file contains user tokens. Only its owner can
/// read it.
///
/// Errors name the file without its folder, because a path can contain the name of a user. They
/// contain the reason from the system and what to do. ``path`` is the full path.
///
/// Creating a journal does not touch the file. The client that uses the journal opens it.
public final class InsightsJournal: InsightsStorage {
  /// When the journal makes the system write to the disk.
  public enum Synchronization: Sendable, Hashable {
    /// When the system chooses. Events survive the end of the process, and mostly a power failure.
    case never
    /// After each event. Events survive a power failure, and tracking takes as long as the disk.
    case everyWrite
  }

  /// The state of the file when it was opened.
  public struct RecoveryReport: Sendable, Hashable {
    /// The number of waiting events.
    public var eventCount: Int
    /// The number of bytes truncated at the end, from an interrupted write or corruption.
    public var truncatedByteCount: Int
    /// The number of bytes before the end that belong to no intact record.
    public var corruptByteCount: Int
  }

  private struct Open {
    let lock: JournalLock
    var file: JournalFile
    /// The waiting events, for writing a smaller file.
    var waiting: [UInt64: InsightsRecord]
    /// The offsets of the events in the file.
    var offsets: [UInt64: Int]
    var waitingByteCount: Int
    var nextID: UInt64

    mutating func forget(_ ids: [UInt64]) {
      for id in ids {
        guard let record = waiting.removeValue(forKey: id) else { continue }
        offsets[id] = nil
        waitingByteCount -= JournalFormat.length(of: record)
      }
    }
  }

  private struct State {
    var open: Open?
    var recovery: RecoveryReport?
  }

  /// The path of the file.
  public let path: String
  private let synchronization: Synchronization
  private let compactionByteCount: Int
  private let system: JournalSystem
  private let state = Lock(State())

  /// Creates a journal in a file. The client creates the file if it does not exist.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Its folder must exist.
  ///   - synchronization: When the system writes to the disk. Defaults to the system's choice.
  public convenience init(path: String, synchronization: Synchronization = .never) {
    self.init(path: path, synchronization: synchronization, compactionByteCount: 65_536)
  }

  /// Creates a journal with a custom threshold: it becomes smaller once this many bytes belong to
  /// acknowledged events and these are most of it.
  package init(
    path: String, synchronization: Synchronization, compactionByteCount: Int,
    system: JournalSystem = JournalSystem()
  ) {
    self.path = path
    self.synchronization = synchronization
    self.compactionByteCount = compactionByteCount
    self.system = system
  }

  deinit {
    end()
  }

  /// The state of the file when it was last opened, or `nil` before.
  public var lastRecovery: RecoveryReport? { state.withLock { $0.recovery } }

  /// Opens the file.
  ///
  /// - Throws: `SearchError` with the code `storage` if the file is in use, cannot be read or
  ///   written, has another version, or is not a journal.
  public func begin() throws(SearchError) -> InsightsBacklog {
    let (path, system, isSynchronizing) = (path, system, synchronization == .everyWrite)
    return try state.withLock { state throws(SearchError) in
      guard state.open == nil else { throw Self.inUse(path) }
      let realPath = try Self.attempt("find", path) { try JournalLock.resolved(path) }
      let lock = try Self.attempt("lock", path) { try JournalLock(for: realPath, system) }
      do throws(SearchError) {
        let (open, recovery) = try Self.attempt("open", path) {
          try Self.open(realPath, system, lock: lock, synchronizing: isSynchronizing)
        }
        state.open = open
        state.recovery = recovery
        return InsightsBacklog(
          records: open.waiting.values.sorted { $0.id < $1.id }, nextID: open.nextID)
      } catch {
        lock.release()
        throw error
      }
    }
  }

  /// Writes a record.
  public func append(_ record: InsightsRecord) throws(SearchError) {
    let bytes = JournalFormat.event(record)
    guard bytes.count - JournalFormat.frameLength <= JournalFormat.maximumPayload else {
      throw SearchError(.storage, "The event is too long for the journal.")
    }
    func write() throws(SearchError) {
      try self.write(bytes) { open in
        open.waiting[record.id] = record
        open.offsets[record.id] = open.file.length - bytes.count
        open.waitingByteCount += bytes.count
        open.nextID = max(open.nextID, record.id == .max ? .max : record.id + 1)
      }
    }
    do throws(SearchError) {
      try write()
    } catch {
      // The space of acknowledged events may be enough.
      guard (try? compact(ifSparing: 1)) == true else { throw error }
      try write()
    }
  }

  /// Acknowledges records.
  public func acknowledge(_ ids: [UInt64]) throws(SearchError) {
    guard !ids.isEmpty else { return }
    if removeAll(ifOnly: ids) { return }
    // Divided, so that no record exceeds the maximum length.
    let bytes = stride(from: 0, to: ids.count, by: 10_000).flatMap { start in
      JournalFormat.acknowledgement(ids[start..<min(start + 10_000, ids.count)])
    }
    do throws(SearchError) {
      try write(bytes) { $0.forget(ids) }
    } catch {
      // Without space for the record, the events are marked in place. If that fails too, a smaller
      // file without them may be possible.
      do {
        try markAcknowledged(ids)
        _ = try? compact()
      } catch _ {
        guard (try? compact(without: ids)) == true else { throw error }
      }
      return
    }
    // The acknowledgment is stored. If no smaller file can be written, this one stays.
    _ = try? compact()
  }

  /// Closes the file.
  public func end() {
    let open = state.withLock { state in
      defer { state.open = nil }
      return state.open
    }
    open?.file.close()
    open?.lock.release()
  }
}

// MARK: - Files

extension InsightsJournal {
  private func write(
    _ bytes: [UInt8], then change: (inout Open) -> Void
  ) throws(SearchError) {
    let path = path
    let isSynchronizing = synchronization == .everyWrite
    try state.withLock { state throws(SearchError) in
      guard var open = state.open else {
        throw Self.notOpen(path)
      }
      state.open = nil  // Leaves `open` the only owner.
      defer { state.open = open }
      try Self.attempt("write", path) {
        try open.file.append(bytes, synchronizing: isSynchronizing)
      }
      change(&open)
    }
  }

  /// Empties the file if no event waits except for some. Returns `false` if it cannot.
  private func removeAll(ifOnly ids: [UInt64]) -> Bool {
    let isSynchronizing = synchronization == .everyWrite
    return state.withLock { state in
      guard var open = state.open, Set(open.waiting.keys).isSubset(of: ids) else { return false }
      state.open = nil  // Leaves `open` the only owner.
      defer { state.open = open }
      guard (try? open.file.removeAll(synchronizing: isSynchronizing)) != nil else { return false }
      open.forget(ids)
      return true
    }
  }

  /// Marks events as acknowledged in place.
  private func markAcknowledged(_ ids: [UInt64]) throws {
    let isSynchronizing = synchronization == .everyWrite
    try state.withLock { state in
      guard var open = state.open else { throw Self.notOpen(path) }
      state.open = nil  // Leaves `open` the only owner.
      defer { state.open = open }
      try open.file.overwrite(
        ids.compactMap { open.offsets[$0].map { $0 + JournalFormat.markOffset } },
        with: JournalFormat.acknowledgedMark, synchronizing: isSynchronizing)
      open.forget(ids)
    }
  }

  /// Replaces the file with a smaller one, if that is worthwhile or events must be left out. If it
  /// fails, this file stays.
  ///
  /// - Parameters:
  ///   - ids: Events that must be left out.
  ///   - threshold: The number of bytes from which it is worthwhile. By default it must be most of
  ///     the file as well.
  /// - Returns: Whether the file was replaced.
  private func compact(without ids: [UInt64] = [], ifSparing threshold: Int? = nil) throws -> Bool {
    let isSynchronizing = synchronization == .everyWrite
    return try state.withLock { state in
      guard var open = state.open else { return false }
      open.forget(ids)
      let spare = open.file.length - JournalFormat.headerLength - open.waitingByteCount
      let isWorthwhile =
        threshold.map { spare >= $0 }
        ?? (spare >= compactionByteCount && spare > open.waitingByteCount)
      guard isWorthwhile || !ids.isEmpty, try open.file.isReplaceable() else { return false }
      let records = open.waiting.values.sorted { $0.id < $1.id }
      let replacement = try JournalFile(
        replacing: open.file.path,
        with: JournalFormat.header(nextID: open.nextID) + records.flatMap(JournalFormat.event),
        system)
      // From here on the new file is the journal, even if a later step fails.
      open.file.close()
      open.file = replacement
      var offset = JournalFormat.headerLength
      for record in records {
        open.offsets[record.id] = offset
        offset += JournalFormat.length(of: record)
      }
      defer { state.open = open }
      if isSynchronizing { try open.file.synchronizeName() }
      return true
    }
  }

  private static func open(
    _ path: String, _ system: JournalSystem, lock: JournalLock, synchronizing: Bool
  ) throws -> (Open, RecoveryReport) {
    let existing = try JournalFile(existingAt: path, system)
    // A foreign file may be long.
    let head = try existing?.head() ?? []
    let kind = JournalFormat.header(of: head)
    var bytes = kind.isOfJournal ? try existing?.bytes() ?? [] : []
    var nextID: UInt64? = 1
    var recovery = RecoveryReport(eventCount: 0, truncatedByteCount: 0, corruptByteCount: 0)
    var file: JournalFile
    switch (kind, existing) {
    case (.valid(let id), let existing?):
      nextID = id
      file = existing
      JournalFile.removeStaleReplacement(at: path, system)
    case (.valid, nil), (.torn, _):
      recovery.truncatedByteCount = bytes.count
      bytes = JournalFormat.header(nextID: 1)
      file = try JournalFile(replacing: path, with: bytes, system)
      existing?.close()
    case (.unknownVersion(let version), _):
      throw SearchError(
        .storage,
        "Journal \(JournalError.name(of: path)) has unsupported version \(version), written by another version of this package. The file was not changed."
      )
    case (.foreign, _):
      throw SearchError(
        .storage,
        "File \(JournalError.name(of: path)) is not an insights journal. The file was not changed. Choose another path."
      )
    }
    let contents = JournalContents(of: bytes, nextID: nextID)
    try file.take(length: contents.end)
    if synchronizing { try file.synchronizeName() }
    recovery.eventCount = contents.waiting.count
    recovery.truncatedByteCount += bytes.count - contents.end
    recovery.corruptByteCount = contents.corruptByteCount
    let open = Open(
      lock: lock, file: file,
      waiting: Dictionary(contents.waiting.map { ($0.id, $0) }, uniquingKeysWith: { $1 }),
      offsets: contents.offsets,
      waitingByteCount: contents.waiting.reduce(0) { $0 + JournalFormat.length(of: $1) },
      nextID: contents.nextID)
    return (open, recovery)
  }

  private static func attempt<Value>(
    _ what: String, _ path: String, _ body: () throws -> Value
  ) throws(SearchError) -> Value {
    do {
      return try body()
    } catch let error as SearchError {
      throw error
    } catch is JournalIsInUse {
      throw inUse(path)
    } catch is JournalIsNoFile {
      throw SearchError(
        .storage,
        "\(JournalError.name(of: path)) is not a regular file. Nothing was changed. Choose another path."
      )
    } catch {
      throw JournalError.error(error as NSError, doing: what, path: path)
    }
  }

  private static func inUse(_ path: String) -> SearchError {
    SearchError(
      .storage,
      "The journal \(JournalError.name(of: path)) is in use by another client. Use one path per client."
    )
  }

  private static func notOpen(_ path: String) -> SearchError {
    SearchError(.storage, "The journal \(JournalError.name(of: path)) is not open.")
  }
}
