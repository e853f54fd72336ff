import Foundation

/// Keeps events in a file, so that they survive the process.
///
/// ```swift
/// let client = try InsightsClient(
///   transport: transport, userToken: token, storage: InsightsJournal(path: "events.journal"))
/// ```
///
/// ## What is promised
///
/// - An event is in the file when ``InsightsClient/track(_:)`` returns. The death of the process
///   does not take it away, however it dies. With ``Synchronization/everyWrite`` neither does the
///   loss of power, as far as the disk says the truth.
/// - An event that the file notes as sent is not sent again. Between the service's answer and that
///   note a process may die: such an event is sent a second time by the next client.
/// - A write that was interrupted is cut off when the file is opened. Damage elsewhere costs the
///   records it touches, no others, and ``lastRecovery`` tells of it; where it touches the note that
///   events were sent, they are sent again.
/// - A full disk takes no event back that was sent: where there is no space for the note, the event
///   is crossed out in its place, which needs none. ``InsightsClient/track(_:)`` throws until there
///   is space again.
/// - A file of another version or of another kind is refused and not touched.
/// - One client at a time: another one, in this process or elsewhere, is refused with an error,
///   whatever name it has for the file. The lock is on the journal and on a file beside it,
///   `….lock`, and ends with the process that has it.
///
/// The file is made smaller when most of it is about events that are done with, by writing another
/// one, `….replacement`, and putting it in its place at once; not while it has other names (hard
/// links), under which the old one would live on. It holds user tokens; only its owner may read it.
///
/// Errors name the file without its folder, as a path may have the name of a user in it, and they
/// say what the system said and what to do. ``path`` is the whole.
///
/// Making a journal touches no file: that is done by the client that is given it.
public final class InsightsJournal: InsightsStorage {
  /// When the system is made to write to the disk.
  public enum Synchronization: Sendable, Hashable {
    /// When it likes: events survive the death of the process, and mostly a loss of power.
    case never
    /// At every event: it survives a loss of power, and takes as long as the disk takes.
    case everyWrite
  }

  /// What was found when the file was opened.
  public struct RecoveryReport: Sendable, Hashable {
    /// How many events waited.
    public var eventCount: Int
    /// How many bytes were cut off the end: of a write that was interrupted, or damaged.
    public var truncatedByteCount: Int
    /// How many bytes before the end belong to no intact record.
    public var corruptByteCount: Int
  }

  private struct Open {
    let lock: JournalLock
    var file: JournalFile
    /// The events that wait, for writing a smaller file.
    var waiting: [UInt64: InsightsRecord]
    /// Where they are in the file.
    var places: [UInt64: Int]
    var waitingByteCount: Int
    var nextID: UInt64

    mutating func forget(_ ids: [UInt64]) {
      for id in ids {
        guard let record = waiting.removeValue(forKey: id) else { continue }
        places[id] = nil
        waitingByteCount -= JournalFormat.length(of: record)
      }
    }
  }

  private struct State {
    var open: Open?
    var recovery: RecoveryReport?
  }

  /// Where the file is.
  public let path: String
  private let synchronization: Synchronization
  private let compactionByteCount: Int
  private let system: JournalSystem
  private let state = Lock(State())

  /// A journal in a file, which is made when a client begins with it and it is not there.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist.
  ///   - synchronization: When the system is made to write to the disk; never, by default.
  public convenience init(path: String, synchronization: Synchronization = .never) {
    self.init(path: path, synchronization: synchronization, compactionByteCount: 65_536)
  }

  /// A journal that is made smaller as soon as so many bytes are about events that are done with,
  /// if that is most of it.
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

  /// What was found when the file was last opened; `nil` before.
  public var lastRecovery: RecoveryReport? { state.withLock { $0.recovery } }

  /// Opens the file.
  ///
  /// - Throws: `SearchError` of code `storage`: the file is in use, cannot be read or written, is
  ///   of another version, or is no journal.
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
    try write(bytes) { open in
      open.waiting[record.id] = record
      open.places[record.id] = open.file.length - bytes.count
      open.waitingByteCount += bytes.count
      open.nextID = max(open.nextID, record.id == .max ? .max : record.id + 1)
    }
  }

  /// Notes that records are done with.
  public func acknowledge(_ ids: [UInt64]) throws(SearchError) {
    guard !ids.isEmpty else { return }
    // Split, so that no record is longer than one may be.
    let bytes = stride(from: 0, to: ids.count, by: 10_000).flatMap { start in
      JournalFormat.acknowledgement(ids[start..<min(start + 10_000, ids.count)])
    }
    do throws(SearchError) {
      try write(bytes) { $0.forget(ids) }
    } catch {
      // Where there is no space for the note, the events are crossed out, which needs none. If that
      // fails too, there may be a way to make a smaller file without them.
      do {
        try crossOut(ids)
        _ = try? compact()
      } catch _ {
        guard (try? compact(without: ids)) == true else { throw error }
      }
      return
    }
    // The note is kept; where there can be no smaller file, this one goes on.
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

  /// Notes in the places of events that they are done with.
  private func crossOut(_ ids: [UInt64]) throws {
    let isSynchronizing = synchronization == .everyWrite
    try state.withLock { state in
      guard var open = state.open else { throw Self.notOpen(path) }
      state.open = nil  // Leaves `open` the only owner.
      defer { state.open = open }
      try open.file.overwrite(
        ids.compactMap { open.places[$0].map { $0 + JournalFormat.crossingPlace } },
        with: JournalFormat.crossedOut, synchronizing: isSynchronizing)
      open.forget(ids)
    }
  }

  /// Writes a smaller file and puts it in the place of this one, if that is worth it or there are
  /// events to be left out; if that fails, this one goes on.
  ///
  /// - Returns: Whether there is another file.
  private func compact(without ids: [UInt64] = []) throws -> Bool {
    let threshold = compactionByteCount
    let isSynchronizing = synchronization == .everyWrite
    return try state.withLock { state in
      guard var open = state.open else { return false }
      open.forget(ids)
      let spare = open.file.length - JournalFormat.headerLength - open.waitingByteCount
      let isWorthwhile = spare >= threshold && spare > open.waitingByteCount
      guard isWorthwhile || !ids.isEmpty, try open.file.isReplaceable() else { return false }
      let records = open.waiting.values.sorted { $0.id < $1.id }
      let replacement = try JournalFile(
        replacing: open.file.path,
        with: JournalFormat.header(nextID: open.nextID) + records.flatMap(JournalFormat.event),
        system)
      // From here on the other file is the journal, whatever else fails.
      open.file.close()
      open.file = replacement
      var place = JournalFormat.headerLength
      for record in records {
        open.places[record.id] = place
        place += JournalFormat.length(of: record)
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
    var bytes = try existing?.bytes() ?? []
    var nextID: UInt64? = 1
    var recovery = RecoveryReport(eventCount: 0, truncatedByteCount: 0, corruptByteCount: 0)
    var file: JournalFile
    switch (JournalFormat.header(of: bytes), existing) {
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
        "The journal \(JournalFault.name(of: path)) has the unknown version \(version); it was not touched. Another version of this package wrote it."
      )
    case (.foreign, _):
      throw SearchError(
        .storage,
        "The file \(JournalFault.name(of: path)) is no journal; it was not touched. Choose another path."
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
      places: contents.places,
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
    } catch {
      throw JournalFault.error(error as NSError, doing: what, path: path)
    }
  }

  private static func inUse(_ path: String) -> SearchError {
    SearchError(
      .storage, "The journal \(JournalFault.name(of: path)) is in use by another client.")
  }

  private static func notOpen(_ path: String) -> SearchError {
    SearchError(.storage, "The journal \(JournalFault.name(of: path)) is not open.")
  }
}
