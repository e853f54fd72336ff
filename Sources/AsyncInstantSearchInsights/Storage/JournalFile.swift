import AsyncInstantSearch
import Foundation

/// The open file of a journal, which ends behind its last intact record.
struct JournalFile {
  private let handle: FileHandle
  /// Where the last complete record ends.
  private(set) var length: Int
  /// Whether a write that failed may have left bytes behind the last complete record.
  private var needsCut = false

  /// Opens a file and cuts what lies behind `length`.
  init(at path: String, length: Int) throws {
    handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    handle.closeOnExec()
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
      try handle.write(contentsOf: Data(bytes))
      if synchronizing { try handle.synchronize() }
    } catch {
      try? cut()
      throw error
    }
    needsCut = false
    length += bytes.count
  }

  func close() {
    try? handle.close()
  }

  private mutating func cut() throws {
    let end = try handle.seekToEnd()
    if end > UInt64(length) { try handle.truncate(atOffset: UInt64(length)) }
    try handle.seek(toOffset: UInt64(length))
    needsCut = false
  }
}

/// A lock that other processes see, and other clients of this one. It ends with the process.
///
/// The lock is on a file of its own, because the journal itself is replaced by another file when it
/// is made smaller.
struct JournalLock {
  private let handle: FileHandle

  /// Takes the lock; `nil` when somebody else has it.
  init?(for path: String) throws {
    let lockPath = path + ".lock"
    if !FileManager.default.fileExists(atPath: lockPath) {
      try Data().write(to: URL(fileURLWithPath: lockPath))
    }
    handle = try FileHandle(forUpdating: URL(fileURLWithPath: lockPath))
    handle.closeOnExec()
    guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
      try? handle.close()
      return nil
    }
  }

  /// Gives the lock back.
  func release() {
    try? handle.close()
  }
}

extension FileHandle {
  /// Keeps the file from programs that this process starts: a lock would be theirs too.
  fileprivate func closeOnExec() {
    _ = fcntl(fileDescriptor, F_SETFD, FD_CLOEXEC)
  }
}
