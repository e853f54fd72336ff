package import Foundation

/// The records of the snippets.
package enum SnippetData {
  /// A file of `Snippets/Data`, from wherever the package lies.
  package static func file(_ name: String) -> URL {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.pathComponents.count > 1 {
      let file = folder.appending(path: "Snippets/Data/\(name)")
      if FileManager.default.fileExists(atPath: file.path) { return file }
      folder.deleteLastPathComponent()
    }
    return folder
  }
}
