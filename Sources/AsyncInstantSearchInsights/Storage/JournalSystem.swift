package import Foundation

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
