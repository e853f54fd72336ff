import HTTPTypes
import Hummingbird
import HummingbirdService
import InstantSearchService
import NIOCore

/// Shows a page for an error of a page that a browser asks for.
struct ErrorPages: RouterMiddleware {
  func handle(
    _ request: Request, context: ConnectionContext,
    next: @concurrent (Request, ConnectionContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError where request.headers[.accept]?.contains("text/html") == true {
      let text: HTML =
        error.status == .notFound
        ? "There is no such page." : "The films cannot be shown now. Try again in a moment."
      return Response(page: Self.page(text), status: error.status)
    }
  }

  private static func page(_ text: HTML) -> HTML {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>A century of films</title><link rel="stylesheet" href="\(Assets.css.path)"></head>
    <body><main class="message"><h1><a href="\(FilmsRenderer.path)">A century of films</a></h1>
    <p>\(text)</p><p><a href="\(FilmsRenderer.path)">All films</a></p></main></body></html>

    """
  }
}

/// Compresses what has a length, for browsers that accept it.
struct Compression: RouterMiddleware {
  func handle(
    _ request: Request, context: ConnectionContext,
    next: @concurrent (Request, ConnectionContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    response.headers[.vary] = "Accept-Encoding"
    guard let length = response.body.contentLength, length >= 1_024,
      ServiceRequest(request, on: context.channel).acceptsGzip
    else { return response }
    let collector = Collector()
    try await response.body.write(collector)
    let bytes = try Gzip.compress(Array(collector.buffer.readableBytesView))
    response.headers[.contentEncoding] = "gzip"
    response.headers[.contentLength] = nil
    response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    return response
  }

  /// Takes a body instead of a connection.
  private final class Collector: ResponseBodyWriter {
    private(set) var buffer = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { self.buffer.writeImmutableBuffer(buffer) }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }
}
