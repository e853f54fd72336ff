/// A file that grows at its end, and belongs to one owner at a time.
///
/// A write that fails leaves it as it was, unless the disk refuses to take it back as well. Its
/// lock ends with its last reference, and with the process.
package struct AppendableFile: Sendable {
  private let disk: any Disk
  private let path: String
  private var file: any DiskFile
  /// The size up to the last complete write, in bytes.
  package private(set) var length: Int
  /// Whether there may be bytes after it.
  private var isLonger = false
  /// Whether there are bytes after it that the next write replaces.
  private var hasRest = false
  /// Whether the file may be shorter, because a truncation has failed.
  private var isShorter = false
  /// Whether a power failure may restore the file that had the name before.
  private var isNameUnsafe = false
  /// The file before a replacement, until it is known that this one has the name.
  private var predecessor: (any DiskFile)?

  /// Opens a file, or creates it. Only its owner can read a new file.
  ///
  /// - Returns: The file, or `nil` if it is in use.
  package init?(_ path: String, on disk: any Disk) throws {
    self.disk = disk
    self.path = try disk.absolutePath(of: path)
    file = try disk.open(self.path, .locking)
    guard try file.lock() else { return nil }
    length = try file.size()
  }

  /// Reads bytes at an offset: fewer than requested only at the end of the file.
  package func read(_ count: Int, at offset: Int) throws -> [UInt8] {
    try file.read(count, at: offset)
  }

  /// Writes bytes at the end.
  ///
  /// - Throws: ``DiskError/Reason/moved`` if the path no longer names the file.
  package mutating func append(_ bytes: [UInt8], synchronizing: Bool = true) throws {
    try settle()
    // A power failure must not restore a part of the rest after the new bytes.
    if hasRest { try cut(synchronizing: true) }
    isLonger = true
    do {
      try file.writeAll(bytes[...], at: length)
      if synchronizing { try synchronizeFile() }
      try checkName()
    } catch {
      try? cut(synchronizing: synchronizing)
      throw error
    }
    isLonger = false
    length += bytes.count
  }

  /// Writes one byte in place of another one, in one step and without more space on the disk.
  package func overwrite(_ byte: UInt8, at offset: Int) throws {
    guard offset < length else { return }
    try file.writeAll([byte], at: offset)
  }

  /// Removes bytes at the end.
  package mutating func truncate(to length: Int) throws {
    isShorter = true
    try file.truncate(to: length)
    (self.length, isShorter, isLonger, hasRest) = (length, false, false, false)
  }

  /// Regards the bytes at the end as those of an interrupted write: the next one removes them.
  package mutating func end(at length: Int) {
    if length < self.length { (self.length, hasRest) = (length, true) }
  }

  /// Finishes what failed without telling whether its work was done: a truncation or a replacement.
  package mutating func settle() throws {
    if let predecessor, try !file.isNamed(path) {
      guard try predecessor.isNamed(path) else { throw DiskError(.moved, path: path) }
      // Another program can have removed or replaced it.
      if try !file.isNamed(newPath) { file = try written(file.read(length, at: 0)) }
      try disk.rename(newPath, to: path)
      try checkName()
    }
    predecessor = nil
    if isShorter { length = min(length, try file.size()) }
    isShorter = false
    if isLonger { try cut(synchronizing: true) }
  }

  /// Tries once more to take back what a failed write has left, before the file is closed.
  package mutating func close() { try? settle() }

  /// Throws ``DiskError/Reason/moved`` if the path no longer names the file.
  package func checkName() throws {
    guard try file.isNamed(path) else { throw DiskError(.moved, path: path) }
  }

  /// Waits until the bytes, and the name of the file, are on the disk.
  package mutating func synchronize() throws {
    try settle()
    try synchronizeFile()
  }

  private mutating func synchronizeFile() throws {
    try file.synchronize()
    guard isNameUnsafe else { return }
    try disk.synchronizeFolder(of: path)
    isNameUnsafe = false
  }

  /// Waits until the bytes, and the name of a file that was just created, are on the disk.
  package mutating func synchronizeAll() throws {
    isNameUnsafe = true
    try synchronize()
  }

  /// Replaces the file with another one in one step. If it throws, the file stays.
  ///
  /// The name is sure to be on the disk after the next synchronization.
  ///
  /// - Throws: ``DiskError/Reason/moved`` if the path no longer names the file.
  package mutating func replace(with bytes: [UInt8]) throws {
    try settle()
    // Another owner may use a file that has taken the name.
    try checkName()
    let newFile = try written(bytes)
    do { try checkName() } catch {
      try? disk.remove(newPath)
      throw error
    }
    do { try disk.rename(newPath, to: path) } catch {
      // A call that reports an error can have done its work.
      if (try? newFile.isNamed(path)) == false {
        try? disk.remove(newPath)
        throw error
      }
      predecessor = file
    }
    file = newFile
    (length, isLonger, hasRest, isShorter) = (bytes.count, false, false, false)
    isNameUnsafe = true
  }

  /// Removes what an interrupted replacement has left, if it begins like one and nobody uses it.
  package func removeRemains(of start: [UInt8]) {
    guard let remains = try? disk.open(newPath, .updating),
      let bytes = try? remains.read(start.count, at: 0), Self.isInterrupted(bytes, of: start),
      (try? remains.lock()) == true
    else { return }
    try? disk.remove(newPath)
  }

  /// Whether an interrupted write can have left bytes: the first ones of others, or zeros in place
  /// of some of them.
  package static func isInterrupted(_ bytes: [UInt8], of whole: [UInt8]) -> Bool {
    zip(bytes, whole).allSatisfy { $0 == $1 || $0 == 0 }
  }

  private var newPath: String { path + ".rewriting" }

  /// Writes a locked file aside.
  private func written(_ bytes: [UInt8]) throws -> any DiskFile {
    do {
      let newFile = try disk.open(newPath, .replacing, permissionsOf: path)
      try newFile.writeAll(bytes[...], at: 0)
      try newFile.synchronize()
      // The lock of the old file is held until then.
      guard try newFile.lock() else { throw DiskError(.moved, path: newPath) }
      return newFile
    } catch {
      try? disk.remove(newPath)
      throw error
    }
  }

  private mutating func cut(synchronizing: Bool) throws {
    try file.truncate(to: length)
    if synchronizing { try file.synchronize() }
    (isLonger, hasRest) = (false, false)
  }
}
