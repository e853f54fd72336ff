import AsyncInstantSearch
import Foundation

/// What the system says against reading or writing a journal, in words.
enum JournalFault {
  /// The error to throw.
  ///
  /// It names the file and not its folder: a path may have the name of a user in it, and errors are
  /// logged. ``InsightsJournal/path`` is the whole.
  static func error(_ error: NSError, doing what: String, path: String) -> SearchError {
    let code = posixCode(of: error)
    let reason = code.flatMap(words) ?? "the system refused."
    return SearchError(
      .storage, "Could not \(what) the journal \(name(of: path)): \(reason)",
      underlying: "\(error.domain) \(error.code)")
  }

  /// The name of a file without its folder.
  static func name(of path: String) -> String { (path as NSString).lastPathComponent }

  /// What happened and what to do about it.
  private static func words(_ code: Int32) -> String? {
    switch code {
    case ENOSPC: "there is no space left on the disk. Free some space."
    case EDQUOT: "the disk quota is used up. Free some space, or raise the quota."
    case EFBIG: "the file is as long as the system allows. Raise the limit."
    case EACCES, EPERM:
      "permission is denied. Let this process read and write the file and its folder."
    case EROFS: "the disk is read-only. Choose another folder."
    case ENOENT: "there is no such folder. Make it first."
    case ENOTDIR: "a part of its path is no folder. Choose another path."
    case EISDIR: "there is a folder of this name. Choose another path."
    case ENAMETOOLONG: "its path is too long. Choose a shorter one."
    case ELOOP: "its path has too many links. Choose another one."
    case EMFILE, ENFILE: "too many files are open. Close some, or raise the limit."
    case EIO: "the disk reports an error. Check the disk."
    default: nil
    }
  }

  /// The code of the system, also where Foundation has put one of its own around it.
  private static func posixCode(of error: NSError) -> Int32? {
    if error.domain == NSPOSIXErrorDomain { return Int32(exactly: error.code) }
    if let inner = error.userInfo[NSUnderlyingErrorKey] as? NSError,
      inner.domain == NSPOSIXErrorDomain
    {
      return Int32(exactly: inner.code)
    }
    guard error.domain == NSCocoaErrorDomain else { return nil }
    switch CocoaError.Code(rawValue: error.code) {
    case .fileWriteOutOfSpace: return ENOSPC
    case .fileWriteVolumeReadOnly: return EROFS
    case .fileWriteNoPermission, .fileReadNoPermission: return EACCES
    case .fileNoSuchFile, .fileReadNoSuchFile: return ENOENT
    default: return nil
    }
  }
}
