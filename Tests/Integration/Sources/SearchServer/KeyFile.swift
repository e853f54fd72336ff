import Dispatch
import Foundation
import InstantSearchAPI
import InstantSearchService

/// A file with the keys of a service, beside that of its engine. It has the plain keys, so only its
/// owner may read it.
struct KeyFile: Sendable {
  private let path: String
  private let disk = SystemDisk()

  /// Names the file.
  init(path: String) { self.path = path }

  /// Reads the keys, none if there is no file.
  func keys() throws -> [ServiceKey] {
    let bytes: [UInt8]
    do {
      let file = try disk.open(path, .reading)
      bytes = try file.read(file.size(), at: 0)
    } catch let error as DiskError where error.reason == .notFound {
      return []
    }
    return try JSONDecoder().decode([ServiceKey].self, from: Data(bytes))
  }

  /// Replaces the keys, on the disk when it returns.
  func save(_ keys: [ServiceKey]) async throws {
    // The calls of the disk would block the task's thread.
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try replace(keys) })
      }
    }
  }

  private func replace(_ keys: [ServiceKey]) throws {
    let bytes = Array(try JSONEncoder().encode(keys))
    let new = path + ".new"
    let file = try disk.open(new, .replacing)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: new)
    var written = 0
    while written < bytes.count {
      written += try file.write(bytes[written...], at: written)
    }
    try file.synchronize()
    try disk.rename(new, to: path)
    try disk.synchronizeFolder(of: path)
  }
}
