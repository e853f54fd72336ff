import Dispatch
import InstantSearchAPI
import InstantSearchJSON

extension ServiceKeys {
  /// Creates the keys of a service that are kept in a file. Acknowledged changes survive a restart,
  /// even after `kill -9` or a power failure.
  ///
  /// Use it unless the keys belong into a database. The file has the plain keys, a change on each
  /// line. It is created if it does not exist, with access for its owner only, is rewritten when it
  /// has become long, and belongs to one service at a time. It has at most 256 MiB, and is read on
  /// the thread of the caller. A change that is refused is not in the file, unless
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
    try self.init(
      adminKey: adminKey, file: file, disk: disk, maximumLength: ServiceKeyFile.maximumLength)
  }

  /// - Parameter maximumLength: The maximum size of the file, in bytes.
  package convenience init(
    adminKey: String, file: String, disk: any Disk, maximumLength: Int
  ) throws(SearchError) {
    try Self.check(adminKey)
    let (keyFile, lines) = try ServiceKeyFile.open(file, on: disk, maximumLength: maximumLength)
    try self.init(
      adminKey: adminKey, changes: lines.changes, onChange: { try await keyFile.store($0) },
      onClose: { keyFile.close() },
      place: { "The file of keys \(file): line \(lines.lineNumbers[$0])" })
    let changes = changes
    keyFile.setContents { [weak self] in self?.changes }
    if !lines.isComplete {
      try keyFile.endLastLine(of: changes)
    } else if lines.changes.count > 2 * changes.count + 1_000 {
      // If no shorter file can be written, this one stays.
      try? keyFile.replace(with: changes)
    }
  }

  /// Saves the keys to another file, such as a backup, from which ``init(adminKey:file:disk:)``
  /// creates them again, with deleted ones that can be restored.
  ///
  /// An older file stays until the new one is complete. The file has the plain keys. Only the owner
  /// can read a new file. An access list of the older file is not kept.
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
        do {
          try ServiceKeyFile.open(file, on: disk).file.replace(with: changes)
        } catch {
          ServiceKeyFile.removeIfEmpty(file, on: disk)
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
  /// The maximum size of a file, in bytes.
  static let maximumLength = 1 << 28

  private let path: String
  private let maximumLength: Int
  /// The file with the lines that were acknowledged, until it is closed.
  private let file: Lock<AppendableFile?>
  /// Returns the shortest list of the changes that were acknowledged.
  private let contents = Lock<(@Sendable () -> [ServiceKeyChange]?)?>(nil)

  private init(_ path: String, _ file: AppendableFile, maximumLength: Int) {
    self.path = path
    self.maximumLength = maximumLength
    self.file = Lock(file)
  }

  /// Opens a file, or creates it.
  ///
  /// - Returns: The file, and its lines. Unless they are complete, it must be replaced before lines
  ///   are added.
  static func open(
    _ path: String, on disk: any Disk, maximumLength: Int = maximumLength
  ) throws(SearchError) -> (file: ServiceKeyFile, lines: ServiceKeyLines) {
    do {
      guard var file = try AppendableFile(path, on: disk) else {
        throw SearchError(.storage, "The file of keys \(path) is in use by another service.")
      }
      let keyFile = ServiceKeyFile(path, file, maximumLength: maximumLength)
      try keyFile.checkLength(file.length)
      let lines = try ServiceKeyLines(file.read(file.length, at: 0))
      if lines.isComplete { file.end(at: lines.byteCount) }
      file.removeRemains(of: Array("{\"".utf8))
      // What a process that ended has left unsynchronized is known from now on, so it must stay.
      try file.synchronizeAll()
      keyFile.file.withLock { $0 = file }
      return (keyFile, lines)
    } catch let error as ServiceError {
      throw SearchError(.invalidRequest, "The file of keys \(path): \(error.message)")
    } catch {
      throw failure(path, error)
    }
  }

  private func checkLength(_ length: Int) throws {
    guard length <= maximumLength else {
      throw SearchError(
        .storage, "The file of keys \(path) has more than \(maximumLength) bytes.")
    }
  }

  /// Sets what the file contains when it is written anew.
  func setContents(_ contents: @escaping @Sendable () -> [ServiceKeyChange]?) {
    self.contents.withLock { $0 = contents }
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
      try change { try rewrite(&$0, with: changes) }
    } catch {
      throw Self.failure(path, error)
    }
  }

  private func rewrite(_ file: inout AppendableFile, with changes: [ServiceKeyChange]) throws {
    let bytes = ServiceKeyLines.lines(of: changes)
    // A longer file could not be opened again.
    try checkLength(bytes.count)
    try file.replace(with: bytes)
    try file.synchronize()
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
  static func removeIfEmpty(_ path: String, on disk: any Disk) {
    guard let path = try? disk.absolutePath(of: path),
      let file = try? disk.open(path, .updating), (try? file.lock()) == true,
      (try? file.size()) == 0, (try? file.isNamed(path)) == true
    else { return }
    try? disk.remove(path)
  }

  /// Adds lines, which are on the disk when it returns.
  func store(_ changes: [ServiceKeyChange]) async throws {
    let line = ServiceKeyLines.line(of: changes)
    try await Self.blocking {
      try self.change { file in
        if file.length + line.count <= self.maximumLength { return try file.append(line) }
        let before = self.contents.withLock { $0 }?() ?? []
        try self.rewrite(&file, with: before + changes)
      }
    }
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
