import Dispatch
import InstantSearchAPI
import InstantSearchJSON

extension ServiceKeys {
  /// Creates the keys of a service that are kept in a file: what a call has acknowledged is there
  /// after the next start, also after `kill -9` or a power failure.
  ///
  /// Use it unless the keys belong into a database. The file has the plain keys, a change on each
  /// line. It is created if it does not exist, with access for its owner only, is rewritten when
  /// it has become long, and belongs to one service at a time. It is read on the thread of the
  /// caller.
  ///
  /// - Parameters:
  ///   - adminKey: The key with all rights, which must not be empty. It is not in the file.
  ///   - file: The path of the file.
  ///   - disk: The files of the system, by default.
  /// - Throws: `invalidRequest` if the admin key is empty, or with the line if the file does not
  ///   have keys. `storage` with the path if the file cannot be read or written, or is in use.
  public convenience init(
    adminKey: String, file: String, disk: any Disk = SystemDisk()
  ) throws(SearchError) {
    let (keyFile, stored, isCanonical) = try ServiceKeyFile.open(file, on: disk)
    try self.init(
      adminKey: adminKey, changes: stored, onChange: { try await keyFile.store($0) },
      onClose: { keyFile.close() })
    let changes = changes
    if !isCanonical || stored.count > 2 * changes.count + 1_000 {
      try keyFile.replace(with: changes)
    }
  }

  /// Saves the keys to another file, such as a backup, from which ``init(adminKey:file:disk:)``
  /// creates them again, with deleted ones that can be restored.
  ///
  /// An older file stays until the new one is complete. The file has the plain keys, and a new one
  /// is for its owner only.
  ///
  /// - Parameters:
  ///   - file: The path of the file. Its folder must exist.
  ///   - disk: The files of the system, by default.
  /// - Throws: `storage` with the path if the file cannot be written, or a service uses it.
  ///   `invalidRequest` if an older file has something else than keys.
  public func save(to file: String, disk: any Disk = SystemDisk()) async throws(SearchError) {
    let changes = changes
    do {
      try await ServiceKeyFile.blocking {
        let (keyFile, _, _) = try ServiceKeyFile.open(file, on: disk)
        do {
          try keyFile.replace(with: changes)
        } catch {
          keyFile.removeIfEmpty()
          throw error
        }
      }
    } catch let error as SearchError {
      throw error
    } catch {
      throw ServiceKeyFile.failure(file, error)
    }
  }
}

/// A file with a change of keys on each line.
private final class ServiceKeyFile: Sendable {
  private struct State {
    /// The file, until it is closed.
    var file: (any DiskFile)?
    /// The bytes of the lines that were acknowledged.
    var size: Int
  }

  private let path: String
  private let disk: any Disk
  private let state: Lock<State>

  private init(_ path: String, on disk: any Disk, _ state: State) {
    self.path = path
    self.disk = disk
    self.state = Lock(state)
  }

  /// Opens a file, or creates it.
  ///
  /// - Returns: The file, the changes that it had, and whether lines can be added to it. Otherwise
  ///   it must be replaced first.
  static func open(
    _ name: String, on disk: any Disk
  ) throws(SearchError) -> (file: ServiceKeyFile, changes: [ServiceKeyChange], isCanonical: Bool) {
    do {
      let path = try disk.absolutePath(of: name)
      let file = try disk.open(path, .locking, permissionsOf: nil)
      guard try file.lock() else {
        throw SearchError(.storage, "The file of keys \(name) is in use by another service.")
      }
      try disk.synchronizeFolder(of: path)
      // What a process that ended has left unsynchronized is known from now on, so it must stay.
      try file.synchronize()
      let contents = try ServiceKeyLines(file.read(file.size(), at: 0))
      return (
        ServiceKeyFile(path, on: disk, State(file: file, size: contents.size)), contents.changes,
        contents.isCanonical
      )
    } catch let error as SearchError {
      throw error
    } catch let error as ServiceError {
      throw SearchError(.invalidRequest, "The file of keys \(name): \(error.message)")
    } catch {
      throw failure(name, error)
    }
  }

  /// Lets another service use the file.
  func close() { state.withLock { $0.file = nil } }

  /// Replaces the file with the shortest list of changes.
  func replace(with changes: [ServiceKeyChange]) throws(SearchError) {
    let newPath = path + ".new"
    do {
      let bytes = ServiceKeyLines.bytes(of: changes)
      let file = try disk.open(newPath, .replacing, permissionsOf: path)
      try file.writeAll(bytes[...], at: 0)
      try file.synchronize()
      // The lock of the old file is held until then.
      guard try file.lock() else { throw DiskError(.denied, path: newPath) }
      try disk.rename(newPath, to: path)
      try disk.synchronizeFolder(of: path)
      state.withLock { $0 = State(file: file, size: bytes.count) }
    } catch {
      try? disk.remove(newPath)
      throw Self.failure(path, error)
    }
  }

  /// Removes a file that was created and not written: it would be read as one without keys.
  func removeIfEmpty() {
    if state.withLock({ $0.size }) == 0 { try? disk.remove(path) }
  }

  /// Adds lines, which are on the disk when it returns.
  func store(_ changes: [ServiceKeyChange]) async throws {
    let bytes = ServiceKeyLines.bytes(of: changes)
    try await Self.blocking { try self.append(bytes) }
  }

  /// Runs work that would block the thread of a task.
  static func blocking(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
    }
  }

  private func append(_ bytes: [UInt8]) throws {
    // One call at a time.
    let (opened, size) = state.withLock { ($0.file, $0.size) }
    guard let file = opened else { throw DiskError(.denied, path: path) }
    do {
      // What a write left that failed.
      if try file.size() != size { try file.truncate(to: size) }
      try file.writeAll(bytes[...], at: size)
      try file.synchronize()
    } catch {
      try? file.truncate(to: size)
      throw error
    }
    state.withLock { $0.size = size + bytes.count }
  }

  static func failure(_ path: String, _ error: any Error) -> SearchError {
    SearchError(
      .storage, "The file of keys \(path) cannot be read or written.", underlying: "\(error)")
  }
}
