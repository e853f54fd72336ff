public import AsyncInstantSearch
import InstantSearchJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension LocalSearch {
  /// Adds the records of a file to an index, as ``save(_:in:deadline:)`` does.
  ///
  /// The file is a JSON array of objects, or has one object per line (NDJSON).
  ///
  /// - Parameters:
  ///   - path: The file's path, relative to the current directory or absolute.
  ///   - indexName: The index, which is made when it does not exist.
  ///   - deadline: When the records must be there; none by default.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` of code `invalidRequest`, with nothing written; the message names the
  ///   file and the line. `timedOut` or `cancelled`, with nothing written, when the deadline passes
  ///   or the task is cancelled before the records are visible.
  @concurrent @discardableResult
  public func load(
    contentsOf path: String, into indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await load(contentsOf: URL(fileURLWithPath: path), into: indexName, deadline: deadline)
  }

  /// Adds the records of a file to an index, as ``save(_:in:deadline:)`` does.
  ///
  /// The file is a JSON array of objects, or has one object per line (NDJSON).
  @concurrent @discardableResult
  public func load(
    contentsOf url: URL, into indexName: String, deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await writing(indexName, deadline) { [self] checkpoint in
      let bytes = try FileBytes.read(url, for: indexName, checkpoint)
      return try loading(bytes, named: url.lastPathComponent, into: indexName, checkpoint)
    }
  }

  /// Adds records to an index that are given as the bytes of a JSON array or of NDJSON.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 text.
  ///   - name: What the bytes are called in messages.
  ///   - indexName: The index, which is made when it does not exist.
  ///   - deadline: When the records must be there; none by default.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` of code `invalidRequest`, with nothing written; the message names the
  ///   line and the column.
  @concurrent @discardableResult
  public func load(
    _ bytes: [UInt8], named name: String = "input", into indexName: String,
    deadline: Deadline? = nil
  ) async throws(SearchError) -> [String] {
    try await writing(indexName, deadline) { [self] checkpoint in
      try loading(bytes, named: name, into: indexName, checkpoint)
    }
  }

  private func loading(
    _ bytes: [UInt8], named name: String, into indexName: String, _ checkpoint: Checkpoint
  ) throws -> PreparedWrite<[String]> {
    let file = try RecordFile(bytes, named: name, checkpoint)
    return try putting(file.nodes, in: indexName, clearsFirst: false, checkpoint) {
      file.place(of: $0)
    }
  }
}
