public import AsyncInstantSearch
public import Hummingbird
import Foundation
public import HummingbirdService
import InstantSearchService
public import Logging
import NIOCore

/// A web page over the films: rendered on the server, and live if the browser runs its script.
public struct FilmsSite: Sendable {
  private let client: SearchClient
  private let films: FilmsScreen
  private let visitors: Visitors
  private let logger: Logger

  /// Creates the site.
  ///
  /// - Parameters:
  ///   - client: Searches the indices of ``FilmsCatalogue``.
  ///   - maximumVisitors: The most live pages at once. Defaults to 10,000.
  ///   - logger: Receives what was left out of a page. Defaults to one that is named `films`.
  public init(
    _ client: SearchClient, maximumVisitors: Int = 10_000, logger: Logger = Logger(label: "films")
  ) throws {
    self.client = client
    self.logger = logger
    films = try FilmsScreen()
    visitors = Visitors(limit: maximumVisitors)
  }

  /// The number of open live pages.
  public var visitorCount: Int { visitors.count }

  /// Answers requests.
  public var router: Router<ConnectionContext> {
    let router = Router(context: ConnectionContext.self)
    router.get("/") { _, _ in Response.redirect(to: FilmsRenderer.path, type: .normal) }
    router.get("/films") { request, _ in try await page(request) }
    router.get("/live") { request, context in try await open(request, context) }
    router.post("/live/{visitor}") { request, context in try await act(request, context) }
    router.get("/health") { _, _ in "ok" }
    for (name, type, bytes) in Self.files {
      router.get("/\(name)") { _, _ in Self.response(bytes, type: type) }
    }
    return router
  }

  /// Keeps the connections of all visitors alive until the task is cancelled.
  public func keepAlive() async throws { try await visitors.keepAlive() }

  // MARK: The page

  private func page(_ request: Request) async throws -> Response {
    let (state, problems) = films.screen.read(query: request.uri.query ?? "")
    for problem in problems { logger.info("ignored", metadata: ["part": "\(problem)"]) }
    do {
      let results = try await client.search(films.screen, in: state)
      for failure in results.page(of: Hit<Film>.self).failures {
        logger.warning("a record is left out", metadata: ["reason": "\(failure)"])
      }
      let html = try FilmsRenderer(films: films, results: results).page()
      return Self.response(Array(html.text.utf8), type: "text/html", cache: "no-store")
    } catch let error as SearchError {
      logger.error("no page", metadata: ["error": "\(error)"])
      throw HTTPError(.init(code: error.httpStatus), message: error.message)
    }
  }

  // MARK: The live page

  /// The events of a new visitor. They end with the connection, and when the server ends.
  private func open(_ request: Request, _ context: ConnectionContext) async throws -> Response {
    let visitor = try Visitor(films: films, client: client, query: request.uri.query ?? "")
    guard visitors.add(visitor) else { throw HTTPError(.serviceUnavailable) }
    context.channel.closeFuture.whenComplete { [visitors] _ in visitors.remove(visitor) }
    await visitor.start()
    return Response(
      ServiceResponse(events: visitor.events), on: context.channel,
      onShutdown: { visitor.end() })
  }

  /// What the user of an open page does.
  private func act(_ request: Request, _ context: ConnectionContext) async throws
    -> HTTPResponse.Status
  {
    let body = try await request.body.collect(upTo: 1 << 14)
    let text = String(buffer: body)
    let id = try context.parameters.require("visitor")
    // The page connects again if the server does not know it, for example after a restart.
    guard let visitor = visitors.find(id) else { throw HTTPError(.gone) }
    let action = request.uri.queryParameters.get("action", as: Int.self) ?? 0
    let form = request.uri.queryParameters.get("form")
    let change = form.map { Change.form(name: $0, fields: [String: String](formEncoded: text)) }
    do {
      try await visitor.perform(action, change ?? .link(query: text))
      return .noContent
    } catch let error as SearchError {
      throw HTTPError(.init(code: error.httpStatus), message: error.message)
    }
  }

  // MARK: Files

  private static var files: [(name: String, type: String, bytes: [UInt8])] {
    [
      ("page.css", "text/css", PackageResources.page_css),
      ("page.js", "text/javascript", PackageResources.page_js),
      ("icon.svg", "image/svg+xml", PackageResources.icon_svg),
    ]
  }

  /// - Parameter cache: How long a browser may keep it. Defaults to five minutes.
  private static func response(
    _ bytes: [UInt8], type: String, cache: String = "max-age=300"
  ) -> Response {
    var headers = HTTPFields()
    headers[.contentType] = "\(type); charset=utf-8"
    headers[.cacheControl] = cache
    headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
      + "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    headers[.xContentTypeOptions] = "nosniff"
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
