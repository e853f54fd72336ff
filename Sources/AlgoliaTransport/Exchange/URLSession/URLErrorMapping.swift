import AsyncInstantSearch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sorts the errors of `URLSession` into those that another host may not give, and the others.
enum URLErrorMapping {
  /// The error to throw for one of a session; it has the code, and nothing of the request.
  static func error(for error: any Error) -> any Error {
    let error = error as NSError
    guard error.domain == NSURLErrorDomain else {
      return HTTPExchangeError.network("failed with \(error.domain) \(error.code)")
    }
    // Optional on Linux only, where codes that Foundation does not know have no value.
    let code: URLError.Code? = URLError.Code(rawValue: error.code)
    return switch code {
    case .timedOut:
      HTTPExchangeError.timedOut
    // Also what is no HTTP; a URL of another kind was not let in.
    case .unsupportedURL:
      HTTPExchangeError.network("\(ConnectionProblem.notHTTP.rawValue) (URLError \(error.code))")
    case .badURL:
      SearchError(.invalidRequest, "URLSession cannot make the request (code \(error.code)).")
    default:
      HTTPExchangeError.network("\(words(for: code)) (URLError \(error.code))")
    }
  }

  private static func words(for code: URLError.Code?) -> String {
    switch code {
    // On Linux this is what a truncated answer and an untrusted certificate have in common.
    case .unknown: "transfer failed"
    case .cannotFindHost, .dnsLookupFailed: ConnectionProblem.hostNotFound.rawValue
    case .cannotConnectToHost: ConnectionProblem.couldNotConnect.rawValue
    case .networkConnectionLost: "connection lost"
    case .notConnectedToInternet: "no network"
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
      .clientCertificateRejected, .clientCertificateRequired:
      ConnectionProblem.noSecureConnection.rawValue
    default: "network error"
    }
  }
}
