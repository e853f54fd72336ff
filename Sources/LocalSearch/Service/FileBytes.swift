import AsyncInstantSearch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
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

/// The system's `read`, whose name is that of a method here.
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = unsafe read

/// Reads files piece by piece, so that reading a long one can be ended.
enum FileBytes {
  /// How many bytes are read between two checks.
  private static let pieceLength = 1 << 20

  /// Reads a whole file.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` when the file cannot be read, with the reason
  ///   as `underlying`.
  static func read(
    _ url: URL, for indexName: String, _ checkpoint: Checkpoint
  ) throws -> [UInt8] {
    func failure(_ reason: String) -> SearchError {
      SearchError(
        .invalidRequest, "cannot read \(url.path)", indexName: indexName, underlying: reason)
    }
    guard url.isFileURL else { throw failure("it is not on this machine") }
    // Without blocking: a pipe would block until something writes to it.
    var descriptor: Int32 = -1
    repeat {
      try checkpoint.check()
      descriptor = unsafe open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw failure(reason(errno)) }
    defer { _ = close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure(reason(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw failure("it is a folder")
    default: throw failure("it is no regular file; load its bytes instead")
    }
    var bytes: [UInt8] = []
    while true {
      try checkpoint.check()
      var failureCode: Int32 = 0
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: pieceLength) { buffer, count in
        let readCount = unsafe systemRead(descriptor, buffer.baseAddress, pieceLength)
        count = max(0, readCount)
        if readCount < 0 { failureCode = errno }
      }
      if failureCode == EINTR { continue }
      guard failureCode == 0 else { throw failure(reason(failureCode)) }
      if piece.isEmpty { return bytes }
      bytes += piece
    }
  }

  /// Why a file cannot be read, in few words; the system's own texts differ between systems.
  private static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such file"
    case EACCES, EPERM: "permission denied"
    default: "the system refused to read it, code \(code)"
    }
  }
}
