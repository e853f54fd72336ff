package import Foundation

/// The open file of a journal, which ends behind its last intact record.
///
/// It has the lock of the file itself, so that another name of the file is of no use to others.
struct JournalFile {
  private let system: JournalSystem
  /// Where the file is.
  let path: String
  private let handle: FileHandle
  /// Where the last complete record ends.
  private(set) var length: Int
  /// Whether a write that failed may have left bytes behind the last complete record.
  private var needsCut = false
  /// Whether a loss of power may bring back the file that had the name before.
  private var isNameOnDisk = true

  /// Opens a file and changes nothing of it; `nil` where there is none.
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
    length = Int(clamping: try handle.seekToEnd())
    guard try system.lock(handle) else { throw JournalIsInUse() }
  }

  /// Makes a file and puts it in the place of another one, or where there is none: at any moment
  /// there is the whole of the one or of the other. When this throws, it is the other.
  init(replacing path: String, with bytes: [UInt8], _ system: JournalSystem) throws {
    // Nobody else makes one: whoever does has the lock of the path.
    let newPath = Self.replacementPath(of: path)
    Self.removeStaleReplacement(at: path, system)
    handle = try system.open(newPath, .replacement)
    do {
      guard try system.lock(handle) else { throw JournalIsInUse() }
      // The process may have forbidden even the owner to read what it makes.
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

  /// Removes what a replacement that was interrupted has left.
  static func removeStaleReplacement(at path: String, _ system: JournalSystem) {
    try? system.remove(replacementPath(of: path))
  }

  private static func replacementPath(of path: String) -> String { path + ".replacement" }

  /// What the file has.
  func bytes() throws -> [UInt8] {
    try handle.seek(toOffset: 0)
    return [UInt8](try handle.readToEnd() ?? Data())
  }

  /// Makes a file that was there before the journal's own, and cuts what lies behind `length`.
  mutating func take(length: Int) throws {
    try system.restrict(handle)
    self.length = length
    try cut()
  }

  /// Writes one record with one call to the system.
  ///
  /// The bytes are the system's when this returns: they survive the death of the process. When it
  /// throws, the file ends where it ended before, or will before the next record is written.
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

  /// Puts a byte in the place of others, which takes no space.
  mutating func overwrite(_ places: [Int], with byte: UInt8, synchronizing: Bool) throws {
    // The next record is written where the file ends.
    needsCut = true
    for place in places {
      try handle.seek(toOffset: UInt64(place))
      try system.write(handle, [byte])
    }
    if synchronizing { try system.synchronize(handle) }
  }

  /// Returns when the disk knows the file by its name.
  mutating func synchronizeName() throws {
    let folder = try system.open((path as NSString).deletingLastPathComponent, .folder)
    defer { try? folder.close() }
    try system.synchronize(folder)
    isNameOnDisk = true
  }

  /// Whether the file can be replaced: one with other names would live on under them.
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

/// Somebody else has the lock.
struct JournalIsInUse: Error {}

/// A lock that other processes see, and other clients of this one. It ends with the process.
///
/// The lock is on a file of its own, because the journal itself is replaced by another file when it
/// is made smaller, and because there may be no journal yet.
struct JournalLock {
  private let handle: FileHandle

  /// Takes the lock of a resolved path.
  init(for path: String, _ system: JournalSystem) throws {
    handle = try system.open(path + ".lock", .lock)
    guard try system.lock(handle) else {
      try? handle.close()
      throw JournalIsInUse()
    }
  }

  /// Gives the lock back.
  func release() {
    handle.unlockAndClose()
  }

  /// The path without links, `.` and `..`, as the system goes it; the file need not exist.
  ///
  /// One file is to have one lock, whatever it is called by.
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

/// What a journal asks of the system.
///
/// Tests put calls of their own in the place of these, to see their order and to let one fail.
package struct JournalSystem: Sendable {
  /// What a file is opened for.
  package enum Purpose: Sendable {
    /// To be read and written; it must exist.
    case journal
    /// To be written; it must not exist.
    case replacement
    /// To be locked; it is made where it does not exist.
    case lock
    /// To write to the disk which files it has: a folder.
    case folder

    fileprivate var flags: Int32 {
      switch self {
      // A pipe at that place is an error and not something to wait for.
      case .journal: O_RDWR | O_NONBLOCK
      case .replacement: O_RDWR | O_CREAT | O_EXCL
      case .lock: O_RDWR | O_CREAT
      case .folder: O_RDONLY | O_DIRECTORY
      }
    }
  }

  /// Opens a file. One that is made can be read by its owner only; programs that this process
  /// starts do not get it, as a lock would be theirs too.
  package var open: @Sendable (_ path: String, Purpose) throws -> FileHandle = { path, purpose in
    try posixOpen(path, purpose.flags | O_CLOEXEC)
  }
  /// Takes the lock of a file; `false` when somebody else has it.
  package var lock: @Sendable (FileHandle) throws -> Bool = { file in
    if flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    let code = errno
    guard code == EWOULDBLOCK else { throw posixError(code) }
    return false
  }
  /// Lets only its owner read and write a file.
  package var restrict: @Sendable (FileHandle) throws -> Void = { file in
    guard fchmod(file.fileDescriptor, 0o600) == 0 else { throw posixError(errno) }
  }
  /// Writes bytes at the place where a file stands.
  package var write: @Sendable (FileHandle, [UInt8]) throws -> Void = { file, bytes in
    try file.write(contentsOf: Data(bytes))
  }
  /// Makes a file so many bytes long.
  package var truncate: @Sendable (FileHandle, Int) throws -> Void = { file, length in
    try file.truncate(atOffset: UInt64(length))
  }
  /// Returns when what was written is on the disk.
  package var synchronize: @Sendable (FileHandle) throws -> Void = { try $0.synchronize() }
  /// Gives a file another name, which another file may have had.
  package var rename: @Sendable (_ path: String, _ newPath: String) throws -> Void = {
    try posixRename($0, $1)
  }
  /// Removes a file, no folder.
  package var remove: @Sendable (_ path: String) throws -> Void = { try posixRemove($0) }
  /// How many names a file has.
  package var nameCount: @Sendable (_ path: String) throws -> Int = { path in
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.referenceCount] as? NSNumber)?.intValue ?? 1
  }

  /// The system itself.
  package init() {}
}

extension FileHandle {
  /// Closes a file and ends its lock.
  ///
  /// Closing alone does not end the lock while a process has a copy of the file that was started and
  /// has not replaced this program by its own yet.
  func unlockAndClose() {
    _ = flock(fileDescriptor, LOCK_UN)
    try? close()
  }
}

// Safe: the three functions read a text that ends with a zero, which the compiler makes of the
// string and keeps for as long as the call lasts; they keep no pointer. Foundation has no call that
// makes a file only where there is none, or puts one in the place of another without following
// rules of its own.

private func posixOpen(_ path: String, _ flags: Int32) throws -> FileHandle {
  let descriptor = unsafe open(path, flags, 0o600)
  guard descriptor >= 0 else { throw posixError(errno) }
  return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
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
