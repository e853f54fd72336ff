@testable import AsyncInstantSearch
@testable import InstantSearchClient
import Foundation

/// The recorded cases of InstantSearch.js, which are JSON files in the folder `Cases`.
///
/// If the environment variable `ASYNC_INSTANTSEARCH_VECTORS` names a folder, the files there are
/// read as well. A file there replaces that of the same name.
enum VectorFiles {
  /// A case that cannot be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// The cases of one kind that fulfil a condition, of all files with function cases.
  ///
  /// - Parameter name: What is compared, for the report.
  static func functions(
    _ kind: String, as name: String, where isIncluded: (JSON) -> Bool = { _ in true }
  ) throws -> [JSON] {
    let cases = try files(prefix: "functions-").flatMap { try list(kind, of: $0) }
      .filter(isIncluded)
    VectorReport.current.compare("cases of \(name)", count: cases.count)
    return cases
  }

  /// The parsed files whose names begin with a prefix.
  static func files(prefix: String) throws -> [JSON] {
    var folders = [URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")]
    if let path = ProcessInfo.processInfo.environment["ASYNC_INSTANTSEARCH_VECTORS"] {
      folders.append(URL(filePath: path, directoryHint: .isDirectory))
    }
    var files: [String: URL] = [:]
    for folder in folders {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where name.hasPrefix(prefix) && name.hasSuffix(".json") {
        files[name] = folder.appending(path: name)
      }
    }
    return try files.sorted { $0.key < $1.key }.map { _, file in
      try JSON(parsing: Array(Data(contentsOf: file)))
    }
  }

  static func list(_ member: String, of file: JSON) throws -> [JSON] {
    guard let list = file[member]?.arrayValue else {
      throw Unreadable(description: "the file has no list `\(member)`")
    }
    return list
  }
}
