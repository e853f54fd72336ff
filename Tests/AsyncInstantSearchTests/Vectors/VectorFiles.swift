import AsyncInstantSearch
import Foundation

/// The recorded cases of InstantSearch.js, which are JSON files in the folder `Cases`.
///
/// If the environment variable `ASYNC_INSTANTSEARCH_VECTORS` names a folder, the files there are
/// read as well.
enum VectorFiles {
  /// A case that cannot be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// The cases of one kind, of all files with function cases.
  static func functions(_ kind: String) throws -> [JSON] {
    try files(prefix: "functions-").flatMap { try list(kind, of: $0) }
  }

  /// The parsed files whose names begin with a prefix.
  static func files(prefix: String) throws -> [JSON] {
    var folders = [URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Cases")]
    if let path = ProcessInfo.processInfo.environment["ASYNC_INSTANTSEARCH_VECTORS"] {
      folders.append(URL(filePath: path, directoryHint: .isDirectory))
    }
    return try folders.flatMap { folder in
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      return try names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }.map { name in
        try JSON(parsing: Array(Data(contentsOf: folder.appending(path: name))))
      }
    }
  }

  static func list(_ member: String, of file: JSON) throws -> [JSON] {
    guard let list = file[member]?.arrayValue else {
      throw Unreadable(description: "the file has no list `\(member)`")
    }
    return list
  }
}
