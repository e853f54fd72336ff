import InstantSearchAPI

/// Reads and replaces the file of an engine.
enum EngineFile {
  /// Reads a file that may be in use.
  ///
  /// - Throws: ``FileProblem`` if it cannot be used, or if a journal has newer writes.
  static func contents(
    of path: String, _ configuration: EngineConfiguration, _ cancellation: CancellationCheck
  ) throws -> EngineContents {
    let disk = configuration.disk
    let path = try self.path(path, on: disk)
    while true {
      let contents = try EngineContents(
        from: disk.open(path, .reading), segmenter: configuration.segmenter, cancellation)
      guard try !JournalSeries.hasEntries(from: contents.journals, of: path, on: disk) else {
        throw FileProblem(
          "its journal has newer writes; open it with LocalSearch(file:), or checkpoint() there")
      }
      // After a checkpoint in between, the journal may have been removed with newer writes.
      let file = try disk.open(path, .reading)
      if try EngineContents.journals(of: file, cancellation) == contents.journals {
        return contents
      }
    }
  }

  /// Returns the absolute path of a file, under which its other files are found.
  ///
  /// - Throws: ``FileProblem`` if its name is too long for their names. An error of the disk if it
  ///   is a folder.
  static func path(_ path: String, on disk: any Disk) throws -> String {
    try checkName(path)
    let path = try disk.absolutePath(of: path)
    // The path may have been a symbolic link.
    try checkName(path)
    _ = try disk.openIfPresent(path, .reading)
    return path
  }

  /// Throws ``FileProblem`` if the name of a file is too long.
  private static func checkName(_ path: String) throws {
    // File systems allow names of 255 bytes, and a journal's name is 28 bytes longer than the
    // file's.
    let (length, limit) = (path.utf8.split(separator: UInt8(ascii: "/")).last?.count ?? 0, 227)
    guard length <= limit else {
      throw FileProblem("its name has \(length) bytes, and at most \(limit) are possible")
    }
  }

  /// The path under which a file is written before it is complete.
  static func newPath(_ path: String) -> String { path + ".checkpoint" }

  /// Writes the contents aside, and renames the file when it is complete.
  ///
  /// - Returns: The size of the file, in bytes.
  /// - Throws: ``FileProblem`` if the lock is of no use any more.
  static func replace(
    _ path: String, lockedBy lock: EngineLock, on disk: any Disk, with contents: EngineContents,
    _ cancellation: CancellationCheck
  ) throws -> Int {
    let newPath = newPath(path)
    let file = try disk.open(newPath, .replacing, permissionsOf: path)
    do {
      try contents.write(to: file, cancellation)
      try lock.check()
      try disk.rename(newPath, to: path)
    } catch {
      // Without the lock, it can be that of another engine.
      if lock.isHeld { try? disk.remove(newPath) }
      throw error
    }
    try disk.synchronizeFolder(of: path)
    return try file.size()
  }
}

/// The lock of the file of an engine, which ends with its last reference and with the process.
struct EngineLock: Sendable {
  private let file: any DiskFile
  private let path: String
  private let disk: any Disk
  /// Whether this call created the file of the lock.
  let isNew: Bool

  /// Locks a file, or returns `nil` if another engine uses it.
  init?(_ path: String, on disk: any Disk) throws {
    self.path = path + ".lock"
    self.disk = disk
    isNew = try disk.openIfPresent(self.path, .updating) == nil
    file = try disk.open(self.path, .locking, permissionsOf: path)
    guard try file.lock() else { return nil }
  }

  /// Whether the file of the lock verifiably has its name, so that no other engine can lock it;
  /// `false` if the check fails.
  var isHeld: Bool { (try? file.isNamed(path)) == true }

  /// Throws ``FileProblem`` if another engine may use the file, although its lock was free.
  func check() throws {
    guard try file.isNamed(path) else {
      throw FileProblem("its lock or its folder was moved or removed while the engine used it")
    }
  }

  /// Removes the lock, unless it can be that of another engine.
  func remove() { if isHeld { try? disk.remove(path) } }
}

extension SearchError {
  /// Creates the error of reading a file.
  init(opening path: String, _ error: any Error) {
    self.init(file: path, "Cannot open", error)
  }

  /// Creates the error of writing a file.
  init(saving path: String, _ error: any Error) {
    self.init(file: path, "Cannot save to", error)
  }

  private init(file path: String, _ action: String, _ error: any Error) {
    switch error {
    case let problem as FileProblem:
      self.init(.storage, "\(action) \(path): \(problem).")
    case let failure as DiskError:
      // It can be another file of the engine, such as a journal.
      let name = failure.path.split(separator: "/").last
      let isOther = name != nil && name != path.split(separator: "/").last
      let reason = isOther ? "\(failure) (\(failure.path))" : "\(failure)"
      self.init(.storage, "\(action) \(path): \(reason).", underlying: "\(failure.reason)")
    default: self.init(engine: error, indexName: nil)
    }
  }
}
