@testable import AlgoliaTransport
@testable import InstantSearchHTTP

/// The exchanges that come with the package.
enum ExchangeKind: Sendable {
  #if os(Linux)
    case curl
    /// Like a libcurl that does not check a connection before it sends a request.
    case oldCurl
  #endif
  case urlSession

  /// Those available on this platform.
  static let all: [ExchangeKind] = {
    #if os(Linux)
      [.curl, .oldCurl, .urlSession]
    #else
      [.urlSession]
    #endif
  }()

  /// Those that keep connections for later exchanges.
  static let keepingConnections: [ExchangeKind] = {
    #if os(Linux)
      [.curl, .oldCurl]
    #else
      [.urlSession]
    #endif
  }()

  /// Every kind with every fault that it survives.
  static func all(with faults: [Fault]) -> [(ExchangeKind, Fault)] {
    all.flatMap { kind in
      faults.filter { kind.survives($0) }.map { (kind, $0) }
    }
  }

  private func survives(_ fault: Fault) -> Bool {
    #if os(Linux)
      self != .urlSession || !fault.isWithoutHead
    #else
      true
    #endif
  }

  /// An exchange with separate connections.
  ///
  /// - Parameter certificateAuthorityFile: The authority to trust instead of the system's. Not for
  ///   `URLSession`.
  func make(
    maximumConnectionsPerHost: Int = 64, certificateAuthorityFile: String? = nil
  ) -> HTTPExchange {
    #if os(Linux)
      let configuration = CurlExchange.Configuration(
        maximumConnectionsPerHost: maximumConnectionsPerHost,
        certificateAuthorityFile: certificateAuthorityFile)
    #endif
    switch self {
    #if os(Linux)
      case .curl:
        guard let exchange = CurlExchange(configuration)
        else { return { _ in throw HTTPExchangeError.network("there is no libcurl") } }
        return { try await exchange.send($0) }
      case .oldCurl:
        guard
          let exchange = CurlExchange(configuration, asksBeforeSending: false)
        else { return { _ in throw HTTPExchangeError.network("there is no libcurl") } }
        return { try await exchange.send($0) }
    #endif
    case .urlSession:
      let exchange = URLSessionExchange(maximumConnectionsPerHost: maximumConnectionsPerHost)
      return { try await exchange.send($0) }
    }
  }
}
