public import AsyncInstantSearch
import InstantSearchJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension LocalSearch {
  /// Adds the records of a file to an index, as ``save(_:in:)`` does.
  ///
  /// The file is a JSON array of objects, or has one object per line (NDJSON).
  ///
  /// - Parameters:
  ///   - path: The file's path, relative to the current directory or absolute.
  ///   - indexName: The index, which is made when it does not exist.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` of code `invalidRequest`, with nothing written; the message names the
  ///   file and the line.
  @concurrent @discardableResult
  public func load(
    contentsOf path: String, into indexName: String
  ) async throws(SearchError) -> [String] {
    try await load(contentsOf: URL(fileURLWithPath: path), into: indexName)
  }

  /// Adds the records of a file to an index, as ``save(_:in:)`` does.
  ///
  /// The file is a JSON array of objects, or has one object per line (NDJSON).
  @concurrent @discardableResult
  public func load(
    contentsOf url: URL, into indexName: String
  ) async throws(SearchError) -> [String] {
    let bytes: [UInt8]
    do {
      bytes = [UInt8](try Data(contentsOf: url))
    } catch {
      throw SearchError(
        .invalidRequest, "cannot read \(url.path)", indexName: indexName,
        underlying: Self.reason(of: error))
    }
    return try await load(bytes, named: url.lastPathComponent, into: indexName)
  }

  /// Why a file cannot be read, in few words; the error's own description is long and full of parts
  /// that differ between systems.
  private static func reason(of error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile?, .fileNoSuchFile?: "there is no such file"
    case .fileReadNoPermission?: "permission denied"
    case .fileReadTooLarge?: "the file is too large"
    case let code?: "the system refused to read it, code \(code.rawValue)"
    case nil: "the system refused to read it"
    }
  }

  /// Adds records to an index that are given as the bytes of a JSON array or of NDJSON.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 text.
  ///   - name: What the bytes are called in messages.
  ///   - indexName: The index, which is made when it does not exist.
  /// - Returns: The IDs in the order of the records.
  /// - Throws: `SearchError` of code `invalidRequest`, with nothing written; the message names the
  ///   line and the column.
  @concurrent @discardableResult
  public func load(
    _ bytes: [UInt8], named name: String = "input", into indexName: String
  ) async throws(SearchError) -> [String] {
    try await calling(indexName) {
      let file = try RecordFile(bytes, named: name)
      return try await put(file.nodes, in: indexName, clearsFirst: false) { file.place(of: $0) }
    }
  }
}
