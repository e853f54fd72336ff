@testable import InstantSearchAPI

/// A disk that runs a closure before each of its calls. The calls of open files are not included.
struct InterceptedDisk: Disk {
  enum Call: Sendable, Hashable {
    case open(String, DiskMode)
    case rename(to: String)
    case remove(String)
    case synchronizeFolder
    case paths
  }

  /// Returns the disk that performs a call, or throws the error of the call.
  let disk: @Sendable (Call) throws -> any Disk
  /// Runs after each synchronization of a file, also after one that fails.
  var afterSynchronization: (@Sendable (_ path: String) -> Void)?

  func absolutePath(of path: String) throws -> String { path }

  func open(
    _ path: String, _ mode: DiskMode, permissionsOf model: String?
  ) throws -> any DiskFile {
    let file = try disk(.open(path, mode)).open(path, mode, permissionsOf: model)
    guard let afterSynchronization else { return file }
    return InterceptedFile(file: file) { afterSynchronization(path) }
  }

  func paths(beginningWith prefix: String) throws -> [String] {
    try disk(.paths).paths(beginningWith: prefix)
  }

  func rename(_ path: String, to newPath: String) throws {
    try disk(.rename(to: newPath)).rename(path, to: newPath)
  }

  func remove(_ path: String) throws { try disk(.remove(path)).remove(path) }

  func synchronizeFolder(of path: String) throws {
    try disk(.synchronizeFolder).synchronizeFolder(of: path)
  }
}

/// A file that runs a closure after each synchronization, also after one that fails.
private final class InterceptedFile: DiskFile {
  private let file: any DiskFile
  private let afterSynchronization: @Sendable () -> Void

  init(file: any DiskFile, afterSynchronization: @escaping @Sendable () -> Void) {
    self.file = file
    self.afterSynchronization = afterSynchronization
  }

  func size() throws -> Int { try file.size() }

  func read(_ count: Int, at offset: Int) throws -> [UInt8] { try file.read(count, at: offset) }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws -> Int {
    try file.write(bytes, at: offset)
  }

  func truncate(to size: Int) throws { try file.truncate(to: size) }

  func synchronize() throws {
    defer { afterSynchronization() }
    try file.synchronize()
  }

  func lock() throws -> Bool { try file.lock() }

  func isNamed(_ path: String) throws -> Bool { try file.isNamed(path) }
}
