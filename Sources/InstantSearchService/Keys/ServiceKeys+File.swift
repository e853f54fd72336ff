import Dispatch
import InstantSearchAPI
import InstantSearchJSON

extension ServiceKeys {
  /// Creates the keys of a service that are kept in a file. Acknowledged changes survive a restart,
  /// even after `kill -9` or a power failure.
  ///
  /// Use it unless the keys belong into a database. The file has the plain keys, a change on each
  /// line. It is created if it does not exist, with access for its owner only, is rewritten at a
  /// start when it has become long, and belongs to one service at a time. It has at most 256 MiB,
  /// and is read on the thread of the caller. A change that is refused is not in the file, unless
  /// the disk refuses to take it back as well.
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
    try Self.check(adminKey)
    let (keyFile, stored, isComplete) = try ServiceKeyFile.open(file, on: disk)
    try self.init(
      adminKey: adminKey, changes: stored, onChange: { try await keyFile.store($0) },
      onClose: { keyFile.close() })
    let changes = changes
    if !isComplete {
      try keyFile.endLastLine(of: changes)
    } else if stored.count > 2 * changes.count + 1_000 {
      // If no shorter file can be written, this one stays.
      try? keyFile.replace(with: changes)
    }
  }

  /// Saves the keys to another file, such as a backup, from which ``init(adminKey:file:disk:)``
  /// creates them again, with deleted ones that can be restored.
  ///
  /// An older file stays until the new one is complete. The file has the plain keys. Only the owner
  /// can read a new file.
  ///
  /// - Parameters:
  ///   - file: The path of the file. Its folder must exist.
  ///   - disk: The files of the system, by default.
  /// - Throws: `storage` with the path if the file cannot be written, or a service uses it.
  ///   `invalidRequest` if an older file does not contain keys.
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
  private static let maximumLength = 1 << 28

  private let path: String
  /// The file with the lines that were acknowledged, until it is closed.
  private let file: Lock<AppendableFile?>

  private init(_ path: String, _ file: AppendableFile) {
    self.path = path
    self.file = Lock(file)
  }

  /// Opens a file, or creates it.
  ///
  /// - Returns: The file, the changes that it had, and whether lines can be added to it. Otherwise
  ///   it must be replaced first.
  static func open(
    _ path: String, on disk: any Disk
  ) throws(SearchError) -> (file: ServiceKeyFile, changes: [ServiceKeyChange], isComplete: Bool) {
    do {
      guard var file = try AppendableFile(path, on: disk) else {
        throw SearchError(.storage, "The file of keys \(path) is in use by another service.")
      }
      guard file.length <= maximumLength else {
        throw SearchError(
          .storage, "The file of keys \(path) has more than \(maximumLength) bytes.")
      }
      let contents = try ServiceKeyLines(file.read(file.length, at: 0))
      if contents.isComplete { file.end(at: contents.byteCount) }
      file.removeRemains(of: Array("{\"".utf8))
      // What a process that ended has left unsynchronized is known from now on, so it must stay.
      try file.synchronizeAll()
      return (ServiceKeyFile(path, file), contents.changes, contents.isComplete)
    } catch let error as SearchError {
      throw error
    } catch let error as ServiceError {
      throw SearchError(.invalidRequest, "The file of keys \(path): \(error.message)")
    } catch {
      throw failure(path, error)
    }
  }

  /// Lets another service use the file.
  func close() {
    file.withLock { file in
      file?.close()
      file = nil
    }
  }

  /// Replaces the file with the shortest list of changes.
  func replace(with changes: [ServiceKeyChange]) throws(SearchError) {
    do {
      try change { file in
        try file.replace(with: ServiceKeyLines.bytes(of: changes))
        try file.synchronize()
      }
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Writes the missing line end of the last line, with a new file if possible.
  func endLastLine(of changes: [ServiceKeyChange]) throws(SearchError) {
    if (try? replace(with: changes)) != nil { return }
    do {
      try change { try $0.append([UInt8(ascii: "\n")]) }
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Removes a file that was created and not written, because it would be read as a file without
  /// keys.
  func removeIfEmpty() {
    try? change { if $0.length == 0 { try $0.remove() } }
  }

  /// Adds lines, which are on the disk when it returns.
  func store(_ changes: [ServiceKeyChange]) async throws {
    let bytes = ServiceKeyLines.bytes(of: changes)
    try await Self.blocking { try self.change { try $0.append(bytes) } }
  }

  /// Runs work that would block the thread of a task.
  static func blocking(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
    }
  }

  private func change(_ body: (inout AppendableFile) throws -> Void) throws {
    try file.withLock { file in
      guard var opened = file else {
        throw SearchError(.storage, "The keys of the file \(path) are closed.")
      }
      defer { file = opened }
      try body(&opened)
    }
  }

  static func failure(_ path: String, _ error: any Error) -> SearchError {
    if let error = error as? SearchError { return error }
    return SearchError(
      .storage, "The file of keys \(path) cannot be read or written: \(error).",
      underlying: "\(error)")
  }
}
