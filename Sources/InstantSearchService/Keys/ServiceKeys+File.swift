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
    let keyFile = try ServiceKeyFile(file, on: disk)
    try self.init(
      adminKey: adminKey, changes: keyFile.changes, onChange: { try await keyFile.store($0) },
      onClose: { keyFile.close() })
    if keyFile.isLong(for: changes.count) { try keyFile.replace(with: changes) }
  }
}

/// A file with a change of keys on each line.
///
/// A line that has no end was not acknowledged.
private final class ServiceKeyFile: Sendable {
  private struct State {
    /// The file, until it is closed.
    var file: (any DiskFile)?
    /// The bytes of the lines that were acknowledged.
    var size: Int
  }

  /// The changes that the file had when it was opened.
  let changes: [ServiceKeyChange]
  private let path: String
  private let disk: any Disk
  private let state: Lock<State>
  /// Whether the file has the form of an earlier version: a list of all keys.
  private let isList: Bool

  init(_ name: String, on disk: any Disk) throws(SearchError) {
    self.disk = disk
    do {
      path = try disk.absolutePath(of: name)
      let file = try Self.open(path, on: disk)
      // What a process that ended has left unsynchronized is known from now on, so it must stay.
      try file.synchronize()
      let bytes = try file.read(file.size(), at: 0)
      isList = bytes.first == UInt8(ascii: "[")
      let lines = isList ? bytes[...] : bytes[...(bytes.lastIndex(of: .lineFeed) ?? -1)]
      changes = try isList ? Self.list(bytes) : Self.changes(of: lines)
      state = Lock(State(file: file, size: lines.count))
    } catch let error as ServiceError {
      throw SearchError(.invalidRequest, "The file of keys \(name): \(error.message)")
    } catch is FileIsInUse {
      throw SearchError(.storage, "The file of keys \(name) is in use by another service.")
    } catch {
      throw Self.failure(name, error)
    }
  }

  /// Lets another service use the file.
  func close() { state.withLock { $0.file = nil } }

  private struct FileIsInUse: Error {}

  /// Whether a few lines would say the same.
  func isLong(for count: Int) -> Bool { isList || changes.count > 2 * count + 1_000 }

  /// Replaces the file with the shortest list of changes.
  func replace(with changes: [ServiceKeyChange]) throws(SearchError) {
    do {
      let bytes = Self.bytes(of: changes)
      let newPath = path + ".new"
      let file = try disk.open(newPath, .replacing, permissionsOf: path)
      try file.writeAll(bytes[...], at: 0)
      try file.synchronize()
      // The lock of the old file is held until then.
      guard try file.lock() else { throw DiskError(.denied, path: newPath) }
      try disk.rename(newPath, to: path)
      try disk.synchronizeFolder(of: path)
      state.withLock { $0 = State(file: file, size: bytes.count) }
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// Adds lines, which are on the disk when it returns. The disk would block the task's thread.
  func store(_ changes: [ServiceKeyChange]) async throws {
    let bytes = Self.bytes(of: changes)
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try self.append(bytes) })
      }
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

  private static func open(_ path: String, on disk: any Disk) throws -> any DiskFile {
    let file = try disk.open(path, .locking, permissionsOf: nil)
    guard try file.lock() else { throw FileIsInUse() }
    try disk.synchronizeFolder(of: path)
    return file
  }

  private static func failure(_ path: String, _ error: any Error) -> SearchError {
    SearchError(
      .storage, "The file of keys \(path) cannot be read or written.", underlying: "\(error)")
  }

  // MARK: Lines

  private static func bytes(of changes: [ServiceKeyChange]) -> [UInt8] {
    changes.flatMap { change in
      var writer = JSONWriter()
      change.write(to: &writer)
      return writer.bytes + [.lineFeed]
    }
  }

  private static func changes(of lines: ArraySlice<UInt8>) throws -> [ServiceKeyChange] {
    try lines.split(separator: .lineFeed).enumerated().map { index, line in
      try named("line \(index + 1)") { try ServiceKeyChange(JSONDocument(line).root) }
    }
  }

  private static func list(_ bytes: [UInt8]) throws -> [ServiceKeyChange] {
    let root = try named("the list") { try JSONDocument(bytes).root }
    return try root.elements.enumerated().map { index, element in
      try named("key \(index + 1)") { .saved(try ServiceKey(stored: element)) }
    }
  }

  private static func named<Value>(_ place: String, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let error as ServiceError {
      throw ServiceError(400, "\(place): \(error.message)")
    } catch let error as JSONError {
      throw ServiceError(400, "\(place): \(error.message) in column \(error.column)")
    }
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
}
