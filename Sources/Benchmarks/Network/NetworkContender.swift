import AlgoliaTransport
import AsyncInstantSearch

/// The exchanges that are set side by side.
enum NetworkContender: String, CaseIterable {
  case curl, urlSession

  /// Those that there are on this system.
  static let available: [NetworkContender] = {
    #if os(Linux)
      allCases
    #else
      [.urlSession]
    #endif
  }()

  /// An exchange with connections of its own.
  ///
  /// - Parameter authorityFile: Whom to trust in place of the system's authorities; URLSession
  ///   looks for it in the environment.
  func makeExchange(
    maximumConnectionsPerHost: Int = 64, authorityFile: String? = nil
  ) throws -> HTTPExchange {
    #if os(Linux)
      if self == .curl {
        guard
          let exchange = CurlExchange(
            .init(
              maximumConnectionsPerHost: maximumConnectionsPerHost,
              certificateAuthorityFile: authorityFile))
        else { throw Mismatch(description: "there is no libcurl") }
        return { try await exchange.send($0) }
      }
    #endif
    let exchange = URLSessionExchange(maximumConnectionsPerHost: maximumConnectionsPerHost)
    return { try await exchange.send($0) }
  }

  /// A transport on such an exchange that knows servers on the loopback address.
  func makeTransport(
    ports: [Int], configure: (inout AlgoliaTransport.Configuration) -> Void = { _ in }
  ) throws -> AlgoliaTransport {
    var configuration = AlgoliaTransport.Configuration(
      hosts: ports.map { AlgoliaHost("127.0.0.1", scheme: .http, port: $0) },
      exchange: try makeExchange())
    configure(&configuration)
    return AlgoliaTransport(appID: "APPID", apiKey: "benchmark", configuration: configuration)
  }
}
