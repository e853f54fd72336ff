public import AsyncInstantSearch
public import Hummingbird

/// A film in the service's responses.
public struct Film: Codable, Sendable, Equatable, ResponseEncodable {
  /// The title.
  public var title: String
  /// The year of its release.
  public var year: Int
}

/// A small search service as in a server app: `GET /films?q=alien` returns titles.
public struct FilmService: Sendable {
  /// The response of the service.
  public struct Answer: Codable, Sendable, ResponseEncodable {
    /// The number of films found.
    public var count: Int
    /// The first of them.
    public var films: [Film]
  }

  private let client: SearchClient

  /// Creates a service with a client.
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
        throw HTTPError(.init(code: error.httpStatus), message: error.message)
      }
    }
    try await Server.run(router.buildResponder(), onPort: onPort)
  }
}
