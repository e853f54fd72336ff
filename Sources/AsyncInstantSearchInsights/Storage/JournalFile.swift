import Foundation

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
    Self.removeRemains(at: path, system)
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
  static func removeRemains(at path: String, _ system: JournalSystem) {
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
