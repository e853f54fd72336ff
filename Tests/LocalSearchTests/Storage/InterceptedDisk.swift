import InstantSearchAPI

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

  func absolutePath(of path: String) throws -> String { path }

  func open(
    _ path: String, _ mode: DiskMode, permissionsOf model: String?
  ) throws -> any DiskFile {
    try disk(.open(path, mode)).open(path, mode, permissionsOf: model)
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
