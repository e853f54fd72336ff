/// The file-system operations of everything that this package keeps in files: an engine, a journal
/// of events, and the keys of a service.
///
/// Programs use the default, ``SystemDisk``. Tests pass `SimulatedDisk` of the testing product,
/// whose calls fail as real disks do.
///
/// Several threads make calls at once. A call may block its thread, and must not wait for a call of
/// the engine, the client of events or the service.
///
/// Written bytes are guaranteed to survive a power failure only after ``DiskFile/synchronize()``,
/// and a new, renamed or removed name only after ``synchronizeFolder(of:)``.
public protocol Disk: Sendable {
  /// Returns the path of a file that stays right when the current directory changes: absolute, and
  /// without symbolic links. The file need not exist.
  func absolutePath(of path: String) throws -> String
  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - mode: The purpose of opening the file.
  ///   - model: A file whose permissions it gets, plus read and write permissions for the owner.
  ///     With `nil`, or if that file does not exist, an existing file keeps its permissions, and
  ///     only its owner can access a new file.
  /// - Throws: ``DiskError``, with ``DiskError/Reason/notFound`` if a file to read does not exist.
  func open(_ path: String, _ mode: DiskMode, permissionsOf model: String?) throws -> any DiskFile
  /// Returns the paths of the files whose path begins with a prefix, in any order. All are in the
  /// folder of the prefix.
  func paths(beginningWith prefix: String) throws -> [String]
  /// Gives a file another name, and replaces a file of that name in one step.
  func rename(_ path: String, to newPath: String) throws
  /// Removes a file.
  ///
  /// - Throws: ``DiskError``, with ``DiskError/Reason/notFound`` if there is no such file.
  func remove(_ path: String) throws
  /// Waits until the names in the folder of a path are on the disk.
  func synchronizeFolder(of path: String) throws
}

/// The purpose of opening a file.
public enum DiskMode: Sendable, Hashable, CaseIterable {
  /// Reading. The file must exist.
  case reading
  /// Reading and writing. The file must exist.
  case updating
  /// Writing to an empty file, which is created, in place of one of that name.
  case replacing
  /// Reading, writing and locking. The file is created if it does not exist.
  case locking
}

/// An open file. Its last reference closes it and releases its lock.
public protocol DiskFile: AnyObject, Sendable {
  /// The size of the file, in bytes.
  func size() throws -> Int
  /// Reads bytes at an offset.
  ///
  /// - Returns: The bytes, fewer than requested only at the end of the file.
  func read(_ count: Int, at offset: Int) throws -> [UInt8]
  /// Writes bytes at an offset.
  ///
  /// - Returns: The number of bytes that were written, at least one. The caller writes the others.
  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws -> Int
  /// Sets the size of the file.
  func truncate(to size: Int) throws
  /// Waits until the bytes that were written are on the disk.
  func synchronize() throws
  /// Locks the file.
  ///
  /// - Returns: `false` if it is locked already, here or in another process, or if the path with
  ///   which it was opened no longer names it.
  func lock() throws -> Bool
  /// Whether a path names the file. If not, it was moved, replaced or removed: a lock of it keeps
  /// nobody from locking the file that has the name.
  func isNamed(_ path: String) throws -> Bool
}

/// A call of a disk that failed.
public struct DiskError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Why a call failed. A minor version can add cases, so a switch needs a `default`.
  public enum Reason: Sendable, Hashable {
    /// There is no such file.
    case notFound
    /// The system does not permit it.
    case denied
    /// The disk is full.
    case full
    /// The path is a folder, or neither a file nor a folder.
    case notAFile
    /// The file was moved, replaced or removed while it was used.
    case moved
    /// Another reason of the system, with its number.
    case system(Int)
    /// A failure of a simulated disk.
    case simulated
  }

  /// Why the call failed.
  public let reason: Reason
  /// The path of the call.
  public let path: String

  /// Creates an error.
  public init(_ reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }

  /// The reason in words.
  public var description: String {
    switch reason {
    case .notFound: "there is no such file"
    case .denied: "permission denied"
    case .full: "the disk is full"
    case .notAFile: "it is not a file"
    case .moved: "it was moved, replaced or removed while it was used"
    case .system(let code): "the system refused, code \(code)"
    case .simulated: "the simulated disk failed"
    }
  }
}

extension Disk {
  /// Opens a file. One that is created gets the permissions of new files.
  public func open(_ path: String, _ mode: DiskMode) throws -> any DiskFile {
    try open(path, mode, permissionsOf: nil)
  }

  /// Opens a file, or returns `nil` if it does not exist.
  package func openIfPresent(
    _ path: String, _ mode: DiskMode, permissionsOf model: String? = nil
  ) throws -> (any DiskFile)? {
    do {
      return try open(path, mode, permissionsOf: model)
    } catch let error as DiskError where error.reason == .notFound {
      return nil
    }
  }
}

extension DiskFile {
  /// Writes all of some bytes at an offset.
  package func writeAll(_ bytes: ArraySlice<UInt8>, at offset: Int) throws {
    var rest = bytes
    while !rest.isEmpty {
      rest = rest.dropFirst(try write(rest, at: offset + rest.startIndex - bytes.startIndex))
    }
  }
}
