import InstantSearchAPI
import InstantSearchJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension LocalSearch {
  /// Adds the records of a file to an index. A record without an ID gets a new one, and a record
  /// replaces an older one with the same ID.
  ///
  /// The file is a JSON array of objects, or has one object per line (NDJSON). Its records are
  /// indexed while it is read, without delaying other writes, and become visible together.
  ///
  /// The file is read through the disk of the configuration.
  ///
  /// - Parameters:
  ///   - path: The file's path, relative to the current directory or absolute.
  ///   - indexName: The index, which is created if it does not exist.
  ///   - deadline: The deadline of the write. Defaults to none.
  ///   - progress: Receives how far the load is. Defaults to none.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError`, without changes. `invalidRequest` if the file cannot be read, with
  ///   the reason as `underlying`, or contains values that aren't records; the message has the file
  ///   and the line. `storage` if the engine is kept in a file and the disk refuses the write.
  ///   `timedOut` or `cancelled` if the deadline passes or the task is cancelled before the records
  ///   are visible.
  @concurrent @discardableResult
  public func load(
    contentsOf path: String, into indexName: String, deadline: Deadline? = nil,
    progress: LoadProgress? = nil
  ) async throws(SearchError) -> [String] {
    try await loading(path, into: indexName, deadline, progress)
  }

  /// Adds the records of a file to an index. A record without an ID gets a new one, and a record
  /// replaces an older one with the same ID.
  ///
  /// The file is a JSON array of objects, or has one object per line (NDJSON).
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - indexName: The index, which is created if it does not exist.
  ///   - deadline: The deadline of the write. Defaults to none.
  ///   - progress: Receives how far the load is. Defaults to none.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` as for a path, and `invalidRequest` if it is not a file URL.
  @concurrent @discardableResult
  public func load(
    contentsOf url: URL, into indexName: String, deadline: Deadline? = nil,
    progress: LoadProgress? = nil
  ) async throws(SearchError) -> [String] {
    guard url.isFileURL else {
      throw SearchError(reading: url.path, for: indexName, "it is not a file URL")
    }
    return try await loading(url.path, into: indexName, deadline, progress)
  }

  private func loading(
    _ path: String, into indexName: String, _ deadline: Deadline?, _ progress: LoadProgress?
  ) async throws(SearchError) -> [String] {
    try await loading(into: indexName, deadline, progress) {
      [disk = configuration.disk] cancellation in
      let file = try FileBytes(path, on: disk, for: indexName)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return (
        RecordReader(named: name, cancellation, nextPiece: file.next), byteCount: file.byteCount
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
  /// - Throws: `SearchError`, without changes. `invalidRequest` if the bytes are not records; the
  ///   message has the line and the column. `storage`, `timedOut` or `cancelled` as for a file.
  @concurrent @discardableResult
  public func load(
    _ bytes: [UInt8], named name: String = "input", into indexName: String,
    deadline: Deadline? = nil, progress: LoadProgress? = nil
  ) async throws(SearchError) -> [String] {
    try await loading(into: indexName, deadline, progress) { cancellation in
      (RecordReader(bytes, named: name, cancellation), byteCount: bytes.count)
    }
  }

  private func loading(
    into indexName: String, _ deadline: Deadline?, _ progress: LoadProgress?,
    _ open: @escaping @Sendable (CancellationCheck) throws -> (RecordReader, byteCount: Int)
  ) async throws(SearchError) -> [String] {
    defer { progress?.finish() }
    let ids = try await writing(indexName, deadline, .long) { [self] cancellation in
      var load: RecordLoad
      do {
        var (reader, byteCount) = try open(cancellation)
        load = try RecordLoad(into: indexName, of: state, byteCount: byteCount, cancellation)
        progress?.update(records: 0, bytes: 0, of: byteCount)
        while let value = try reader.next() {
          do {
            try load.add(value)
          } catch let error as APIError {
            throw error.at(location: reader.location)
          }
          progress?.update(records: reader.count, bytes: reader.byteCount, of: byteCount)
        }
      }
      // The reader's memory is freed before the segment is built.
      let loaded = try load.build()
      let ids = load.objectIDs
      return PreparedWrite(
        to: [indexName], changes: { try $0.add(loaded, to: indexName) }, result: { _ in ids })
    }
    progress?.setVisible()
    return ids
  }
}

/// A file of records that is read in pieces, so that reading a long one can end early.
private final class FileBytes {
  /// The size of the file when it was opened, in bytes.
  let byteCount: Int
  private let file: any DiskFile
  private var offset = 0
  private let failure: (any Error) -> any Error

  /// The number of bytes that are read between two checks.
  private static let pieceLength = 1 << 20

  /// Opens a file.
  ///
  /// - Throws: `SearchError` with code `invalidRequest` if the file cannot be read, with the reason
  ///   as `underlying`.
  init(_ path: String, on disk: any Disk, for indexName: String) throws {
    failure = { error in
      let reason =
        (error as? DiskError)?.reason == .notAFile
        ? "it is not a regular file; load its bytes instead" : "\(error)"
      return SearchError(reading: path, for: indexName, reason)
    }
    do {
      file = try disk.open(path, .reading)
      byteCount = try file.size()
    } catch {
      throw failure(error)
    }
  }

  /// Returns the next piece, which is empty at the end.
  func next(_ cancellation: CancellationCheck) throws -> [UInt8] {
    try cancellation.check()
    do {
      let piece = try file.read(Self.pieceLength, at: offset)
      offset += piece.count
      return piece
    } catch {
      throw failure(error)
    }
  }
}

extension SearchError {
  /// Creates the error of reading a file of records.
  fileprivate init(reading path: String, for indexName: String, _ reason: String) {
    self.init(.invalidRequest, "Cannot read \(path).", indexName: indexName, underlying: reason)
  }
}
