import Foundation

/// Somebody else has the lock.
struct JournalIsInUse: Error {}

/// A lock that other processes see, and other clients of this one. It ends with the process.
///
/// The lock is on a file of its own, because the journal itself is replaced by another file when it
/// is made smaller, and because there may be no journal yet.
struct JournalLock {
  private let handle: FileHandle

  /// Takes the lock of a resolved path.
  init(for path: String, _ system: JournalSystem) throws {
    handle = try system.open(path + ".lock", .lock)
    guard try system.lock(handle) else {
      try? handle.close()
      throw JournalIsInUse()
    }
  }

  /// Gives the lock back.
  func release() {
    handle.unlockAndClose()
  }

  /// The path without links, `.` and `..`, as the system goes it; the file need not exist.
  ///
  /// One file is to have one lock, whatever it is called by.
  static func resolved(_ path: String) throws -> String {
    let absolute =
      path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    var rest = Array(absolute.split(separator: "/").map(String.init).reversed())
    var resolved: [String] = []
    var links = 0
    while let name = rest.popLast() {
      switch name {
      case ".": continue
      case "..": _ = resolved.popLast()
      default:
        let next = "/" + (resolved + [name]).joined(separator: "/")
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: next) else {
          resolved.append(name)
          continue
        }
        links += 1
        guard links <= 40 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(ELOOP)) }
        if target.hasPrefix("/") { resolved = [] }
        rest += target.split(separator: "/").map(String.init).reversed()
      }
    }
    return "/" + resolved.joined(separator: "/")
  }
}
