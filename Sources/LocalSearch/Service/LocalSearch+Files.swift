import InstantSearchJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
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

extension LocalSearch {
  /// Adds the records of a file to an index, as ``save(_:in:deadline:)`` does.
  ///
  /// The file is a JSON array of objects, or has one object per line (NDJSON). Its records are
  /// indexed while it is read, without delaying other writes, and become visible together.
  ///
  /// - Parameters:
  ///   - path: The file's path, relative to the current directory or absolute.
  ///   - indexName: The index, which is created if it does not exist.
  ///   - deadline: The deadline of the write. Defaults to none.
  ///   - progress: Receives how far the load is. Defaults to none.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` with code `invalidRequest`, without changes. The message has the file
  ///   and the line. `timedOut` or `cancelled`, without changes, if the deadline passes or the task
  ///   is cancelled before the records are visible.
  @concurrent @discardableResult
  public func load(
    contentsOf path: String, into indexName: String, deadline: Deadline? = nil,
    progress: LoadProgress? = nil
  ) async throws(SearchError) -> [String] {
    try await load(
      contentsOf: URL(fileURLWithPath: path), into: indexName, deadline: deadline,
      progress: progress)
  }

  /// Adds the records of a file to an index, as ``save(_:in:deadline:)`` does.
  ///
  /// The file is a JSON array of objects, or has one object per line (NDJSON).
  @concurrent @discardableResult
  public func load(
    contentsOf url: URL, into indexName: String, deadline: Deadline? = nil,
    progress: LoadProgress? = nil
  ) async throws(SearchError) -> [String] {
    try await loading(into: indexName, deadline, progress) { cancellation in
      let file = try FileBytes(url, for: indexName, cancellation)
      return (
        RecordReader(named: url.lastPathComponent, nextPiece: file.next), byteCount: file.byteCount
      )
    }
  }

  /// Adds the records in the bytes of a JSON array or of NDJSON to an index.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 text.
  ///   - name: The name of the bytes in messages.
  ///   - indexName: The index, which is created if it does not exist.
  ///   - deadline: The deadline of the write. Defaults to none.
  ///   - progress: Receives how far the load is. Defaults to none.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` with code `invalidRequest`, without changes. The message has the line
  ///   and the column.
  @concurrent @discardableResult
  public func load(
    _ bytes: [UInt8], named name: String = "input", into indexName: String,
    deadline: Deadline? = nil, progress: LoadProgress? = nil
  ) async throws(SearchError) -> [String] {
    try await loading(into: indexName, deadline, progress) { _ in
      (RecordReader(bytes, named: name), byteCount: bytes.count)
    }
  }

  private func loading(
    into indexName: String, _ deadline: Deadline?, _ progress: LoadProgress?,
    _ open: @escaping @Sendable (CancellationCheck) throws -> (RecordReader, byteCount: Int)
  ) async throws(SearchError) -> [String] {
    defer { progress?.finish() }
    let ids = try await writing(indexName, deadline) { [self] cancellation in
      var load: RecordLoad
      do {
        var (reader, byteCount) = try open(cancellation)
        load = try RecordLoad(into: indexName, of: self, byteCount: byteCount, cancellation)
        progress?.update(records: 0, bytes: 0, of: byteCount)
        while let value = try reader.next(cancellation) {
          do {
            try load.add(value)
          } catch let error as APIError {
            throw error.at(location: reader.location)
          }
          progress?.update(records: reader.count, bytes: reader.byteCount, of: byteCount)
        }
      }
      // The memory of the reader is free before more is taken.
      let loaded = try load.build()
      let ids = load.objectIDs
      return PreparedWrite(
        to: [indexName], changes: { try $0.add(loaded, to: indexName) }, result: { _ in ids })
    }
    progress?.setVisible()
    return ids
  }
}

/// The system's `read`, which a method here has as its name.
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = unsafe read

/// A file that is read in pieces, so that reading a long one can end early.
final class FileBytes {
  /// The size of the file when it was opened, in bytes.
  let byteCount: Int
  private let descriptor: Int32
  private let failure: (String) -> SearchError

  /// The number of bytes that are read between two checks.
  private static let pieceLength = 1 << 20

  /// Opens a file.
  ///
  /// - Throws: `SearchError` with code `invalidRequest` if the file cannot be read, with the reason
  ///   as `underlying`.
  init(_ url: URL, for indexName: String, _ cancellation: CancellationCheck) throws {
    failure = { reason in
      SearchError(
        .invalidRequest, "Cannot read \(url.path).", indexName: indexName, underlying: reason)
    }
    guard url.isFileURL else { throw failure("it is not a file URL") }
    // Safe: `open` reads the path, and `fstat` writes `status`, during the call.
    //
    // Opens without blocking, because a pipe would block until something writes to it.
    var descriptor: Int32 = -1
    repeat {
      try cancellation.check()
      descriptor = unsafe open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw failure(Self.reason(errno)) }
    var status = stat()
    let code = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
    self.descriptor = descriptor
    byteCount = Int(clamping: status.st_size)
    guard code == 0 else { throw failure(Self.reason(code)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw failure("it is a folder")
    default: throw failure("it is not a regular file; load its bytes instead")
    }
  }

  deinit { _ = close(descriptor) }

  /// Returns the next piece, which is empty at the end.
  func next(_ cancellation: CancellationCheck) throws -> [UInt8] {
    while true {
      try cancellation.check()
      var failureCode: Int32 = 0
      let length = Self.pieceLength
      // Safe: the buffer has `length` bytes. `read` initializes as many as it returns.
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        let readCount = unsafe systemRead(descriptor, buffer.baseAddress, length)
        count = max(0, readCount)
        if readCount < 0 { failureCode = errno }
      }
      if failureCode == EINTR { continue }
      guard failureCode == 0 else { throw failure(Self.reason(failureCode)) }
      return piece
    }
  }

  /// Returns the reason for a failure in few words, because the system's texts differ between
  /// systems.
  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EACCES, EPERM: "permission denied"
    default: "the system refused to read it, code \(code)"
    }
  }
}
