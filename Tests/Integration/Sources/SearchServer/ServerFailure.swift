import Foundation
import NIOCore

/// Why the server does not start or go on, as one sentence for the operator.
struct ServerFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// The failure of an address to listen on.
  init(listeningOn host: String, _ port: UInt16, _ error: any Error) {
    let place = "port \(port) of \(host)"
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      self.init("The \(place) is in use. Choose another one with --port, or 0 for any free one.")
    case EACCES: self.init("The \(place) may not be used by this user.")
    case EADDRNOTAVAIL: self.init("\(host) is no address of this machine. Choose one with --host.")
    default:
      self.init(
        error is SocketAddressError
          ? "The host \(host) is not known. Choose another one with --host."
          : error is IOError
            ? "The \(place) cannot be used: \(error)" : "The server cannot go on: \(error)")
    }
  }

  /// The place and the reason of an error of decoding.
  static func text(of error: DecodingError) -> String {
    switch error {
    case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      let reason =
        (context.underlyingError as NSError?)?
        .userInfo[NSDebugDescriptionErrorKey] as? String
      return (path.isEmpty ? "" : "\(path): ") + (reason ?? context.debugDescription)
    @unknown default: return "\(error)"
    }
  }
}
