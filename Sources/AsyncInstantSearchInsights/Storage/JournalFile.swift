package import Foundation

/// The open file of a journal. It ends after its last intact record.
///
/// It holds a lock of the file itself, so that the file is locked under its other names too.
struct JournalFile {
  private let system: JournalSystem
  /// The path of the file.
  let path: String
  private let handle: FileHandle
  /// The offset after the last complete record.
  private(set) var length: Int
  /// Whether a failed write may have left bytes after the last complete record.
  private var needsCut = false
  /// Whether a power failure may restore the file that had the name before.
  private var isNameOnDisk = true

  /// Opens a file without changing it. Returns `nil` if it does not exist.
  init?(existingAt path: String, _ system: JournalSystem) throws {
    do {
      handle = try system.open(path, .journal)
    } catch let error as NSError
      where error.domain == NSPOSIXErrorDomain && error.code == Int(ENOENT)
    {
      return nil
    }
    self.system = system
    self.path = path
    // Another kind of file would be read as an empty journal, and replaced.
    guard try system.isRegularFile(handle) else { throw JournalIsNoFile() }
    length = Int(clamping: try handle.seekToEnd())
    guard try system.lock(handle) else { throw JournalIsInUse() }
  }

  /// Creates a file and replaces another one with it atomically. If it throws, the other file
  /// stays.
  init(replacing path: String, with bytes: [UInt8], _ system: JournalSystem) throws {
    // Only the holder of the path lock creates files.
    let newPath = Self.replacementPath(of: path)
    Self.removeStaleReplacement(at: path, system)
    handle = try system.open(newPath, .replacement)
    do {
      guard try system.lock(handle) else { throw JournalIsInUse() }
      // The umask of the process can remove the permissions of the owner too.
      try system.restrict(handle)
      try system.write(handle, bytes)
      try system.synchronize(handle)
      try system.rename(newPath, path)
    } catch {
      try? handle.close()
      try? system.remove(newPath)
      throw error
    }
    self.system = system
    self.path = path
    length = bytes.count
    isNameOnDisk = false
  }

  /// Removes the remains of an interrupted replacement.
  static func removeStaleReplacement(at path: String, _ system: JournalSystem) {
    try? system.remove(replacementPath(of: path))
  }

  private static func replacementPath(of path: String) -> String { path + ".replacement" }

  /// The first bytes of the file, as many as a header has.
  func head() throws -> [UInt8] {
    try handle.seek(toOffset: 0)
    return [UInt8](try handle.read(upToCount: JournalFormat.headerLength) ?? Data())
  }

  /// The contents of the file.
  func bytes() throws -> [UInt8] {
    try handle.seek(toOffset: 0)
    return [UInt8](try handle.readToEnd() ?? Data())
  }

  /// Removes all records, which needs no space.
  mutating func removeAll(synchronizing: Bool) throws {
    // If it fails, the file may be shorter all the same.
    defer { length = min(length, (try? handle.seekToEnd()).map { Int(clamping: $0) } ?? length) }
    try system.truncate(handle, JournalFormat.headerLength)
    needsCut = false
    if synchronizing { try system.synchronize(handle) }
  }

  /// Prepares an existing file for the journal, and truncates it to `length`.
  mutating func take(length: Int) throws {
    try system.restrict(handle)
    self.length = length
    try cut()
  }

  /// Writes one record with one system call.
  ///
  /// When it returns, the bytes survive the end of the process. If it throws, the file ends where
  /// it ended before, at the latest before the next record is written.
  mutating func append(_ bytes: [UInt8], synchronizing: Bool) throws {
    if needsCut { try cut() }
    needsCut = true
    do {
      try system.write(handle, bytes)
      if synchronizing {
        try system.synchronize(handle)
        if !isNameOnDisk { try synchronizeName() }
      }
    } catch {
      try? cut()
      throw error
    }
    needsCut = false
    length += bytes.count
  }

  /// Overwrites a byte in place, which takes no space.
  mutating func overwrite(_ offsets: [Int], with byte: UInt8, synchronizing: Bool) throws {
    // The next record is written at the end of the file.
    needsCut = true
    for offset in offsets {
      try handle.seek(toOffset: UInt64(offset))
      try system.write(handle, [byte])
    }
    if synchronizing { try system.synchronize(handle) }
  }

  /// Waits until the name of the file is on the disk.
  mutating func synchronizeName() throws {
    let folder = try system.open((path as NSString).deletingLastPathComponent, .folder)
    defer { try? folder.close() }
    try system.synchronize(folder)
    isNameOnDisk = true
  }

  /// Whether the file can be replaced. A file with other names would remain under them.
  func isReplaceable() throws -> Bool { try system.nameCount(path) == 1 }

  func close() {
    handle.unlockAndClose()
  }

  private mutating func cut() throws {
    let end = try handle.seekToEnd()
    if end > UInt64(length) { try system.truncate(handle, length) }
    try handle.seek(toOffset: UInt64(length))
    needsCut = false
  }
}

/// The path is that of a device or a pipe.
struct JournalIsNoFile: Error {}

/// Another client has the lock.
struct JournalIsInUse: Error {}

/// A lock against other processes and other clients of this one. It ends with the process.
///
/// The lock is on a separate file, because the journal is replaced when it becomes smaller, and may
/// not exist yet.
struct JournalLock {
  private let handle: FileHandle

  /// Locks a resolved path.
  init(for path: String, _ system: JournalSystem) throws {
    handle = try system.open(path + ".lock", .lock)
    guard try system.lock(handle) else {
      try? handle.close()
      throw JournalIsInUse()
    }
  }

  /// Releases the lock.
  func release() {
    handle.unlockAndClose()
  }

  /// The path without links, `.` and `..`. The file need not exist.
  ///
  /// A file has one lock for all paths to it.
  static func resolved(_ path: String) throws -> String {
    let absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    var rest = Array(absolute.split(separator: "/").map(String.init).reversed())
    var resolved: [String] = []
    var links = 0
    while let name = rest.popLast() {
      switch name {
      case ".": continue
      case "..": _ = resolved.popLast()
      default:
        let next = "/" + (resolved + [name]).joined(separator: "/")
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) else {
          resolved.append(name)
          continue
        }
        links += 1
        guard links <= 40 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(ELOOP)) }
        if target.hasPrefix("/") { resolved = [] }
        rest += target.split(separator: "/").map(String.init).reversed()
      }
    }
    return "/" + resolved.joined(separator: "/")
  }
}

/// The system calls of a journal.
///
/// Tests replace them to record their order and to let one fail.
package struct JournalSystem: Sendable {
  /// The purpose of opening a file.
  package enum Purpose: Sendable {
    /// Reading and writing. The file must exist.
    case journal
    /// Writing. The file must not exist.
    case replacement
    /// Locking. The file is created if it does not exist.
    case lock
    /// Writing the entries of a folder to the disk.
    case folder

    fileprivate var flags: Int32 {
      switch self {
      // A pipe at the path is an error instead of blocking.
      case .journal: O_RDWR | O_NONBLOCK
      case .replacement: O_RDWR | O_CREAT | O_EXCL
      case .lock: O_RDWR | O_CREAT
      case .folder: O_RDONLY | O_DIRECTORY
      }
    }
  }

  /// Opens a file. Only its owner can read a created file. Child processes do not inherit it,
  /// because they would share the lock.
  package var open: @Sendable (_ path: String, Purpose) throws -> FileHandle = { path, purpose in
    try posixOpen(path, purpose.flags | O_CLOEXEC)
  }
  /// Locks a file. Returns `false` if another client has the lock.
  package var lock: @Sendable (FileHandle) throws -> Bool = { file in
    if flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    let code = errno
    guard code == EWOULDBLOCK else { throw posixError(code) }
    return false
  }
  /// Restricts reading and writing of a file to its owner.
  package var restrict: @Sendable (FileHandle) throws -> Void = { file in
    guard fchmod(file.fileDescriptor, 0o600) == 0 else { throw posixError(errno) }
  }
  /// Writes bytes at the file's offset.
  package var write: @Sendable (FileHandle, [UInt8]) throws -> Void = { file, bytes in
    try file.write(contentsOf: Data(bytes))
  }
  /// Sets the length of a file.
  package var truncate: @Sendable (FileHandle, Int) throws -> Void = { file, length in
    try file.truncate(atOffset: UInt64(length))
  }
  /// Waits until written bytes are on the disk.
  package var synchronize: @Sendable (FileHandle) throws -> Void = { try $0.synchronize() }
  /// Renames a file, replacing a file with the new name.
  package var rename: @Sendable (_ path: String, _ newPath: String) throws -> Void = {
    try posixRename($0, $1)
  }
  /// Removes a file that is not a folder.
  package var remove: @Sendable (_ path: String) throws -> Void = { try posixRemove($0) }
  /// Whether an open file is a regular one.
  package var isRegularFile: @Sendable (FileHandle) throws -> Bool = { try isRegular($0) }
  /// The number of names of a file.
  package var nameCount: @Sendable (_ path: String) throws -> Int = { path in
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.referenceCount] as? NSNumber)?.intValue ?? 1
  }

  /// The calls of the system.
  package init() {}
}

extension FileHandle {
  /// Closes a file and releases its lock.
  ///
  /// Closing alone does not release the lock while a child process that was just started still has
  /// a copy of the file.
  func unlockAndClose() {
    _ = flock(fileDescriptor, LOCK_UN)
    try? close()
  }
}

// Safe: the functions read a zero-terminated text that the compiler creates from the string
// and keeps during the call, and they keep no pointer. Foundation has no call that creates a file
// only if it does not exist, or that replaces a file without additional rules.

private func posixOpen(_ path: String, _ flags: Int32) throws -> FileHandle {
  let descriptor = unsafe open(path, flags, 0o600)
  guard descriptor >= 0 else { throw posixError(errno) }
  return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
}

private func isRegular(_ file: FileHandle) throws -> Bool {
  var status = stat()
  guard unsafe fstat(file.fileDescriptor, &status) == 0 else { throw posixError(errno) }
  return status.st_mode & S_IFMT == S_IFREG
}

private func posixRename(_ path: String, _ newPath: String) throws {
  guard unsafe rename(path, newPath) == 0 else { throw posixError(errno) }
}

private func posixRemove(_ path: String) throws {
  guard unsafe unlink(path) == 0 else { throw posixError(errno) }
}

private func posixError(_ code: Int32) -> NSError {
  NSError(domain: NSPOSIXErrorDomain, code: Int(code))
}
