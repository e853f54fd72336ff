/// A file that grows at its end, and belongs to one owner at a time.
///
/// A write that fails leaves it as it was. Its lock ends with its last reference, and with the
/// process.
package struct AppendableFile: Sendable {
  private let disk: any Disk
  private let path: String
  private var file: any DiskFile
  /// The size up to the last complete write, in bytes.
  package private(set) var length: Int
  /// Whether a failed write may have left bytes after it.
  private var isLonger = false
  /// Whether a power failure may restore the file that had the name before.
  private var isNameUnsafe = false

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
  package mutating func append(_ bytes: [UInt8], synchronizing: Bool = true) throws {
    if isLonger { try cut() }
    isLonger = true
    do {
      try file.writeAll(bytes[...], at: length)
      if synchronizing { try synchronize() }
    } catch {
      try? cut()
      throw error
    }
    isLonger = false
    length += bytes.count
  }

  /// Writes one byte in place of another one, in one step and without more space on the disk.
  package func overwrite(_ byte: UInt8, at offset: Int) throws {
    try file.writeAll([byte], at: offset)
  }

  /// Removes bytes at the end.
  package mutating func truncate(to length: Int) throws {
    do {
      try file.truncate(to: length)
    } catch {
      // The file may be shorter even so.
      if let size = try? file.size() { self.length = min(self.length, size) }
      throw error
    }
    self.length = length
    isLonger = false
  }

  /// Waits until the bytes, and the name of the file, are on the disk.
  package mutating func synchronize() throws {
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
  /// The name is guaranteed to be on the disk after the next synchronization.
  package mutating func replace(with bytes: [UInt8]) throws {
    let newPath = newPath
    let newFile: any DiskFile
    do {
      newFile = try disk.open(newPath, .replacing, permissionsOf: path)
      try newFile.writeAll(bytes[...], at: 0)
      try newFile.synchronize()
      // The lock of the old file is held until then.
      guard try newFile.lock() else { throw DiskError(.denied, path: newPath) }
      try rename(newPath)
    } catch {
      try? disk.remove(newPath)
      throw error
    }
    (file, length, isLonger, isNameUnsafe) = (newFile, bytes.count, false, true)
  }

  private func rename(_ newPath: String) throws {
    do {
      try disk.rename(newPath, to: path)
    } catch {
      // A call that reports an error may still have succeeded.
      guard try disk.openIfPresent(newPath, .reading) == nil else { throw error }
    }
  }

  /// Removes the file that an interrupted replacement left.
  package func removeRemains() { try? disk.remove(newPath) }

  /// Removes the file.
  package func remove() throws { try disk.remove(path) }

  private var newPath: String { path + ".new" }

  private mutating func cut() throws {
    try file.truncate(to: length)
    isLonger = false
  }
}
