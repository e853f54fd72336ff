#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The files of the system.
public struct SystemDisk: Disk {
  /// Creates the disk.
  public init() {}

  /// Opens a file.
  public func open(_ path: String, _ mode: DiskMode) throws -> any DiskFile {
    let flags =
      switch mode {
      // A pipe at the path must be an error instead of waiting for its other end.
      case .reading: O_RDONLY | O_NONBLOCK
      case .updating: O_RDWR | O_NONBLOCK
      case .replacing: O_RDWR | O_CREAT | O_TRUNC | O_NONBLOCK
      case .locking: O_RDWR | O_CREAT | O_NONBLOCK
      }
    let file = SystemFile(Int32(try retrying(path) { openFile(path, flags) }), path)
    guard try file.status().st_mode & S_IFMT == S_IFREG else {
      throw DiskError(.notAFile, path: path)
    }
    return file
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
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = Int32(try retrying(folder) { openFile(folder, O_RDONLY) })
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
    // Closing alone keeps the lock while a child process that was just started has the file too.
    _ = flock(descriptor, LOCK_UN)
    _ = close(descriptor)
  }

  func status() throws -> stat {
    var status = stat()
    // Safe: the system writes the status during the call.
    _ = try retrying(path) { unsafe Int(fstat(descriptor, &status)) }
    return status
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
    // Safe: the system reads the bytes during the call.
    try unsafe bytes.withUnsafeBytes { bytes in
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
      var named = stat()
      _ = try retrying(path) { Int(systemStatus(path, &named)) }
      let own = try status()
      return own.st_dev == named.st_dev && own.st_ino == named.st_ino
    } catch let error as DiskError {
      guard error.reason == .system(Int(EWOULDBLOCK)) || error.reason == .notFound else {
        throw error
      }
      return false
    }
  }
}

// Safe: the system reads the zero-terminated texts during the calls. They are here, because methods
// above have the names of the system's functions.

private func openFile(_ path: String, _ flags: Int32) -> Int {
  unsafe Int(open(path, flags | O_CLOEXEC, 0o644))
}

private func renameFile(_ path: String, _ newPath: String) -> Int {
  unsafe Int(rename(path, newPath))
}

private func systemStatus(_ path: String, _ status: inout stat) -> Int32 {
  unsafe stat(path, &status)
}

private func removeFile(_ path: String) -> Int { unsafe Int(unlink(path)) }

/// Makes a call of the system again while a signal interrupts it.
private func retrying(_ path: String, _ call: () -> Int) throws -> Int {
  while true {
    let result = call()
    if result >= 0 { return result }
    let code = errno
    if code == EINTR { continue }
    let reason: DiskError.Reason =
      switch code {
      case ENOENT: .notFound
      case EACCES, EPERM, EROFS: .denied
      case ENOSPC, EDQUOT: .full
      case EISDIR, ENOTDIR: .notAFile
      default: .system(Int(code))
      }
    throw DiskError(reason, path: path)
  }
}
