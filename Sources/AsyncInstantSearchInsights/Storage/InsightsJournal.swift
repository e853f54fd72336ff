public import InstantSearchAPI

/// Stores events in a file, so that they survive the process.
///
/// If events may be lost with the process, use ``InMemoryInsightsStorage``.
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
///   the events it touches; see ``lastRecovery``.
/// - A full disk does not prevent the acknowledgment of sent events. `track(_:)` throws until there
///   is space: when all events are acknowledged, which empties the file, or when the disk has space
///   for a smaller file.
/// - A file of another version or kind is rejected and not changed.
/// - One client at a time uses a journal. Another client, in this process or elsewhere, is rejected
///   with an error. The lock ends with the process. `track(_:)` throws if the file was moved,
///   replaced or removed.
/// - An event that `track(_:)` rejects is not in the file, unless the disk also fails to remove it.
///
/// When most events are acknowledged, the journal writes a smaller file, `….rewriting`, and
/// replaces the old file with it atomically. Another name of the file (a hard link) then keeps the
/// old events, so open a journal by one name only; symbolic links are followed. The file contains
/// user tokens. Only its owner can read a new file. It has at most 1 GiB.
///
/// Errors name the file without its folder, because a path can contain the name of a user. They
/// contain the reason from the disk and the remedy. ``path`` is the full path.
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
    /// The number of bytes before the end that belong to no intact event.
    public var corruptByteCount: Int
  }

  private struct State {
    var file: InsightsFile?
    var recovery: RecoveryReport?
  }

  /// The path of the file.
  public let path: String
  private let synchronization: Synchronization
  private let compactionByteCount: Int
  private let disk: any Disk
  private let state = Lock(State())

  /// Creates a journal in a file. The client creates the file if it does not exist.
  ///
  /// - Parameters:
  ///   - path: The path of the file. Its folder must exist.
  ///   - synchronization: When the system writes to the disk. Defaults to the system's choice.
  ///   - disk: The files of the system, by default. Tests pass a disk whose calls fail.
  public convenience init(
    path: String, synchronization: Synchronization = .never, disk: any Disk = SystemDisk()
  ) {
    self.init(
      path: path, synchronization: synchronization, compactionByteCount: 65_536, disk: disk)
  }

  /// Creates a journal with a custom threshold: it becomes smaller once this many bytes belong to
  /// acknowledged events and these are most of it.
  package init(
    path: String, synchronization: Synchronization, compactionByteCount: Int,
    disk: any Disk = SystemDisk()
  ) {
    self.path = path
    self.synchronization = synchronization
    self.compactionByteCount = compactionByteCount
    self.disk = disk
  }

  /// The state of the file when it was last opened, or `nil` before.
  public var lastRecovery: RecoveryReport? { state.withLock { $0.recovery } }

  /// Opens the file.
  ///
  /// - Throws: `SearchError` with the code `storage` if the file is in use, cannot be read or
  ///   written, has another version, or is not a journal.
  public func begin() throws(SearchError) -> InsightsBacklog {
    try state.withLock { state throws(SearchError) in
      guard state.file == nil else { throw inUse }
      do {
        guard let file = try InsightsFile(path, on: disk) else { throw inUse }
        state = State(file: file, recovery: file.recovery)
        return InsightsBacklog(records: file.records, nextID: file.nextID)
      } catch {
        throw failure("open", error)
      }
    }
  }

  /// Writes a record.
  public func append(_ record: InsightsRecord) throws(SearchError) {
    try change { try $0.append(record, synchronizing: synchronization == .everyWrite) }
  }

  /// Acknowledges records.
  public func acknowledge(_ ids: [UInt64]) throws(SearchError) {
    guard !ids.isEmpty else { return }
    try change { file in
      try file.acknowledge(
        Set(ids), synchronizing: synchronization == .everyWrite,
        compactingFrom: compactionByteCount)
    }
  }

  /// Closes the file.
  public func end() {
    state.withLock { state in
      state.file?.close()
      state.file = nil
    }
  }

  private func change(_ body: (inout InsightsFile) throws -> Void) throws(SearchError) {
    try state.withLock { state throws(SearchError) in
      guard var file = state.file else {
        throw SearchError(.storage, "The journal \(name) is not open.")
      }
      state.file = nil  // Leaves `file` the only owner of its events.
      defer { state.file = file }
      do { try body(&file) } catch { throw failure("write", error) }
    }
  }

  // MARK: Errors

  /// The name of the file without its folder.
  private var name: Substring { path.split(separator: "/").last ?? path[...] }

  private var inUse: SearchError {
    SearchError(
      .storage, "The journal \(name) is in use by another client. Use one path per client.")
  }

  private func failure(_ action: String, _ error: any Error) -> SearchError {
    switch error {
    case let error as SearchError: error
    case InsightsFile.Problem.foreign:
      SearchError(
        .storage,
        "File \(name) is not an insights journal. The file was not changed. Choose another path.")
    case InsightsFile.Problem.version(let version):
      SearchError(
        .storage,
        "Journal \(name) has unsupported version \(version), written by another version of this package. The file was not changed. Use that version, or choose another path."
      )
    case InsightsFile.Problem.tooLong:
      SearchError(
        .storage, "Journal \(name) is longer than 1 GiB. It was not changed. Choose another path.")
    case InsightsFile.Problem.eventTooLong:
      SearchError(.storage, "The event is too long for the journal. Track a shorter one.")
    case InsightsFile.Problem.noRoom:
      SearchError(
        .storage, "Waiting events take all of the journal \(name). Send them, or track fewer.")
    default:
      SearchError(
        .storage, "Could not \(action) the journal \(name): \(Self.advice(error))",
        underlying: (error as? DiskError).map { "\($0.reason)" } ?? "\(error)")
    }
  }

  /// The reason and the remedy.
  private static func advice(_ error: any Error) -> String {
    switch (error as? DiskError)?.reason {
    case .full: "there is no space left on the disk. Free some space, or raise the quota."
    case .denied: "permission is denied. Let this process read and write the file and its folder."
    case .notFound: "the folder does not exist. Create it first."
    case .notAFile: "it is not a regular file. Choose another path."
    case .moved: "the file was moved, replaced or removed. Create a new client."
    case let reason?: "\(DiskError(reason, path: ""))."
    case nil: "\(error)."
    }
  }
}
