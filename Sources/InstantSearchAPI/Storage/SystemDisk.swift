#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The file system of the operating system.
public struct SystemDisk: Disk {
  /// Creates the disk.
  public init() {}

  /// Returns the absolute path of a file, without symbolic links.
  public func absolutePath(of path: String) throws -> String {
    do {
      return try systemPath(path)
    } catch let error as DiskError where error.reason == .notFound {
      let (folder, name) = Self.parts(of: path)
      let newPath = try systemPath(folder) + "/" + name
      // A link to a file that does not exist would be replaced by the file.
      guard (try? FileManager.default.destinationOfSymbolicLink(atPath: newPath)) == nil else {
        throw error
      }
      return newPath
    }
  }

  /// Opens a file.
  public func open(
    _ path: String, _ mode: DiskMode, permissionsOf model: String?
  ) throws -> any DiskFile {
    // Never follow a symbolic link when opening for writing.
    let flags =
      switch mode {
      // A pipe at the path must be an error instead of waiting for its other end.
      case .reading: O_RDONLY | O_NONBLOCK
      case .updating: O_RDWR | O_NONBLOCK | O_NOFOLLOW
      case .replacing: O_RDWR | O_CREAT | O_EXCL
      case .locking: O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW
      }
    let permissions = try model.flatMap(Self.permissions)
    if mode == .replacing {
      do { try remove(path) } catch let error as DiskError where error.reason == .notFound {}
    }
    // Create files with owner-only permissions, so they're never world-readable before the
    // permissions of the model are set.
    let file = SystemFile(
      Int32(try retrying(path) { openFile(path, flags, Self.ownerPermissions) }), path)
    guard try file.status().st_mode & S_IFMT == S_IFREG else {
      throw DiskError(.notAFile, path: path)
    }
    if let permissions, mode != .reading { file.set(permissions) }
    return file
  }

  /// Those without which the next opening fails.
  fileprivate static let ownerPermissions: mode_t = 0o600

  /// Returns the status of a file, or `nil` if it does not exist.
  private static func status(of path: String) throws -> stat? {
    var status = stat()
    do {
      _ = try retrying(path) { Int(systemStatus(path, &status)) }
    } catch let error as DiskError where error.reason == .notFound {
      return nil
    }
    return status
  }

  /// The owner, the group and the permissions of a file.
  fileprivate struct Permissions {
    let owner: uid_t
    let group: gid_t
    var mode: mode_t
  }

  /// Returns the permissions of a file for a file that takes its place, or `nil` if it does not
  /// exist.
  ///
  /// With an access list, the permissions of the group are those of the list. They are left out,
  /// as the list is, because the group itself may have none.
  private static func permissions(of path: String) throws -> Permissions? {
    guard let status = try status(of: path) else { return nil }
    let name = FileAttributeKey(rawValue: "NSFileExtendedAttributes")
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)[name]
    let hasList = (attributes as? [String: Any])?.keys.contains("system.posix_acl_access") == true
    let mode = status.st_mode & 0o777 | ownerPermissions
    return Permissions(
      owner: status.st_uid, group: status.st_gid, mode: hasList ? mode & ~0o070 : mode)
  }

  /// Returns the folder of a path, and the name in it.
  private static func parts(of path: String) -> (folder: String, name: String) {
    guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    return (
      end == path.startIndex ? "/" : String(path[..<end]),
      String(path[path.utf8.index(after: end)...])
    )
  }

  /// Returns the paths of the files whose path begins with a text.
  public func paths(beginningWith prefix: String) throws -> [String] {
    let (folder, beginning) = Self.parts(of: prefix)
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
      throw DiskError(DiskError.Reason(systemCode: code ?? EIO), path: folder)
    }
    return names.filter { $0.hasPrefix(beginning) }.map { prefix + $0.dropFirst(beginning.count) }
  }

  /// Gives a file another name, and replaces a file of that name in one step.
  public func rename(_ path: String, to newPath: String) throws {
    _ = try retrying(path) { renameFile(path, newPath) }
  }

  /// Removes a file.
  public func remove(_ path: String) throws {
    _ = try retrying(path) { removeFile(path) }
  }

  /// Waits until the names in the folder of a path are on the disk.
  public func synchronizeFolder(of path: String) throws {
    let folder = Self.parts(of: path).folder
    let descriptor = Int32(try retrying(folder) { openFile(folder, O_RDONLY, 0) })
    defer { _ = close(descriptor) }
    _ = try retrying(folder) { Int(fsync(descriptor)) }
  }
}

/// An open file of the system.
private final class SystemFile: DiskFile {
  private let descriptor: Int32
  private let path: String

  init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    // Closing alone would keep the lock while a new child process still has the descriptor.
    _ = flock(descriptor, LOCK_UN)
    _ = close(descriptor)
  }

  func status() throws -> stat {
    var status = stat()
    // Safe: the system writes the status during the call.
    _ = try retrying(path) { unsafe Int(fstat(descriptor, &status)) }
    return status
  }

  /// Sets the group and the permissions of another file, and those of the owner.
  ///
  /// A file system without permissions, or that of another owner, refuses it.
  func set(_ permissions: SystemDisk.Permissions) {
    guard let own = try? status() else { return }
    var permissions = permissions
    // Another group than before must not read it.
    if own.st_gid != permissions.group, fchown(descriptor, uid_t.max, permissions.group) != 0 {
      permissions.mode &= ~0o070
    }
    _ = fchmod(descriptor, permissions.mode)
    // Only the superuser can give a file back to its owner.
    if own.st_uid != permissions.owner { _ = fchown(descriptor, permissions.owner, gid_t.max) }
  }

  func size() throws -> Int { Int(clamping: try status().st_size) }

  func read(_ count: Int, at offset: Int) throws -> [UInt8] {
    var failure: (any Error)?
    // Safe: the system writes at most the rest of `count` bytes, and as many are initialized.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      do {
        while length < count {
          let rest = unsafe UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[length...])
          let position = off_t(offset + length)
          let read = try retrying(path) {
            unsafe pread(descriptor, rest.baseAddress, rest.count, position)
          }
          if read == 0 { break }
          length += read
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws -> Int {
    // Safe: the system reads the bytes during the call. Some systems refuse 2 GiB and more.
    try unsafe bytes.prefix(1 << 28).withUnsafeBytes { bytes in
      try retrying(path) {
        unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
      }
    }
  }

  func truncate(to size: Int) throws {
    _ = try retrying(path) { Int(ftruncate(descriptor, off_t(size))) }
  }

  func synchronize() throws {
    #if canImport(Darwin)
      // `fsync` leaves the bytes in the cache of the drive here.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    _ = try retrying(path) { Int(fsync(descriptor)) }
  }

  func lock() throws -> Bool {
    do {
      _ = try retrying(path) { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
    } catch let error as DiskError where error.reason == .system(Int(EWOULDBLOCK)) {
      return false
    }
    return try isNamed(path)
  }

  func isNamed(_ path: String) throws -> Bool {
    var named = stat()
    do {
      _ = try retrying(path) { Int(linkStatus(path, &named)) }
    } catch let error as DiskError where error.reason == .notFound {
      return false
    }
    let own = try status()
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }
}

// Safe: the system reads the zero-terminated texts during the calls. They are here, because methods
// above have the names of the system's functions.

private func openFile(_ path: String, _ flags: Int32, _ permissions: mode_t) -> Int {
  unsafe Int(open(path, flags | O_CLOEXEC, permissions))
}

private func systemPath(_ path: String) throws -> String {
  var result: String?
  _ = try retrying(path) {
    guard let text = unsafe realpath(path, nil) else { return -1 }
    defer { unsafe free(text) }
    result = unsafe String(validatingCString: text)
    return 0
  }
  // A path that isn't valid text can only be used as it was given.
  return result ?? path
}

private func renameFile(_ path: String, _ newPath: String) -> Int {
  unsafe Int(rename(path, newPath))
}

private func systemStatus(_ path: String, _ status: inout stat) -> Int32 {
  unsafe stat(path, &status)
}

/// The status of a link itself.
private func linkStatus(_ path: String, _ status: inout stat) -> Int32 {
  unsafe lstat(path, &status)
}

private func removeFile(_ path: String) -> Int { unsafe Int(unlink(path)) }

/// Repeats a system call while signals interrupt it.
///
/// No file has a path with a zero byte.
private func retrying(_ path: String, _ call: () -> Int) throws -> Int {
  // The system would take the part before it.
  if path.utf8.contains(0) { throw DiskError(.notAFile, path: path) }
  while true {
    let result = call()
    if result >= 0 { return result }
    let code = errno
    if code == EINTR { continue }
    throw DiskError(DiskError.Reason(systemCode: code), path: path)
  }
}

extension DiskError.Reason {
  /// The reason of a system's error number.
  fileprivate init(systemCode code: Int32) {
    self =
      switch code {
      case ENOENT: .notFound
      case EACCES, EPERM, EROFS: .denied
      case ENOSPC, EDQUOT: .full
      case EISDIR, ENOTDIR, ELOOP: .notAFile
      default: .system(Int(code))
      }
  }
}
