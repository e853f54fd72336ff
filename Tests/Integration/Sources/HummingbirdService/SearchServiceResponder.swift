// snippet.adapter
public import Hummingbird
public import InstantSearchService
public import NIOCore
import HTTPTypes
import NIOConcurrencyHelpers
import NIOHTTPTypes
import ServiceLifecycle
import Tracing

/// Answers the requests of Hummingbird with a search service, in a span that continues the trace of
/// the caller.
public struct SearchServiceResponder: HTTPResponder {
  private let service: SearchService

  /// Creates a responder.
  public init(_ service: SearchService) { self.service = service }

  /// Answers one request.
  public func respond(
    to request: Request, context: ConnectionContext
  ) async throws -> Response {
    let channel = context.channel
    let head = ServiceRequest(request, on: channel)
    var trace = ServiceContext.topLevel
    InstrumentationSystem.instrument.extract(request.headers, into: &trace, using: HeaderReader())
    let method = request.method.rawValue
    let name = Self.methods.contains(method) ? method : "HTTP"
    let response = await withSpan(name, context: trace, ofKind: .server) {
      span in
      let response = await respond(
        to: head, request.body, Self.length(request),
        expects100: request.headers[.expect]?.lowercased() == "100-continue", channel)
      span.attributes["http.response.status_code"] = response.status
      if response.status >= 500 { span.setStatus(.init(code: .error)) }
      return response
    }
    return Response(response, on: channel, isHead: request.method == .head)
  }

  /// The length of the body; `nil` if it is not known.
  private static func length(_ request: Request) -> Int? {
    if let text = request.headers[.contentLength] { return Int(text) }
    return request.headers[.transferEncoding] == nil ? 0 : nil
  }

  /// The methods of the API. Any other one has no place in the name of a span or of a metric, of
  /// which there are few.
  public static let methods: Set = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"]

  /// A longer body is read only for a caller whose key may make the call.
  private static let shortBody = 1 << 14

  private func respond(
    to head: ServiceRequest, _ body: RequestBody, _ length: Int?, expects100: Bool,
    _ channel: any Channel
  ) async -> ServiceResponse {
    guard let length, length <= Self.shortBody, !expects100 else {
      return await service.respond(to: head, body: body.map(\.readableBytesView)) {
        if expects100 {
          try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
        }
      }
    }
    do {
      var request = head
      if length > 0 {
        request.body = Array(try await body.collect(upTo: length).readableBytesView)
      }
      return await service.respond(to: request)
    } catch {
      return await service.respond(
        to: head, body: AsyncThrowingStream<[UInt8], any Error> { throw error })
    }
  }

  /// Reads the headers of a trace, such as `traceparent`.
  private struct HeaderReader: Extractor {
    func extract(key: String, from headers: HTTPFields) -> String? {
      HTTPField.Name(key).flatMap { headers[$0] }
    }
  }
}

extension ServiceRequest {
  /// Creates a request without its body.
  public init(_ request: Request, on channel: any Channel) {
    self.init(
      method: request.method.rawValue, target: request.uri.string,
      headers: request.headers.map { HTTPHeader(name: $0.name.rawName, value: $0.value) },
      peerAddress: channel.remoteAddress?.ipAddress)
  }
}

/// The context of a request, with its connection.
public struct ConnectionContext: RequestContext {
  /// The storage of Hummingbird.
  public var coreContext: CoreRequestContextStorage
  /// The connection.
  public let channel: any Channel

  /// Creates the context of a request.
  public init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

extension Response {
  /// Creates the response of a service.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - channel: The connection.
  ///   - isHead: Whether the body is left out. Defaults to `false`.
  ///   - onShutdown: Ends a stream when the server is about to end. Defaults to nothing.
  public init(
    _ response: ServiceResponse, on channel: any Channel, isHead: Bool = false,
    onShutdown: @escaping @Sendable () -> Void = {}
  ) {
    var headers = HTTPFields()
    for header in response.headers {
      guard let name = HTTPField.Name(header.name) else { continue }
      headers.append(HTTPField(name: name, value: header.value))
    }
    let body: ResponseBody
    switch response.body {
    case .bytes(let bytes) where isHead:
      body = ResponseBody(contentLength: bytes.count) { try await $0.finish(nil) }
    case _ where isHead: body = ResponseBody()
    case .bytes: body = ResponseBody(response, on: channel)
    case .stream(let stream):
      body = ResponseBody { writer in
        try await withGracefulShutdownHandler {
          for await bytes in stream { try await writer.write(ByteBuffer(bytes: bytes)) }
        } onGracefulShutdown: {
          onShutdown()
        }
        try await writer.finish(nil)
      }
    }
    self.init(
      status: .init(code: response.status), headers: headers, body: body)
  }
}

extension ResponseBody {
  private static let chunkSize = 1 << 16

  /// Writes the bytes of a response as fast as the connection takes them.
  ///
  /// A server that ends closes each connection that has no request. One whose last bytes are not
  /// sent yet would count as such, so the body ends when they are.
  fileprivate init(_ response: ServiceResponse, on channel: any Channel) {
    let size = response.bytes.count
    if size <= Self.chunkSize {
      self.init(byteBuffer: ByteBuffer(bytes: response.bytes))
      return
    }
    let unsent = NIOLockedValueBox<ServiceResponse?>(response)
    self.init(contentLength: size) { writer in
      for start in stride(from: 0, to: size, by: Self.chunkSize) {
        let end = min(start + Self.chunkSize, size)
        let chunk = unsent.withLockedValue { response in
          defer { if end == size { response = nil } }
          return ByteBuffer(bytes: response?.bytes[start..<end] ?? [])
        }
        // A client makes its next call when it has the last bytes, which are copied.
        try await writer.write(chunk)
      }
      var pause = Duration.milliseconds(1)
      while try await channel.getOption(.bufferedWritableBytes).get() > 0 {
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(128))
      }
      try await writer.finish(nil)
    }
  }
}
// snippet.end
