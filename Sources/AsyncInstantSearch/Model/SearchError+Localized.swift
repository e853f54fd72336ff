#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SearchError: LocalizedError {
  /// The text of ``description``, which `localizedDescription` gives as well; safe to log.
  public var errorDescription: String? { description }

  /// What went wrong; the ``message`` alone.
  public var failureReason: String? { message }

  /// What can be done about it; `nil` where there is nothing that helps in general.
  public var recoverySuggestion: String? {
    switch code {
    case .unreachable where connectionProblem != nil: connectionProblem?.suggestion
    case .unauthorized: "Check the application ID, the API key, and what the key may do."
    case .indexNotFound: "Check the name of the index, or save a record in it first."
    case .rateLimited: "Wait a moment before the next call, or make fewer calls."
    case .server, .unreachable, .timedOut, .transport: "Make the same call again later."
    case .storage: "Check that there is room on the disk and that the folder can be written."
    case .decoding where !failures.isEmpty:
      "Compare the record type with the records; a property that may be absent must be optional."
    default: nil
    }
  }
}

extension SearchError {
  /// What the attempts have in common, if the settings of the transport may be the cause.
  private var connectionProblem: ConnectionProblem? {
    ConnectionProblem.allCases.first { problem in
      !attempts.isEmpty && attempts.allSatisfy { $0.outcome.hasPrefix(problem.rawValue) }
    }
  }
}

/// Why a host could not be asked, as the outcome of an attempt begins.
package enum ConnectionProblem: String, CaseIterable {
  case hostNotFound = "host not found"
  case couldNotConnect = "could not connect"
  case noSecureConnection = "no secure connection"
  case notHTTP = "the answer was not HTTP"

  /// What is to be checked.
  fileprivate var suggestion: String {
    switch self {
    case .hostNotFound:
      """
      Check the application ID or the names of the hosts, which are without scheme and port, and the \
      connection to the network.
      """
    case .couldNotConnect:
      "Check that the server runs and listens on that port, and the connection to the network."
    case .noSecureConnection:
      """
      Check the scheme and the port of the hosts: a server without TLS needs the scheme http. Check the \
      server's certificate and the clock of this machine, too.
      """
    case .notHTTP:
      "Check the scheme and the port of the hosts: a server with TLS needs the scheme https."
    }
  }
}
