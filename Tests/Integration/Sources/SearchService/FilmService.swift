public import AsyncInstantSearch
public import Hummingbird

/// A film as the service tells it.
public struct Film: Codable, Sendable, Equatable, ResponseEncodable {
  /// The title.
  public var title: String
  /// The year it was shown first.
  public var year: Int
}

/// A small search service, as a server app would have it: `GET /films?q=alien` answers titles.
public struct FilmService: Sendable {
  /// What the service answers.
  public struct Answer: Codable, Sendable, ResponseEncodable {
    /// How many films there are.
    public var count: Int
    /// The best of them.
    public var films: [Film]
  }

  private let client: SearchClient

  /// Creates a service on a client.
  public init(_ client: SearchClient) {
    self.client = client
  }

  /// Serves on a free port of the loopback address until its task is cancelled.
  public func run(onPort: @escaping @Sendable (Int) -> Void) async throws {
    let router = Router()
    router.get("films") { [client] request, _ in
      let text = request.uri.queryParameters.get("q") ?? ""
      do {
        let page = try await client.search("films", SearchQuery(text), of: Hit<Film>.self)
        return Answer(count: page.nbHits, films: page.hits.map(\.object))
      } catch let error as SearchError {
        throw HTTPError(Self.status(for: error), message: error.message)
      }
    }
    try await Server.run(router, onPort: onPort)
  }

  /// The status that tells the service's own callers what they can do about an error.
  private static func status(for error: SearchError) -> HTTPResponse.Status {
    switch error.code {
    case .invalidRequest: .badRequest
    case .rateLimited: .tooManyRequests
    case .timedOut: .gatewayTimeout
    default: .badGateway
    }
  }
}
