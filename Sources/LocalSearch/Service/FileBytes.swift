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
    guard let file = unsafe fopen(url.path, "rb") else { throw failure(reason(errno)) }
    defer { unsafe _ = fclose(file) }
    var bytes: [UInt8] = []
    while true {
      try checkpoint.check()
      errno = 0
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: pieceLength) { buffer, count in
        count = unsafe fread(buffer.baseAddress, 1, pieceLength, file)
      }
      bytes += piece
      if piece.count < pieceLength {
        guard unsafe ferror(file) == 0 else { throw failure(reason(errno)) }
        return bytes
      }
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
