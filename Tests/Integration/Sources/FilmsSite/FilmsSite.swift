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
  private let proxies: [IPNetwork]
  private let logger: Logger

  /// Creates the site.
  ///
  /// - Parameters:
  ///   - client: Searches the indices of ``FilmsCatalogue``.
  ///   - maximumVisitors: The most live pages at once. Defaults to 10,000.
  ///   - maximumVisitorsOfAddress: The most live pages of one address. More of them work as without
  ///     JavaScript. Defaults to 100.
  ///   - trustedProxies: The networks of proxies whose `X-Forwarded-For` counts. Defaults to none.
  ///   - logger: Receives what was left out of a page. Defaults to one that is named `films`.
  public init(
    _ client: SearchClient, maximumVisitors: Int = 10_000, maximumVisitorsOfAddress: Int = 100,
    trustedProxies: [IPNetwork] = [], logger: Logger = Logger(label: "films")
  ) throws {
    self.client = client
    self.logger = logger
    proxies = trustedProxies
    films = try FilmsScreen()
    visitors = Visitors(limit: maximumVisitors, limitOfAddress: maximumVisitorsOfAddress)
  }

  /// The number of open live pages.
  public var visitorCount: Int { visitors.count }

  /// Answers requests.
  public var router: Router<ConnectionContext> {
    let router = Router(context: ConnectionContext.self, options: .autoGenerateHeadEndpoints)
    // A span for each request, for a program that has a tracer.
    router.middlewares.add(TracingMiddleware())
    router.middlewares.add(ErrorPages())
    router.middlewares.add(Compression())
    router.get("/") { _, _ in Response.redirect(to: FilmsRenderer.path, type: .normal) }
    router.get("/films") { request, _ in try await page(request) }
    router.get("/live") { request, context in try await open(request, context) }
    router.post("/live/{visitor}") { request, context in try await act(request, context) }
    router.get("/health") { _, _ in "ok" }
    for asset in [Assets.css, Assets.script, Assets.icon] {
      router.get("\(asset.name)") { _, _ in asset.response }
    }
    return router
  }

  /// Keeps the connections of all visitors alive until the task is cancelled.
  public func keepAlive() async throws { try await visitors.keepAlive() }

  // MARK: The page

  private func page(_ request: Request) async throws -> Response {
    let (state, problems) = films.read(query: request.uri.query ?? "")
    for problem in problems { logger.info("ignored", metadata: ["part": "\(problem)"]) }
    do {
      let results = try await client.search(films.screen, in: state)
      for failure in results.page(of: Hit<Film>.self).failures {
        logger.warning("a record is left out", metadata: ["reason": "\(failure)"])
      }
      let html = try FilmsRenderer(films: films, results: results).page(ignored: problems.count)
      return Response(page: html)
    } catch let error as SearchError {
      logger.error("no page", metadata: ["error": "\(error)"])
      throw HTTPError(.init(code: error.httpStatus), message: error.message)
    }
  }

  // MARK: The live page

  /// The events of a new visitor. They end with the connection, and when the server ends.
  private func open(_ request: Request, _ context: ConnectionContext) async throws -> Response {
    // A page that asks for the head has no connection that ends.
    if request.method == .head { return Response(status: .ok) }
    let visitor = try Visitor(films: films, client: self.client, query: request.uri.query ?? "")
    let client = ServiceRequest(request, on: context.channel).clientAddress(behind: proxies)
    let address = IPNetwork.subscriber(of: client ?? "")
    guard visitors.add(visitor, from: address) else { throw HTTPError(.serviceUnavailable) }
    context.channel.closeFuture.whenComplete { [visitors] _ in
      visitors.remove(visitor, from: address)
    }
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
}
